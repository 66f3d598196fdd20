import { ConflictError, TemporaryError } from '@stepwright/errors'
import type { ByteReader } from '../source/byte-source.ts'
import { createDigest, digestOf } from '../split/digest.ts'
import type { CsvChunk } from '../split/manifest.ts'

/**
 * A reader of a chunk's bytes that compares them with what the manifest says, at their end. Bytes of a version
 * that is bound by its ETag can only have been damaged on their way: the same read may succeed later.
 */
export function createCheckedReader(reader: ByteReader, chunk: CsvChunk, bound: boolean): ByteReader {
  const digest = createDigest(digestOf(chunk))
  let length = 0
  return {
    async read(into) {
      const bytes = await reader.read(into)
      if (bytes === 0) compare()
      digest.update(into.subarray(0, bytes))
      length += bytes
      return bytes
    },
    close: () => reader.close(),
  }

  function compare(): void {
    const { crc32 = chunk.crc32, sha256 = chunk.sha256 } = digest.copy().result()
    if (length === chunk.length && crc32 === chunk.crc32 && sha256 === chunk.sha256) return
    const message = `the bytes of chunk ${chunk.index} are not those that were split`
    const details = { index: chunk.index, offset: chunk.offset }
    if (bound) throw new TemporaryError(message, { code: 'READ_DAMAGED', details })
    throw new ConflictError(message, { code: 'SOURCE_CHANGED', details })
  }
}

/** @throws ConflictError if a chunk holds another number of rows than the manifest says */
export function refuseOtherRowCount(rows: number, { index, rowCount }: CsvChunk): void {
  if (rows === rowCount) return
  throw new ConflictError(`chunk ${index} holds ${rows} rows instead of ${rowCount}`, {
    code: 'SOURCE_CHANGED',
    details: { index, rows, rowCount },
  })
}
