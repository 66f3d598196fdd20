import { toCsvError, toProblemError } from '../csv-problem.ts'
import { type ColumnMapping, mapColumns } from '../open/map-columns.ts'
import { type OpenedCsv, openCsv } from '../open/open-csv.ts'
import { assertCsvOptions } from '../options.ts'
import type { ByteSource } from '../source/byte-source.ts'
import { cutChunks } from './cut-chunks.ts'
import { createDigest } from './digest.ts'
import type { CsvChunk, Manifest } from './manifest.ts'
import { type SplitOptions, toCutOptions } from './split-options.ts'

/** Splits a file into byte ranges of whole records, reading it once. Nothing is written. */
export async function splitToManifest(source: ByteSource, options: SplitOptions = {}): Promise<Manifest> {
  assertCsvOptions('splitToManifest', options)
  const opened = await openCsv(source, { ...options, readsHere: true })
  const chunks: CsvChunk[] = []
  try {
    if (opened.compression) throw noRanges()
    const columnOf = findColumns(opened, options)
    const cutOptions = toCutOptions(opened, options)
    let digest = createDigest(cutOptions.digest)
    const cut = await cutChunks(opened.reader, cutOptions, {
      ...(cutOptions.digest !== 'none' && { write: (bytes: Buffer) => digest.update(bytes) }),
      end(chunk) {
        chunks.push({ ...chunk, ...digest.result() })
        digest = createDigest(cutOptions.digest)
      },
    })
    return toManifest(opened, chunks, cut, columnOf)
  } finally {
    await opened.reader.close()
  }
}

export function noRanges(): Error {
  return toCsvError('COMPRESSED_SOURCE', 'compressed data has no byte ranges: split it into chunk objects')
}

/** @throws CSVValidationError if an expected column is missing */
export function findColumns(opened: OpenedCsv, options: SplitOptions): ColumnMapping | undefined {
  if (options.columns === undefined) return undefined
  const found = mapColumns({ ...opened, header: opened.dialect.header }, options)
  if ('problem' in found) throw toProblemError(found.problem)
  return found.columnOf
}

export function toManifest(
  { dialect, columns, headerBytes, etag, versionId }: OpenedCsv,
  chunks: readonly CsvChunk[],
  { rowCount, size }: { rowCount: number; size: number },
  columnOf: ColumnMapping | undefined,
): Manifest {
  return {
    version: 1,
    source: { size, etag, ...(versionId !== undefined && { versionId }) },
    dialect,
    columns,
    ...(columnOf && { columnOf }),
    headerBytes: chunks.length === 0 ? size : headerBytes,
    rowCount,
    chunks,
  }
}
