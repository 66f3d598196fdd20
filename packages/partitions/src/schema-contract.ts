import { createHash } from 'node:crypto'
import { DataValidationError, isTaskError, SCHEMA_CHECK_FAILED } from '@stepwright/errors'
import { canonicalJson } from '@stepwright/errors/json'
import * as z from 'zod/mini'
import type { JsonObjects, ObjectOptions, Replaceable } from './json-objects.ts'

/** A column of a table. Types are named as Spark and the Glue catalog do: `bigint`, `struct<a:string>`. */
export interface Column {
  name: string
  type: string
}

/** The columns of a table, and a hash of them: what two states of a schema are compared by. */
export interface SchemaFingerprint {
  hash: string
  columns: Column[]
}

const schemaFingerprint = z.object({
  hash: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
})

/** Undefined if there is none. @throws SCHEMA_CHECK_FAILED for one that is not of its columns, or cannot be read */
export async function readFingerprint(
  objects: Pick<JsonObjects, 'read'>,
  key: string,
  options: ObjectOptions = {},
): Promise<Replaceable<SchemaFingerprint> | undefined> {
  const found = await objects.read(key, schemaFingerprint, options).catch(cause => {
    const isDamaged = isTaskError(cause, DataValidationError)
    const why = isDamaged ? 'must be as it was written, and is not' : 'could not be read'
    throw new SCHEMA_CHECK_FAILED(`the fingerprint ${key} ${why}`, { cause })
  })
  if (found === undefined || found.value.hash === schemaHash(found.value.columns)) return found
  throw new SCHEMA_CHECK_FAILED(`the hash of the fingerprint ${key} must be that of its columns, and is not`)
}

/** The same for the same columns, in whatever order they came. */
export function schemaHash(columns: readonly Column[]): string {
  const sorted = columns.map(({ name, type }) => ({ name, type })).toSorted(byName)
  return createHash('sha256').update(canonicalJson(sorted)).digest('hex')
}

export interface SchemaDiff {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly retyped: readonly string[]
}

/** `["price double"]`, or for types that changed `["price: bigint → double"]`. */
export function diffSchemas(before: readonly Column[], after: readonly Column[]): SchemaDiff {
  const old = new Map(before.map(({ name, type }) => [name, type]))
  const kept = new Set(after.map(({ name }) => name))
  const sorted = after.toSorted(byName)
  return {
    added: sorted.filter(({ name }) => !old.has(name)).map(({ name, type }) => `${name} ${type}`),
    removed: before.toSorted(byName).flatMap(({ name, type }) => (kept.has(name) ? [] : [`${name} ${type}`])),
    retyped: sorted.flatMap(({ name, type }) => {
      const was = old.get(name)
      return was === undefined || was === type ? [] : [`${name}: ${was} → ${type}`]
    }),
  }
}

function byName(a: Column, b: Column): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
