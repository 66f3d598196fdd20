import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copySegments, dropSegments, openSegments, writeSegment } from './segments.ts'

async function* text(...pieces: string[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece)
}

describe('copySegments', () => {
  it('copies what was dropped after it was opened', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'segments-'))
    const segments = [
      await writeSegment(directory, text('one ', 'two ')),
      await writeSegment(directory, text('three')),
    ]
    const opened = await openSegments(directory, segments)
    await dropSegments(directory, segments.slice(1))
    const copies = await copySegments(directory, directory, segments, opened)
    await dropSegments(directory, segments)
    expect((await readdir(directory)).sort()).toEqual(copies.map(({ file }) => file).sort())
    const copied = await openSegments(directory, copies)
    const bytes: Buffer[] = []
    for await (const piece of copied.read({ start: 0, end: 12 })) bytes.push(piece)
    expect(Buffer.concat(bytes).toString()).toBe('one two three')
    await Promise.all([opened.close(), copied.close()])
    await rm(directory, { recursive: true })
  })
})
