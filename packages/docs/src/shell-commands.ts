import { codeBlocksOf } from './markdown.ts'
import type { Page } from './pages.ts'

/** A command that a page tells its reader to run. */
export interface ShellCommand {
  /** `docs/deploying.md:35` */
  readonly place: string
  /** Program and arguments, quotes taken off, without `npx` and what it was told. */
  readonly words: readonly string[]
}

/** The commands of shell blocks, and those of ours that a sentence names. */
export function readShellCommands(pages: readonly Page[]): readonly ShellCommand[] {
  return pages.flatMap(({ source, markdown }) => {
    const blocks = codeBlocksOf(markdown).filter(({ language }) => language === 'sh')
    const inBlocks = blocks.flatMap(({ code, line }) =>
      toCommands(code).map(words => ({ place: `${source}:${line}`, words })),
    )
    const named = markdown.matchAll(
      /(?<!`)`((?:npx )?stepwright [a-z-]+[^`\n]*|npm create stepwright[^`\n]*)`/g,
    )
    const inSentences = [...named].flatMap(({ 1: text = '', index }) =>
      toCommands(text.replaceAll('\\|', '|')).map(words => ({
        place: `${source}:${markdown.slice(0, index).split('\n').length}`,
        words,
      })),
    )
    return [...inBlocks, ...inSentences]
  })
}

function toCommands(script: string): readonly (readonly string[])[] {
  return script
    .replaceAll(/\\\n/g, ' ')
    .replaceAll(/\$\(([^()]*)\)/g, '; $1 ;')
    .replaceAll(/(^|\s)#.*$/gm, '')
    .split(/\n|;|&&|\|(?=\s)/)
    .map(toWords)
    .filter(words => words.length > 0)
}

function toWords(command: string): readonly string[] {
  const words = (command.match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? [])
    .map(word => word.replaceAll(/['"]/g, ''))
    .filter(word => word !== '')
  const assigned = words.findIndex(word => !/^(export$|[A-Z_]+=)/.test(word))
  const rest = assigned === -1 ? [] : words.slice(assigned)
  if (rest[0] !== 'npx') return rest
  return rest.slice(1).filter((word, index) => index > 1 || !/^(-y|--yes)$/.test(word))
}
