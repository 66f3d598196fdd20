import { createHash } from 'node:crypto'
import { canonicalJson } from '@stepwright/errors/json'
import * as z from 'zod/mini'

/** Types are named as Spark and the Glue catalog do: `bigint`, `struct<a:string>`. */
export const columnSchema = z.object({ name: z.string(), type: z.string() })
export type Column = z.infer<typeof columnSchema>

/** What `_schema/latest.json` and `_schema/previous.json` hold. */
export const schemaFingerprint = z.object({
  hash: z.string(),
  columns: z.array(columnSchema),
})
export type SchemaFingerprint = z.infer<typeof schemaFingerprint>

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
