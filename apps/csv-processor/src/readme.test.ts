import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { processLog } from './test/readme-example.ts'

it('shows an example in the README that runs', { timeout: 60_000 }, async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const example = await readFile(new URL('./test/readme-example.ts', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``)
  expect(JSON.parse((await processLog()) ?? '')).toMatchObject({
    status: 'SUCCESS',
    processing: { totalRecords: 2, successCount: 2, errorCount: 0 },
  })
})
