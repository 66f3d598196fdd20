const maxPathLength = 200

/** The paths of the first fields that are in a value but not in what its schema made of it. */
export function findUnknownFields(given: unknown, parsed: unknown, max: number): readonly string[] {
  const found: string[] = []
  collect(given, parsed, [], found, max)
  return found
}

function collect(
  given: unknown,
  parsed: unknown,
  path: readonly string[],
  found: string[],
  max: number,
): void {
  if (given === parsed || !isObject(given) || !isObject(parsed)) return
  for (const [key, value] of Object.entries(given)) {
    if (found.length === max) return
    const inner = [...path, key]
    if (Object.hasOwn(parsed, key)) collect(value, parsed[key], inner, found, max)
    // A schema may leave out items of a list.
    else if (!Array.isArray(given)) found.push(inner.join('.').slice(0, maxPathLength))
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
