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
 * The JSON text of a value; undefined for undefined. JSON keeps plain objects, arrays, strings, finite numbers,
 * booleans, null, boxed primitives and whatever a `toJSON` gives; members may be undefined.
 * @throws NotCanonicalError for what JSON would change or drop silently, such as NaN, invalid dates, BigInt, undefined
 * in an array, functions, Map, ArrayBuffer, RegExp, Error, instances of classes, and for cycles
 * @throws RangeError for what is too deep
 */
export function stringifyJson(value: unknown): string | undefined {
  const paths = new Map<unknown, string>()
  // `this` is the object that holds the value.
  return JSON.stringify(value, function check(this: Members, key, data: unknown) {
    const holder = paths.get(this)
    const path = holder === undefined ? '$' : holder + stepTo(key, this)
    const before = paths.get(data)
    // It is inside itself where it was met on the way here, and not beside it.
    const isCycle = before !== undefined && /^[.[]/.test(path.replace(before, ''))
    const wrong = isCycle ? 'a cycle' : whatIsWrong(data, this, this[key])
    if (wrong) throw new NotCanonicalError(wrong, path)
    if (Object(data) === data) paths.set(data, path)
    return data
  })
}

type Members = Readonly<Record<string, unknown>>

function stepTo(key: string, holder: unknown): string {
  return Array.isArray(holder) ? `[${key}]` : `.${key}`
}

/** Why JSON would not keep what a value, after its `toJSON`, is; undefined if it would. */
function whatIsWrong(data: unknown, holder: unknown, given: unknown): string | undefined {
  if (data === undefined) return Array.isArray(holder) ? 'undefined' : undefined
  // The one toJSON that drops its value: an invalid date says null.
  if (data === null) return {}.toString.call(given) === '[object Date]' ? 'an invalid date' : undefined
  const plain =
    data instanceof Number || data instanceof String || data instanceof Boolean ? data.valueOf() : data
  if (typeof plain === 'number') return Number.isFinite(plain) ? undefined : `${plain}`
  if (typeof plain === 'object')
    return Array.isArray(plain) || isPlain(plain as object) ? undefined : kindOf(plain as object)
  return typeof plain === 'string' || typeof plain === 'boolean' ? undefined : `a ${typeof plain}`
}

/** Whether it is an object literal, of this realm or another, or one without a prototype. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return true
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf')
}

function kindOf({ constructor: made }: object): string {
  const name = typeof made === 'function' ? made.name : ''
  if (name === '' || name === 'Object') return 'a value with a prototype of its own'
  return `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}`
}
