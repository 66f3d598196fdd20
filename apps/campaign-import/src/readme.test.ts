import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { importRecipients } from './test/readme-example.ts'

it('does what the README shows', { timeout: 60_000 }, async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const example = await readFile(new URL('./test/readme-example.ts', import.meta.url), 'utf8')
  expect(readme).toContain(example)
  const output = await importRecipients('email,name\nann@example.com,Ann\nbob@example.com,Bob\n')
  expect(JSON.parse(output ?? '')).toMatchObject({ total_count: 2, duplicate_count: 0, rejected_count: 0 })
})
