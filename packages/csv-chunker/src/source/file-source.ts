import { closeSync, fstatSync, openSync, read, readSync, type Stats, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { ConflictError, NotFoundError } from '@stepwright/errors'
import type { ByteSource } from './byte-source.ts'

const readAway = promisify(read)

/** What takes less time than a way to another thread and back. */
const smallBytes = 64 * 1024
/** The most that is read on this thread, where nothing else runs meanwhile. */
const maxBytesHere = 1024 * 1024

/** A source over a local file. Its ETag is made of the file's size and the time of its last change. */
export function createFileSource(path: string): ByteSource {
  return {
    async facts() {
      const stats = orMissing(path, () => statSync(path))
      return { size: stats.size, etag: toEtag(stats) }
    },
    async open({ offset = 0, length = Number.POSITIVE_INFINITY, etag, signal, readsHere = false } = {}) {
      const file = orMissing(path, () => openSync(path, 'r'))
      if (etag !== undefined) refuseChanged(file, path, etag)
      let at = offset
      let left = length
      let reading: Promise<unknown> | undefined
      let closed = false
      return {
        async read(into) {
          signal?.throwIfAborted()
          const wanted = Math.min(into.length, left)
          if (wanted === 0) return 0
          let bytes: number
          if (readsHere || wanted <= smallBytes) {
            bytes = readSync(file, into, 0, Math.min(wanted, maxBytesHere), at)
          } else {
            const away = readAway(file, into, 0, wanted, at)
            reading = away
            bytes = (await away).bytesRead
          }
          at += bytes
          left -= bytes
          return bytes
        },
        async close() {
          if (closed) return
          closed = true
          // The number of a closed file may be another's at once.
          await reading?.catch(() => {})
          closeSync(file)
        },
      }
    },
  }
}

function refuseChanged(file: number, path: string, etag: string): void {
  if (toEtag(fstatSync(file)) === etag) return
  closeSync(file)
  throw new ConflictError(`${path} has changed since it was split`, { code: 'SOURCE_CHANGED' })
}

function toEtag({ size, mtimeMs }: Stats): string {
  return `"${size.toString(16)}-${mtimeMs.toString(16)}"`
}

function orMissing<Result>(path: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new NotFoundError(`there is no file ${path}`, { cause: error })
  }
}
