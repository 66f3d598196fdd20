import type { StandardSchemaV1 } from '@standard-schema/spec'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { assertCsvOptions } from '../options.ts'
import { createObjectSource } from '../source/object-source.ts'
import { type CsvFile, csvFileSchema } from '../split/csv-file.ts'
import { type CsvChunk, chunkSchema, type Manifest } from '../split/manifest.ts'
import { splitToManifest } from '../split/split.ts'
import type { SplitOptions } from '../split/split-options.ts'
import { splitToObjects } from '../split/split-to-objects.ts'
import { type CsvInput, csvInputShape, rowsPerChunkSchema, splitId } from './csv-input.ts'
import { type CsvPorts, csvNeeds, csvTaskErrors } from './csv-store.ts'
import { type FileError, toFileError } from './file-error.ts'
import { freezeManifest, manifestKeyOf, readManifest, refuseOtherVersion } from './manifest-store.ts'

export interface SplitCsvOptions extends Omit<SplitOptions, 'signal'> {
  /** Byte ranges of the file, or an object a chunk: `chunks/{id}/chunk_000.csv`. @default 'ranges' */
  readonly chunksAs?: 'ranges' | 'objects'
  /** As what a file that is missing or was replaced is reported. @default 'ValidationError' */
  readonly fileError?: FileError
  /** The error to be thrown for one that it failed with. @default the same */
  readonly explain?: (error: unknown) => unknown
}

export interface SplitCsvInput extends CsvInput {
  /** Names the split: the same id always gives the same chunks. */
  readonly id: string
  /** Instead of the option of the same name. */
  readonly rowsPerChunk?: number | undefined
}

export interface SplitCsvOutput {
  /** Where the manifest lies, for workers that read by range. */
  readonly manifestKey: string
  readonly rowCount: number
  readonly chunkCount: number
  readonly columns: readonly string[]
  /** What a worker needs besides its chunk. */
  readonly file: CsvFile
  readonly chunks: readonly CsvChunk[]
}

const input = z.object({ ...csvInputShape, id: splitId, rowsPerChunk: z.optional(rowsPerChunkSchema) })

/** Where the number of chunks has a limit, the schema says so: a state machine can tell whether they fit its payload. */
function outputOf(maxChunks: number): StandardSchemaV1<SplitCsvOutput> {
  const chunks = z.array(chunkSchema)
  return z.object({
    manifestKey: z.string(),
    rowCount: z.int(),
    chunkCount: z.int(),
    columns: z.array(z.string()),
    file: csvFileSchema,
    chunks: Number.isFinite(maxChunks) ? chunks.check(z.maxLength(maxChunks)) : chunks,
  })
}

/** The handler behind `SplitCSV`. A retry finds the manifest of the first run and gives the same chunks. */
export function splitCsv(options: SplitCsvOptions = {}): Task<SplitCsvInput, SplitCsvOutput, CsvPorts> {
  assertCsvOptions('splitCsv', options)
  const { chunksAs = 'ranges', fileError, explain = (error: unknown) => error, ...split } = options
  return defineTask({
    name: 'split-csv',
    description: 'Cuts a CSV into chunks of whole rows, once for an id, and writes down where each lies.',
    idempotent: true,
    needs: csvNeeds,
    input,
    output: outputOf(split.maxChunks ?? Number.POSITIVE_INFINITY),
    errors: csvTaskErrors,
    async run(
      { bucket, key, etag, versionId, id, rowsPerChunk = split.rowsPerChunk },
      { storeOf }: CsvPorts,
      { signal, logger },
    ) {
      const store = storeOf(bucket)
      const source = createObjectSource(store, key, { etag, versionId })
      const manifestKey = manifestKeyOf(id)
      try {
        let manifest = await readManifest(store, manifestKey, signal)
        if (manifest) {
          refuseOtherVersion(manifest, await source.facts(signal), manifestKey)
        } else {
          const how = { ...split, ...(rowsPerChunk !== undefined && { rowsPerChunk }), signal }
          const made =
            chunksAs === 'objects'
              ? await splitToObjects(source, store, { ...how, id })
              : await splitToManifest(source, how)
          manifest = await freezeManifest(store, manifestKey, made, signal)
          logger.info('CSV split', { key, rowCount: manifest.rowCount, chunks: manifest.chunks.length })
        }
        return {
          manifestKey,
          rowCount: manifest.rowCount,
          chunkCount: manifest.chunks.length,
          columns: manifest.columns,
          file: toFile(manifest, { bucket, key }),
          chunks: manifest.chunks,
        }
      } catch (error) {
        throw explain(toFileError(error, key, fileError))
      }
    },
  })
}

function toFile({ source, dialect, columns, columnOf }: Manifest, { bucket, key }: CsvInput): CsvFile {
  return {
    ...(bucket !== undefined && { bucket }),
    key,
    source,
    dialect,
    columns,
    ...(columnOf && { columnOf }),
  }
}
