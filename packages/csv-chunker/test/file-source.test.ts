import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readFully } from '../src/source/byte-source.ts'
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

it('reads on this thread where it is asked to, not too much at once', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'csv-file-'))
  try {
    const path = join(directory, 'a.csv')
    const content = Buffer.alloc(3_000_000, 'one,two\n')
    await writeFile(path, content)
    const reader = await createFileSource(path).open({ readsHere: true })
    const into = Buffer.alloc(content.length)
    const reading = reader.read(into)
    const length = into.indexOf(0)
    expect([length, await reading]).toEqual([1024 * 1024, length])
    expect(await readFully(reader, into.subarray(length))).toBe(content.length - length)
    expect(into.equals(content)).toBe(true)
    await reader.close()
  } finally {
    await rm(directory, { recursive: true })
  }
})
