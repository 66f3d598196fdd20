/** The value is not data that JSON keeps as it is: a hash of it would not mean the same tomorrow. */
export class NotCanonicalError extends TypeError {
  override readonly name = 'NotCanonicalError'
  /** Where in the value: `$.rows[3].at`; `$` is the value itself. */
  readonly path: string

  constructor(what: string, path: string) {
    super(`${what}${path === '$' ? '' : ` at ${path}`} has no canonical JSON`)
    this.path = path
  }
}

/**
 * The one JSON text of a value (RFC 8785): members in the order of their names' UTF-16 code units, no spaces,
 * numbers and strings as ECMAScript writes them. As in `JSON.stringify`, `toJSON` is honoured and undefined
 * members are left out, so that a value has the same text before and after it crossed a JSON boundary.
 * @throws NotCanonicalError for everything that `assertJson` refuses, and for lone surrogates
 */
export function canonicalJson(value: unknown): string {
  const text = write(value, '', [])
  if (text === undefined) throw new NotCanonicalError('undefined', '$')
  return text
}

/**
 * Refuses what JSON would change or drop silently. JSON keeps plain objects, arrays, strings, finite numbers,
 * booleans, null, boxed primitives and whatever a `toJSON` gives; members may be undefined.
 * @throws NotCanonicalError for all else, such as NaN, invalid dates, BigInt, undefined in an array, functions, Map,
 * ArrayBuffer, RegExp, Error and instances of classes; for cycles, and for more than 1,000 levels
 */
export function assertJson(value: unknown): void {
  visit(value, '', [])
}

/** Deeper than anything meant, and well within the stack. */
const maxDepth = 1_000

/** Objects on the way to a value, each with the name under which it is found. */
type Parents = { readonly value: object; readonly name: string }[]

type Members = Readonly<Record<string, unknown>>

function write(given: unknown, name: string, parents: Parents): string | undefined {
  const value = toData(given, name, parents)
  if (typeof value === 'string') return writeString(value, name, parents)
  if (typeof value !== 'object' || value === null)
    return value === undefined ? undefined : JSON.stringify(value)
  parents.push({ value, name })
  const text = Array.isArray(value) ? writeArray(value, parents) : writeMembers(value as Members, parents)
  parents.pop()
  return text
}

function writeString(value: string, name: string, parents: Parents): string {
  if (!value.isWellFormed()) throw refusal('a lone surrogate', name, parents)
  return JSON.stringify(value)
}

function writeArray(items: readonly unknown[], parents: Parents): string {
  let text = ''
  for (let index = 0; index < items.length; index += 1) {
    text += `${index === 0 ? '' : ','}${write(items[index], String(index), parents)}`
  }
  return `[${text}]`
}

function writeMembers(members: Members, parents: Parents): string {
  let text = ''
  for (const name of Object.keys(members).sort()) {
    const value = write(members[name], name, parents)
    if (value !== undefined) text += `${text === '' ? '' : ','}${writeString(name, '', parents)}:${value}`
  }
  return `{${text}}`
}

function visit(given: unknown, name: string, parents: Parents): void {
  const value = toData(given, name, parents)
  if (typeof value !== 'object' || value === null) return
  parents.push({ value, name })
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) visit(value[index], String(index), parents)
  } else {
    for (const member of Object.keys(value)) visit((value as Members)[member], member, parents)
  }
  parents.pop()
}

/** What JSON keeps of the value: a primitive, an array or a plain object. */
function toData(given: unknown, name: string, parents: Parents): unknown {
  const value = hasToJson(given) ? keptByToJson(given, name, parents) : given
  switch (typeof value) {
    case 'undefined':
      if (Array.isArray(parents.at(-1)?.value)) throw refusal('undefined', name, parents)
      return value
    case 'boolean':
    case 'string':
      return value
    case 'number':
      if (!Number.isFinite(value)) throw refusal(String(value), name, parents)
      return value
    case 'object':
      return value === null ? null : toContainer(value, name, parents)
    default:
      throw refusal(`a ${typeof value}`, name, parents)
  }
}

function toContainer(value: object, name: string, parents: Parents): unknown {
  // Boxed primitives are what they hold.
  if (value instanceof Number || value instanceof String || value instanceof Boolean) {
    return toData(value.valueOf(), name, parents)
  }
  if (!Array.isArray(value) && !isPlain(value)) throw refusal(kindOf(value), name, parents)
  if (parents.some(parent => parent.value === value)) throw refusal('a cycle', name, parents)
  if (parents.length === maxDepth) throw refusal(`a value more than ${maxDepth} levels deep`, '', [])
  return value
}

/** Whether it is an object literal, of this realm or another, or one without a prototype. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return true
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf')
}

function kindOf(value: object): string {
  const { constructor: made } = value
  const name = typeof made === 'function' ? made.name : ''
  if (name === '' || name === 'Object') return 'a value with a prototype of its own'
  return `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}`
}

function hasToJson(value: unknown): value is { toJSON(name: string): unknown } {
  return typeof (value as { toJSON?: unknown } | null | undefined)?.toJSON === 'function'
}

function keptByToJson(given: { toJSON(name: string): unknown }, name: string, parents: Parents): unknown {
  // The one toJSON that drops its value: an invalid date says null.
  if ({}.toString.call(given) === '[object Date]' && Number.isNaN(Number(given))) {
    throw refusal('an invalid date', name, parents)
  }
  return given.toJSON(name)
}

function refusal(what: string, name: string, parents: Parents): NotCanonicalError {
  // The outermost value is in nothing, and so without a name.
  const names = [...parents.slice(1).map(parent => parent.name), ...(parents.length > 0 ? [name] : [])]
  const steps = names.map((step, depth) =>
    Array.isArray(parents[depth]?.value)
      ? `[${step}]`
      : /^[\w$]+$/.test(step)
        ? `.${step}`
        : `[${JSON.stringify(step)}]`,
  )
  return new NotCanonicalError(what, `$${steps.join('')}`)
}
