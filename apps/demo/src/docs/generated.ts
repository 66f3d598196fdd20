import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../../../..')

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** The text with this between its markers `<!-- name -->` and `<!-- /name -->`. */
export function withBlock(text: string, name: string, block: string): string {
  const begin = `<!-- ${name} -->`
  const end = `<!-- /${name} -->`
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from === -1 || to < from) throw new TypeError(`there must be a block ${begin} … ${end}`)
  return `${text.slice(0, from + begin.length)}\n\n${block.trim()}\n\n${text.slice(to)}`
}
