import type { StandardSchemaV1 } from '@standard-schema/spec'
import { ConflictError, CSVValidationError, isTaskError, NotFoundError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { createObjectSource } from '../source/object-source.ts'
import { type Chunk, type Manifest, parseManifest } from '../split/manifest.ts'
import { type SplitOptions, splitToManifest } from '../split/split.ts'
import { chunkKey, splitToObjects } from '../split/split-to-objects.ts'
import { type CsvPorts, type CsvStore, storeErrors } from './csv-store.ts'

export interface SplitCsvOptions extends Omit<SplitOptions, 'signal'> {
  /** Byte ranges of the file, or an object a chunk: `chunks/{id}/chunk_000.csv`. @default 'ranges' */
  readonly chunksAs?: 'ranges' | 'objects'
}

export interface SplitCsvInput {
  readonly bucket?: string | undefined
  readonly key: string
  /** Names the split: the same id always gives the same chunks. */
  readonly id: string
}

export interface SplitCsvOutput {
  /** Where the manifest lies, for workers that read by range. */
  readonly manifestKey: string
  readonly rowCount: number
  readonly chunkCount: number
  readonly columns: readonly string[]
  /** With `key` where each chunk is an object. */
  readonly chunks: readonly (Chunk & { readonly key?: string | undefined })[]
}

const input = z.object({
  bucket: z.optional(z.string()),
  key: z.string().check(z.minLength(1)),
  id: z.string().check(z.regex(/^[\w.=-]{1,128}$/)),
})

const chunk = z.object({
  index: z.int(),
  offset: z.int(),
  length: z.int(),
  firstRow: z.int(),
  rowCount: z.int(),
  sha256: z.optional(z.string()),
  key: z.optional(z.string()),
})

const output: StandardSchemaV1<SplitCsvOutput> = z.object({
  manifestKey: z.string(),
  rowCount: z.int(),
  chunkCount: z.int(),
  columns: z.array(z.string()),
  chunks: z.array(chunk),
})

/** The task behind `SplitCSV`. A retry finds the manifest of the first run and gives the same chunks. */
export function splitCsv(options: SplitCsvOptions = {}): Task<SplitCsvInput, SplitCsvOutput, CsvPorts> {
  const { chunksAs = 'ranges', ...split } = options
  return defineTask({
    name: 'split-csv',
    input,
    output,
    errors: [CSVValidationError, NotFoundError, ...storeErrors],
    async run({ bucket, key, id }, { storeOf }: CsvPorts, { signal, logger }) {
      const store = storeOf(bucket)
      const source = createObjectSource(store, key)
      const manifestKey = `chunks/${id}/manifest.json`
      let manifest = await readManifest(store, manifestKey, signal)
      if (manifest) {
        refuseOther(manifest, await source.facts(signal), manifestKey)
      } else {
        const made =
          chunksAs === 'objects'
            ? await splitToObjects(source, store, { ...split, id, signal })
            : await splitToManifest(source, { ...split, signal })
        manifest = await freeze(store, manifestKey, made, signal)
        logger.info('CSV split', { key, rowCount: manifest.rowCount, chunks: manifest.chunks.length })
      }
      return {
        manifestKey,
        rowCount: manifest.rowCount,
        chunkCount: manifest.chunks.length,
        columns: manifest.columns,
        chunks: manifest.chunks.map(each =>
          chunksAs === 'objects' ? { ...each, key: chunkKey(id, each.index) } : each,
        ),
      }
    },
  })
}

/** Reads a manifest that `splitCsv` has written; undefined if there is none. */
export async function readManifest(
  store: CsvStore,
  key: string,
  signal?: AbortSignal,
): Promise<Manifest | undefined> {
  try {
    const { body } = await store.get(key, { signal })
    const chunks: Uint8Array[] = []
    for await (const bytes of body) chunks.push(bytes)
    return parseManifest(JSON.parse(Buffer.concat(chunks).toString('utf8')))
  } catch (error) {
    if (isTaskError(error, NotFoundError)) return undefined
    throw error
  }
}

/** Writes the manifest unless another run was faster: then that one counts. */
async function freeze(
  store: CsvStore,
  key: string,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<Manifest> {
  try {
    await store.put(key, JSON.stringify(manifest), {
      contentType: 'application/json',
      ifNoneMatch: '*',
      signal,
    })
    return manifest
  } catch (error) {
    const first = isTaskError(error, ConflictError) && (await readManifest(store, key, signal))
    if (!first) throw error
    refuseOther(first, { etag: manifest.source.etag }, key)
    return first
  }
}

function refuseOther({ source }: Manifest, { etag }: { etag: string | undefined }, key: string): void {
  if (source.etag === etag) return
  throw new ConflictError(
    `${key} belongs to another version of the file: give the new one an id of its own`,
    {
      code: 'SOURCE_CHANGED',
      details: { manifestKey: key, splitEtag: source.etag, etag },
    },
  )
}
