import { type FileHandle, open, stat } from 'node:fs/promises'
import { ConflictError, NotFoundError } from '@stepwright/errors'
import type { ByteSource } from './byte-source.ts'

/** A source over a local file. Its ETag is made of the file's size and the time of its last change. */
export function createFileSource(path: string): ByteSource {
  return {
    async facts() {
      const { size, mtimeMs } = await stat(path).catch(refuseMissing(path))
      return { size, etag: toEtag(size, mtimeMs) }
    },
    async open({ offset = 0, length = Number.POSITIVE_INFINITY, etag, signal } = {}) {
      const file = await open(path).catch(refuseMissing(path))
      if (etag !== undefined) await refuseChanged(file, path, etag)
      let at = offset
      let left = length
      return {
        async read(into) {
          signal?.throwIfAborted()
          const wanted = Math.min(into.length, left)
          if (wanted === 0) return 0
          const { bytesRead } = await file.read(into, 0, wanted, at)
          at += bytesRead
          left -= bytesRead
          return bytesRead
        },
        close: () => file.close(),
      }
    },
  }
}

async function refuseChanged(file: FileHandle, path: string, etag: string): Promise<void> {
  const { size, mtimeMs } = await file.stat()
  if (toEtag(size, mtimeMs) === etag) return
  await file.close()
  throw new ConflictError(`${path} has changed since it was split`, { code: 'SOURCE_CHANGED' })
}

function toEtag(size: number, mtimeMs: number): string {
  return `"${size.toString(16)}-${mtimeMs.toString(16)}"`
}

function refuseMissing(path: string) {
  return (error: NodeJS.ErrnoException): never => {
    if (error.code !== 'ENOENT') throw error
    throw new NotFoundError(`there is no file ${path}`, { cause: error })
  }
}
