import { ConflictError, isTaskError, NotFoundError } from '@stepwright/errors'
import { type CallOptions, type ObjectStore, readText } from '@stepwright/object-store'
import * as z from 'zod/mini'

export interface JsonObject<T> {
  readonly value: T
  readonly etag: string
}

/**
 * A small object as its schema reads it; undefined where there is none.
 * @throws TypeError, which says nothing of its content, for one that does not fit
 */
export async function readJson<Schema extends z.core.$ZodType>(
  store: ObjectStore,
  key: string,
  schema: Schema,
  options: CallOptions,
): Promise<JsonObject<z.output<Schema>> | undefined> {
  const found = await store.get(key, options).catch(error => {
    if (!isTaskError(error, NotFoundError)) throw error
  })
  if (found === undefined) return undefined
  const text = await readText(found)
  const result = z.safeParse(schema, parseJson(text))
  if (result.success) return { value: result.data, etag: found.etag }
  throw new TypeError(`the object ${key} must be as it was written, and is not`)
}

/** Whether the object was stored: not where another has been since it was read. */
export async function replaceJson(
  store: ObjectStore,
  key: string,
  value: unknown,
  before: { readonly etag: string } | undefined,
  options: CallOptions,
): Promise<boolean> {
  const condition = before ? { ifMatch: before.etag } : { ifNoneMatch: '*' as const }
  try {
    await store.put(key, JSON.stringify(value), {
      contentType: 'application/json',
      ...condition,
      ...options,
    })
    return true
  } catch (error) {
    // An object that was deleted since is as different as one that was changed.
    if (isTaskError(error, ConflictError) || isTaskError(error, NotFoundError)) return false
    throw error
  }
}

/** Undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
