/** The value has no canonical JSON: a key made from it would not mean the same tomorrow. */
export class NotCanonicalError extends TypeError {
  override readonly name = 'NotCanonicalError'
}

/**
 * The one JSON text of a value (RFC 8785): members in the order of their names' UTF-16 code units, no spaces,
 * numbers and strings as ECMAScript writes them. As in `JSON.stringify`, `toJSON` is honoured and undefined
 * members are left out, so that a value has the same text before and after it crossed a JSON boundary.
 * @throws NotCanonicalError for what JSON would change or drop silently: NaN, Infinity, BigInt, Map, Set,
 * typed arrays, functions, symbols, lone surrogates, cycles
 */
export function canonicalJson(value: unknown): string {
  const text = write(value, '', [])
  if (text === undefined) throw new NotCanonicalError('undefined has no canonical JSON')
  return text
}

function write(given: unknown, name: string, parents: readonly object[]): string | undefined {
  const value = hasToJson(given) ? given.toJSON(name) : given
  switch (typeof value) {
    case 'undefined':
      return undefined
    case 'boolean':
      return String(value)
    case 'string':
      return writeString(value, parents)
    case 'number':
      if (!Number.isFinite(value)) throw refusal(String(value), parents)
      return JSON.stringify(value)
    case 'object':
      return value === null ? 'null' : writeObject(value, parents)
    default:
      throw refusal(`a ${typeof value}`, parents)
  }
}

function writeString(value: string, parents: readonly object[]): string {
  if (!value.isWellFormed()) throw refusal('a lone surrogate', parents)
  return JSON.stringify(value)
}

function writeObject(value: object, parents: readonly object[]): string {
  if (parents.includes(value)) throw refusal('a cycle', parents)
  const within = [...parents, value]
  if (Array.isArray(value)) {
    return `[${Array.from(value, (each, index) => write(each, String(index), within) ?? 'null').join(',')}]`
  }
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value) || value instanceof Promise) {
    throw refusal(`a ${value.constructor.name}`, parents)
  }
  const members = Object.keys(value)
    .sort()
    .flatMap(name => {
      const text = write((value as Record<string, unknown>)[name], name, within)
      return text === undefined ? [] : [`${writeString(name, within)}:${text}`]
    })
  return `{${members.join(',')}}`
}

function hasToJson(value: unknown): value is { toJSON(name: string): unknown } {
  return typeof (value as { toJSON?: unknown } | null | undefined)?.toJSON === 'function'
}

function refusal(what: string, parents: readonly object[]): NotCanonicalError {
  const depth = parents.length === 0 ? '' : `, ${parents.length} level${parents.length > 1 ? 's' : ''} deep`
  return new NotCanonicalError(`${what}${depth} has no canonical JSON`)
}
