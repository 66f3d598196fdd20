import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, root, withBlock } from './generated.ts'

const files = globSync('docs/adr/[0-9]*.md', { cwd: root }).sort()
const form =
  /^# (\d{4}): (.+)\n\nStatus: (accepted|replaced by \[\d{4}\]\(\S+\)), (\d{4}-\d\d-\d\d)\.[^\n]*\n\n## Context\n/

function readRecord(file: string) {
  const text = read(file)
  const [, number, title, status = '', date] = form.exec(text) ?? []
  return {
    file: basename(file),
    text,
    number,
    title,
    status: status.replaceAll(/\[(\d{4})\]\(\S+\)/g, '$1'),
    date,
  }
}

describe('the decision records', () => {
  it.each(files)('%s has the form of all: number, status, date, context, decision, consequences', file => {
    const { number, text } = readRecord(file)
    expect(basename(file).slice(0, 4)).toBe(number)
    expect(text.match(/^## .+$/gm)).toEqual(['## Context', '## Decision', '## Consequences'])
  })

  it('have an index', async () => {
    const rows = files.map(readRecord).map(({ file, number, title, status, date }) => {
      return `- [${number}](${file}): ${title} (${status}, ${date})`
    })
    const index = withBlock(read('docs/adr/README.md'), 'index', rows.join('\n'))
    await expect(index).toMatchFileSnapshot(join(root, 'docs/adr/README.md'))
  })
})
