/** The value has no canonical JSON: a hash of it would not mean the same tomorrow. */
export class NotCanonicalError extends TypeError {
  override readonly name = 'NotCanonicalError'
}

/**
 * The one JSON text of a value (RFC 8785): members in the order of their names' UTF-16 code units, no spaces,
 * numbers and strings as ECMAScript writes them. As in `JSON.stringify`, `toJSON` is honoured and undefined
 * members are left out, so that a value has the same text before and after it crossed a JSON boundary.
 * @throws NotCanonicalError for what JSON would change or drop silently: NaN, Infinity, BigInt, Map, Set,
 * typed arrays, functions, symbols, lone surrogates, cycles; and for more than 1,000 levels
 */
export function canonicalJson(value: unknown): string {
  const text = write(value, '', [])
  if (text === undefined) throw new NotCanonicalError('undefined has no canonical JSON')
  return text
}

/** Deeper than anything meant, and well within the stack. */
const maxDepth = 1_000

function write(given: unknown, name: string, parents: object[]): string | undefined {
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

function writeObject(value: object, parents: object[]): string {
  if (parents.includes(value)) throw refusal('a cycle', parents)
  // Boxed primitives are what they hold.
  if (value instanceof Number || value instanceof String || value instanceof Boolean) {
    return write(value.valueOf(), '', parents) as string
  }
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value) || value instanceof Promise) {
    throw refusal(`a ${value.constructor.name}`, parents)
  }
  if (parents.length === maxDepth) throw refusal('a value', parents)
  parents.push(value)
  const text = Array.isArray(value) ? writeArray(value, parents) : writeMembers(value as Members, parents)
  parents.pop()
  return text
}

function writeArray(items: readonly unknown[], parents: object[]): string {
  let text = ''
  for (let index = 0; index < items.length; index += 1) {
    text += `${index === 0 ? '' : ','}${write(items[index], String(index), parents) ?? 'null'}`
  }
  return `[${text}]`
}

type Members = Readonly<Record<string, unknown>>

function writeMembers(members: Members, parents: object[]): string {
  let text = ''
  for (const name of Object.keys(members).sort()) {
    const value = write(members[name], name, parents)
    if (value !== undefined) text += `${text === '' ? '' : ','}${writeString(name, parents)}:${value}`
  }
  return `{${text}}`
}

function hasToJson(value: unknown): value is { toJSON(name: string): unknown } {
  return typeof (value as { toJSON?: unknown } | null | undefined)?.toJSON === 'function'
}

function refusal(what: string, parents: readonly object[]): NotCanonicalError {
  const depth = parents.length === 0 ? '' : `, ${parents.length} level${parents.length > 1 ? 's' : ''} deep`
  return new NotCanonicalError(`${what}${depth} has no canonical JSON`)
}
