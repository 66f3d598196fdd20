/**
 * The JSON text of a value; undefined for undefined. JSON keeps plain objects, arrays, strings, finite numbers,
 * booleans, null, boxed primitives and whatever a `toJSON` gives; members may be undefined.
 * Throws what `toError` makes for what JSON would change or drop silently: NaN, invalid dates, BigInt, undefined in an
 * array, functions, Map, ArrayBuffer, RegExp, Error, instances of classes, and cycles. `path` is where: `$.rows[3].at`,
 * or `$` for the value itself.
 * @throws RangeError for what is too deep
 */
export function stringifyStrictly(
  value: unknown,
  toError: (what: string, path: string) => Error,
): string | undefined {
  const paths = new Map<unknown, string>()
  // `this` is the object that holds the value.
  return JSON.stringify(value, function check(this: Members, key, data: unknown) {
    const holder = paths.get(this)
    const path = holder === undefined ? '$' : holder + (Array.isArray(this) ? `[${key}]` : `.${key}`)
    const before = paths.get(data)
    // It is inside itself where it was met on the way here, and not beside it.
    const isCycle = before !== undefined && /^[.[]/.test(path.replace(before, ''))
    const wrong = isCycle ? 'a cycle' : whatIsWrong(data, this, this[key])
    if (wrong) throw toError(wrong, path)
    if (Object(data) === data) paths.set(data, path)
    return data
  })
}

type Members = Readonly<Record<string, unknown>>

/** Why JSON would not keep what a value, after its `toJSON`, is; undefined if it would. */
function whatIsWrong(data: unknown, holder: unknown, given: unknown): string | undefined {
  const tag = tagOf(data)
  if (data === undefined) return Array.isArray(holder) ? 'undefined' : undefined
  // The one toJSON that drops its value: an invalid date says null.
  if (data === null) return tagOf(given) === 'Date' ? 'an invalid date' : undefined
  if (tag === 'Number') return Number.isFinite(Number(data)) ? undefined : `${data}`
  const isKept = tag === 'Object' ? isPlain(data) : /^(String|Boolean|Array)$/.test(tag)
  return isKept ? undefined : `a value of ${data.constructor?.name ?? tag}`
}

/** `Map`, `BigInt`, `Error`: the same for boxed values, and in every realm. */
function tagOf(value: unknown): string {
  return {}.toString.call(value).slice(8, -1)
}

/** Whether it is an object literal, of this realm or another, or one without a prototype. */
function isPlain(value: unknown): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return !prototype || Object.hasOwn(prototype, 'isPrototypeOf')
}
