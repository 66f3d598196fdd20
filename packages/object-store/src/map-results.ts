import { DataValidationError, isTaskError } from '@stepwright/errors'
import * as z from 'zod/mini'
import { readElements, readLines } from './json-values.ts'
import type { CallOptions, ObjectStore } from './object-store.ts'
import { readText } from './read-body.ts'

/** What one child execution of a Distributed Map came to. */
export type MapResult = SucceededMapResult | FailedMapResult

export interface SucceededMapResult {
  readonly status: 'SUCCEEDED'
  readonly output: unknown
  /** Only where the ResultWriter's transformation is NONE. */
  readonly input?: unknown
}

export interface FailedMapResult {
  /** PENDING: the Map ended before the child was started. */
  readonly status: 'FAILED' | 'PENDING'
  readonly input: unknown
  /** Missing where the child was stopped. */
  readonly error?: string | undefined
  readonly cause?: string | undefined
}

/** What a Distributed Map with a ResultWriter leaves in the state's payload. */
export interface MapResults {
  readonly MapRunArn: string
  readonly ResultWriterDetails: { readonly Bucket: string; readonly Key: string }
}

export const mapResultsSchema: z.ZodMiniType<MapResults, MapResults> = /* @__PURE__ */ z.object({
  MapRunArn: z.string(),
  ResultWriterDetails: z.object({
    Bucket: z.string().check(z.minLength(1)),
    Key: z.string().check(z.minLength(1)),
  }),
})

const files = /* @__PURE__ */ z._default(z.array(z.object({ Key: z.string() })), [])
const manifestSchema = /* @__PURE__ */ z.object({
  ResultFiles: z.object({ SUCCEEDED: files, FAILED: files, PENDING: files }),
})
const failedSchema = /* @__PURE__ */ z.object({
  Input: z.optional(z.string()),
  Error: z.optional(z.string()),
  Cause: z.optional(z.string()),
})
const succeededSchema = /* @__PURE__ */ z.object({
  ExecutionArn: z.string(),
  StateMachineArn: z.string(),
  Status: z.literal('SUCCEEDED'),
  Input: z.optional(z.string()),
  Output: z.string(),
})

/**
 * The children's results, from the files that a ResultWriter wrote (any transformation, JSON or JSONL): those that
 * succeeded, then those that failed, then those that never began. A Map of any size needs the memory of one result.
 * @param manifestKey `ResultWriterDetails.Key` of the Map's result
 * @throws DataValidationError, code `MAP_RESULT`, if a file is not what a ResultWriter writes
 */
export async function* readMapResults(
  store: Pick<ObjectStore, 'get'>,
  manifestKey: string,
  { signal }: CallOptions = {},
): AsyncGenerator<MapResult> {
  const text = await readText(await store.get(manifestKey, { signal }))
  const { ResultFiles } = parse(manifestKey, () => manifestSchema.parse(JSON.parse(text)))
  for (const status of ['SUCCEEDED', 'FAILED', 'PENDING'] as const) {
    const toResult = status === 'SUCCEEDED' ? toSucceeded : (value: unknown) => toFailed(value, status)
    for (const { Key } of ResultFiles[status]) {
      for await (const json of readValues(store, Key, signal)) {
        yield parse(Key, () => toResult(JSON.parse(json)))
      }
    }
  }
}

async function* readValues(
  store: Pick<ObjectStore, 'get'>,
  key: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const { body } = await store.get(key, { signal })
  try {
    yield* key.endsWith('.jsonl') ? readLines(body) : readElements(body)
  } catch (error) {
    throw isTaskError(error, DataValidationError) ? notAResult(key, error) : error
  }
}

function toSucceeded(value: unknown): MapResult {
  // Without a transformation the file holds records of executions, else the children's outputs as they are.
  const record = succeededSchema.safeParse(value)
  if (!record.success) return { status: 'SUCCEEDED', output: value }
  const { Input, Output } = record.data
  return {
    status: 'SUCCEEDED',
    output: JSON.parse(Output),
    ...(Input !== undefined && { input: JSON.parse(Input) }),
  }
}

function toFailed(value: unknown, status: 'FAILED' | 'PENDING'): MapResult {
  const { Input = 'null', Error: error, Cause: cause } = failedSchema.parse(value)
  return { status, input: JSON.parse(Input), error, cause }
}

function parse<T>(key: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw notAResult(key, error)
  }
}

function notAResult(key: string, cause: unknown): DataValidationError {
  const reason = isTaskError(cause) ? `: ${cause.message}` : ''
  return new DataValidationError(`${key} does not hold results of a Map${reason}`, {
    code: 'MAP_RESULT',
    details: { key },
    cause,
  })
}
