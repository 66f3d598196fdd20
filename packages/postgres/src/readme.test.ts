import { readFile } from 'node:fs/promises'
import { testDatabase } from '@stepwright/local-postgres/vitest'
import { expect, it } from 'vitest'
import { prepare } from './test/readme-example.ts'

it('shows an example in the README that runs', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const example = await readFile(new URL('./test/readme-example.ts', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``)
  const { url } = await testDatabase()
  expect(await prepare(url)).toEqual(['001-orders'])
  expect(await prepare(url)).toEqual([])
})
