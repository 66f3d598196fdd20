import { DataValidationError } from '@stepwright/errors'
import type { ObjectStore } from '@stepwright/object-store'
import { readText } from '@stepwright/object-store'
import * as z from 'zod/mini'
import { caughtError, toRowError } from './caught-error.ts'
import { type CsvBatch, csvBatch } from './csv-batch.ts'
import type { ChunkFailure } from './row-outcomes.ts'

/** What a Distributed Map with a ResultWriter leaves in the state's payload. */
export const mapResults = z.object({
  MapRunArn: z.string(),
  ResultWriterDetails: z.object({ Bucket: z.string(), Key: z.string() }),
})

const resultFiles = z.array(z.object({ Key: z.string() }))
const manifest = z.object({
  ResultFiles: z.object({ SUCCEEDED: resultFiles, FAILED: resultFiles, PENDING: resultFiles }),
})
const succeeded = z.object({
  ...csvBatch.shape,
  processResult: z.optional(z.object({ rowCount: z.int(), errorCount: z.int() })),
  error: z.optional(caughtError),
})
const failed = z.object({
  Input: z.string(),
  Error: z._default(z.string(), 'NotProcessed'),
  Cause: z._default(z.string(), ''),
})

/** What one child execution of the Map came to. */
export interface ChildResult {
  readonly batch: CsvBatch
  /** Whether every row of it was reflected, so that nothing more is to be asked. */
  readonly isClean: boolean
  /** Why rows were not reflected, if the batch as a whole failed. */
  readonly failure: ChunkFailure | undefined
}

/** Reads the children's results from S3, line by line: a Map of any size needs the memory of one. */
export async function* readMapResults(
  store: ObjectStore,
  manifestKey: string,
  signal: AbortSignal,
): AsyncGenerator<ChildResult> {
  const text = await readText(await store.get(manifestKey, { signal }))
  const { SUCCEEDED, FAILED, PENDING } = parse(manifest, text, manifestKey).ResultFiles
  for (const { Key } of SUCCEEDED) {
    for await (const line of readLines(store, Key, signal)) {
      const { processResult, error, ...batch } = parse(succeeded, line, Key)
      const isClean = processResult?.errorCount === 0
      yield { batch, isClean, failure: error && { logType: 'BUSINESS_ERROR', error: toRowError(error) } }
    }
  }
  for (const { Key } of [...FAILED, ...PENDING]) {
    for await (const line of readLines(store, Key, signal)) {
      const { Input, ...error } = parse(failed, line, Key)
      const failure = { logType: 'SYSTEM_ERROR' as const, error: toRowError(error) }
      yield { batch: parse(csvBatch, Input, Key), isClean: false, failure }
    }
  }
}

async function* readLines(store: ObjectStore, key: string, signal: AbortSignal): AsyncGenerator<string> {
  const { body } = await store.get(key, { signal })
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}

function parse<Schema extends z.ZodMiniType>(schema: Schema, text: string, key: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new DataValidationError(`${key} holds no result of the Map`, { code: 'MAP_RESULT', cause })
  }
}
