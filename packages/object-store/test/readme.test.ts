import { readFile } from 'node:fs/promises'
import { createMemoryObjectStore } from '@stepwright/object-store/memory'
import { expect, it } from 'vitest'
import { claimUpload } from './readme-example.ts'

it('shows an example in the README that runs', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const example = await readFile(new URL('./readme-example.ts', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``)
  const store = createMemoryObjectStore()
  expect(await claimUpload(store, '7', 1000)).toBe('memory')
  await expect(claimUpload(store, '7', 1000)).rejects.toMatchObject({ name: 'ConflictError' })
})
