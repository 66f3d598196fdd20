/** PostgreSQL's jsonb takes neither NUL nor half a surrogate pair, both of which broken files bring. */
export function toJson(value: unknown): string {
  return JSON.stringify(storable(value))
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd')
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [storable(key), storable(field)]))
}
