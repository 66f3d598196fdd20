import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { lines, result } from './test/readme-example.ts'

it('shows an example in the README that runs', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const example = await readFile(new URL('./test/readme-example.ts', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``)
  expect(result).toEqual({ ok: true, entries: 1, writers: 1, late: 0 })
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { itemIndex: 7, userRecord: { id: 'U00007', email: '[redacted]' } },
  ])
})
