import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFileSource } from '../src/source/file-source.ts'

it('reads small and large ranges, and is closed once, also in the middle of a read', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'csv-file-'))
  try {
    const path = join(directory, 'a.csv')
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251))
    await writeFile(path, content)
    const reader = await createFileSource(path).open({ offset: 10, length: 250_000 })
    const [small, large, rest] = [Buffer.alloc(100), Buffer.alloc(200_000), Buffer.alloc(100_000)]
    expect(await reader.read(small)).toBe(small.length)
    expect(await reader.read(large)).toBe(large.length)
    expect(Buffer.concat([small, large]).equals(content.subarray(10, 10 + 200_100))).toBe(true)
    const reading = reader.read(rest)
    await Promise.all([reader.close(), reader.close()])
    expect(await reading).toBe(250_000 - 200_100)
    await expect(reader.read(small)).resolves.toBe(0)
    await reader.close()
  } finally {
    await rm(directory, { recursive: true })
  }
})
