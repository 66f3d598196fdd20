import type { StandardSchemaV1 } from '@standard-schema/spec'
import { TemporaryError } from '@stepwright/errors'

export interface ObjectOptions {
  readonly signal?: AbortSignal | undefined
}

/** An object as it was read, and what it takes to replace this very state of it. */
export interface Replaceable<Value> {
  readonly value: Value
  readonly etag: string
}

/** Small objects of JSON that are replaced only if nobody has changed them since they were read. */
export interface JsonObjects {
  /** Undefined if there is none. @throws if it does not fit the schema */
  read<Value>(
    key: string,
    schema: StandardSchemaV1<unknown, Value>,
    options?: ObjectOptions,
  ): Promise<Replaceable<Value> | undefined>
  /** False if the object was replaced, created or deleted since `before` was read; `undefined` says that there was none. */
  replace(
    key: string,
    value: unknown,
    before: { readonly etag: string } | undefined,
    options?: ObjectOptions,
  ): Promise<boolean>
}

const maxAttempts = 10

/**
 * Changes an object although others change it at the same time. `change` is called again with what is there by then;
 * if it returns the same value, nothing is stored.
 * @throws TemporaryError after ten changes by others
 */
export async function updateJson<Value>(
  objects: JsonObjects,
  key: string,
  schema: StandardSchemaV1<unknown, Value>,
  change: (current: Value | undefined) => Promise<Value> | Value,
  options: ObjectOptions = {},
): Promise<Value> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const current = await objects.read(key, schema, options)
    const next = await change(current?.value)
    if (current && JSON.stringify(next) === JSON.stringify(current.value)) return current.value
    if (await objects.replace(key, next, current, options)) return next
  }
  throw new TemporaryError(`the object ${key} was replaced again and again`)
}
