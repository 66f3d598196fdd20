import type { StandardSchemaV1 } from '@standard-schema/spec'
import { ConflictError, DataValidationError, isTaskError, NotFoundError } from '@stepwright/errors'
import type { CallOptions, ObjectStore } from './object-store.ts'
import { readText } from './read-body.ts'

/** A small object of JSON, and what it takes to replace this very state of it. */
export interface StoredJson<Value> {
  readonly value: Value
  readonly etag: string
}

/**
 * A small object as its schema reads it; undefined if there is none.
 * @throws DataValidationError (`JSON_OBJECT`), which says nothing of its content, if it does not fit the schema
 */
export async function readJson<Value>(
  store: Pick<ObjectStore, 'get'>,
  key: string,
  schema: StandardSchemaV1<unknown, Value>,
  options: CallOptions = {},
): Promise<StoredJson<Value> | undefined> {
  const found = await store.get(key, options).catch(error => {
    if (!isTaskError(error, NotFoundError)) throw error
  })
  if (found === undefined) return undefined
  const result = await schema['~standard'].validate(parseJson(await readText(found)))
  if (result.issues === undefined) return { value: result.value, etag: found.etag }
  const place =
    result.issues[0]?.path?.map(step => (typeof step === 'object' ? step.key : step)).join('.') ?? ''
  throw new DataValidationError(`the object ${key} is not what its schema says`, {
    code: 'JSON_OBJECT',
    details: { key, place },
  })
}

/** Stores an object unless it was replaced, created or deleted since it was read; false if so. */
export async function replaceJson(
  store: Pick<ObjectStore, 'put'>,
  key: string,
  value: unknown,
  before: { readonly etag: string } | undefined,
  options: CallOptions = {},
): Promise<boolean> {
  const condition = before ? { ifMatch: before.etag } : { ifNoneMatch: '*' as const }
  try {
    await store.put(key, JSON.stringify(value), { contentType: 'application/json', ...condition, ...options })
    return true
  } catch (error) {
    if (isTaskError(error, ConflictError) || isTaskError(error, NotFoundError)) return false
    throw error
  }
}

/** Undefined for text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
