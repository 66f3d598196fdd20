import type { Json } from '../../json.ts'

/** Items come in lists: as many as one read brought, which is cheaper than one by one. */
export interface ItemChunk {
  readonly values: readonly Json[]
  /** Where they come from, as the context object says it. */
  readonly source: string
  /** Where the items are the fields of an object: their names. */
  readonly keys: readonly string[] | undefined
}

/** Every chunk is made here, so that all of them have one hidden class. */
export function createChunk(
  values: readonly Json[],
  source: string,
  keys?: readonly string[] | undefined,
): ItemChunk {
  return { values, source, keys }
}

/** The items of a list or of an object's fields; `undefined` for anything else. */
export function toChunk(value: Json | undefined, source: string): ItemChunk | undefined {
  if (Array.isArray(value)) return createChunk(value, source)
  if (typeof value !== 'object' || value === null) return undefined
  return createChunk(Object.values(value), source, Object.keys(value))
}
