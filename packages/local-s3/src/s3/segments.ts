import { randomUUID } from 'node:crypto'
import { constants, copyFile, link, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ByteRange } from './byte-range.ts'

/** An immutable file that holds an object or a part of one. */
export interface Segment {
  readonly file: string
  readonly size: number
}

/** Writes content to a new file, which is gone again if the content fails. */
export async function writeSegment(directory: string, content: AsyncIterable<Buffer>): Promise<Segment> {
  const file = randomUUID()
  const path = join(directory, file)
  const handle = await open(path, 'wx', 0o600)
  try {
    let size = 0
    for await (const chunk of content) {
      await writeAll(handle, chunk)
      size += chunk.length
    }
    return { file, size }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

/** Copies segments that are held open, so that it succeeds also if they are dropped meanwhile. */
export async function copySegments(
  from: string,
  to: string,
  segments: readonly Segment[],
  opened: OpenSegments,
): Promise<Segment[]> {
  const copies: Segment[] = []
  try {
    for (const segment of segments) {
      const copy = { file: randomUUID(), size: segment.size }
      const source = join(from, segment.file)
      const target = join(to, copy.file)
      // As segments never change, a second name for the same file will do where the disk has such.
      await link(source, target).catch(() => copyFile(source, target, constants.COPYFILE_FICLONE))
      copies.push(copy)
    }
    return copies
  } catch (error) {
    await dropSegments(to, copies)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const size = segments.reduce((sum, segment) => sum + segment.size, 0)
    return [await writeSegment(to, opened.read({ start: 0, end: size - 1 }))]
  }
}

/** Readers that have a file open already still read it to the end. */
export async function dropSegments(directory: string, segments: readonly Segment[]): Promise<void> {
  for (const { file } of segments) await rm(join(directory, file), { force: true })
}

/** Segments opened for reading, so that nobody can take them away. */
export interface OpenSegments {
  read(range: ByteRange): AsyncGenerator<Buffer>
  close(): Promise<void>
}

const readBytes = 256 * 1024

export async function openSegments(directory: string, segments: readonly Segment[]): Promise<OpenSegments> {
  const opened: { handle: Awaited<ReturnType<typeof open>>; size: number }[] = []
  const close = async (): Promise<void> => {
    await Promise.all(opened.map(({ handle }) => handle.close()))
  }
  try {
    for (const { file, size } of segments) {
      opened.push({ handle: await open(join(directory, file), 'r'), size })
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    close,
    async *read({ start, end }) {
      let offset = 0
      for (const { handle, size } of opened) {
        let position = Math.max(0, start - offset)
        const stop = Math.min(size, end + 1 - offset)
        while (position < stop) {
          const buffer = Buffer.allocUnsafe(Math.min(readBytes, stop - position))
          const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
          if (bytesRead === 0) throw new Error(`a file of the store is shorter than ${size} bytes`)
          yield buffer.subarray(0, bytesRead)
          position += bytesRead
        }
        offset += size
      }
    },
  }
}

async function writeAll(handle: Awaited<ReturnType<typeof open>>, chunk: Buffer): Promise<void> {
  let written = 0
  while (written < chunk.length) written += (await handle.write(chunk, written)).bytesWritten
}
