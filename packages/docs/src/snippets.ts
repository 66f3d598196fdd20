import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { codeBlocksOf } from './markdown.ts'
import type { Page } from './pages.ts'

/** Code on a page, and the sources of the repository that have it word for word. */
export interface Snippet {
  /** `docs/deploying.md:31` */
  readonly place: string
  readonly code: string
  readonly sources: readonly string[]
}

/**
 * Every block of TypeScript: what is in a source is compiled and tested with it. A block whose first line names an
 * example must be in that very file.
 */
export function readSnippets(pages: readonly Page[], root: string): readonly Snippet[] {
  const sources = globSync('{packages,apps}/*/{src,test,web,bench,templates}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: name => /(^|\/)(node_modules|dist|\.cache)$/.test(name),
  }).map(file => ({ file, text: `\n${toPlainLines(readFileSync(join(root, file), 'utf8'))}\n` }))
  return pages.flatMap(({ source, markdown }) =>
    codeBlocksOf(markdown)
      .filter(({ language }) => language === 'ts' || language === 'tsx')
      .map(({ code, line }) => {
        const [heading = '', named] = /^\/\/ (\S+\.ts)\n/.exec(code) ?? []
        const plain = toPlainLines(code.slice(heading.length))
        const found = sources.filter(({ text }) => text.includes(`\n${plain}\n`)).map(({ file }) => file)
        const own = named?.includes('example') ? posix.join(posix.dirname(source), named) : undefined
        const shown = found.filter(file => own === undefined || file === own)
        return { place: `${source}:${line}`, code, sources: shown }
      }),
  )
}

/** Indentation and empty lines are for the reader. */
function toPlainLines(code: string): string {
  return code
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .join('\n')
}
