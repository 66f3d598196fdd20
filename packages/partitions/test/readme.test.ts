import { readFile } from 'node:fs/promises'
import { createPartitionLock } from '@stepwright/partitions'
import { createMemoryJsonObjects, createMemoryLockStore } from '@stepwright/partitions/memory'
import { expect, it } from 'vitest'
import { publishDay } from './readme-example.ts'

it('shows an example in the README that runs', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const example = await readFile(new URL('./readme-example.ts', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``)
  const lock = createPartitionLock({ store: createMemoryLockStore(), lockSeconds: 60, keyOf: String })
  const objects = createMemoryJsonObjects()
  await lock.acquire('2025-09-07', 'a')
  expect(await publishDay(objects, lock, '2025-09-07', 'a')).toMatchObject({ state: 'published' })
  expect(await publishDay(objects, lock, '2025-09-07', 'b')).toEqual({ state: 'fenced' })
})
