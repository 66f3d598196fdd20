import type { Json } from '../../json.ts'

/** Items come in lists: as many as one read brought, which is cheaper than one by one. */
export interface ItemChunk {
  readonly values: readonly Json[]
  /** Where the items are the fields of an object: their names. */
  readonly keys?: readonly string[]
  /** Where they come from, as the context object says it. */
  readonly source: string
}

/** The items of a list or of an object's fields; `undefined` for anything else. */
export function toChunk(value: Json | undefined, source: string): ItemChunk | undefined {
  if (Array.isArray(value)) return { values: value, source }
  if (typeof value !== 'object' || value === null) return undefined
  return { values: Object.values(value), keys: Object.keys(value), source }
}
