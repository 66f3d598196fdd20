import { type CodeBlock, codeBlocksOf } from '../src/markdown.ts'

/** One thing that a page has its reader do. */
export type Step =
  | { readonly kind: 'run'; readonly command: string; readonly expected: readonly string[] }
  | { readonly kind: 'write'; readonly file: string; readonly text: string }
  | { readonly kind: 'edit'; readonly file: string; readonly from: string; readonly to: string }

/** Shell blocks are run line by line; `text` is what the last command before it prints; files and diffs are written. */
export function readSteps(markdown: string): readonly Step[] {
  const steps: Step[] = []
  for (const block of codeBlocksOf(markdown)) {
    if (block.language === 'text') {
      const last = steps.findLastIndex(({ kind }) => kind === 'run')
      const step = steps[last]
      if (step?.kind === 'run') steps[last] = { ...step, expected: linesOf(block.code) }
    } else steps.push(...toSteps(block))
  }
  return steps
}

function toSteps({ language, code, line }: CodeBlock): readonly Step[] {
  if (language === 'sh') return linesOf(code).map(command => ({ kind: 'run', command, expected: [] }))
  if (language === 'diff') return [toEdit(code)]
  const [, file, text = ''] = /^\/\/ (\S+)\n(.*)/s.exec(code) ?? []
  if (file === undefined) throw new Error(`line ${line}: there must be a comment with the file's name`)
  return [{ kind: 'write', file, text }]
}

function toEdit(diff: string): Step {
  const [heading = '', ...lines] = diff.split('\n').filter(line => line !== '')
  const side = (without: string) =>
    lines
      .filter(line => !line.startsWith(without))
      .map(line => `${line.slice(1)}\n`)
      .join('')
  return { kind: 'edit', file: heading.replace('+++ ', ''), from: side('+'), to: side('-') }
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}
