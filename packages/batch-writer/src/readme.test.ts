import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { testTables } from './test/database.ts'
import { importChunk } from './test/readme-example.ts'

const { url, query } = await testTables()

it('shows an example in the README that runs', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const example = await readFile(new URL('./test/readme-example.ts', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``)
  await query('CREATE TABLE recipients (campaign_id int, email text, UNIQUE (campaign_id, email))')
  const first = await importChunk(url)
  expect(first.counts).toMatchObject({ received: 3, inserted: 2, duplicates: 1 })
  expect(await importChunk(url)).toEqual({ ...first, status: 'recorded' })
})
