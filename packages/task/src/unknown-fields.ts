/** The paths of fields that are in a value but not in what its schema made of it. */
export function findUnknownFields(given: unknown, parsed: unknown, path = ''): string[] {
  if (Array.isArray(given) && Array.isArray(parsed)) {
    return given.flatMap((item, index) => findUnknownFields(item, parsed[index], join(path, String(index))))
  }
  if (!isRecord(given) || !isRecord(parsed)) return []
  return Object.keys(given).flatMap(key =>
    Object.hasOwn(parsed, key)
      ? findUnknownFields(given[key], parsed[key], join(path, key))
      : [join(path, key)],
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
