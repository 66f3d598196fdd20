import { stringifyStrictly } from './strict-json.ts'

export { stringifyStrictly } from './strict-json.ts'

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
 * The JSON text of a value; undefined for undefined.
 * @throws NotCanonicalError for what JSON would change or drop silently, as `stringifyStrictly` says
 */
export function stringifyJson(value: unknown): string | undefined {
  return stringifyStrictly(value, (what, path) => new NotCanonicalError(what, path))
}

/**
 * The one JSON text of a value (RFC 8785): members in the order of their names' UTF-16 code units, no spaces,
 * numbers and strings as ECMAScript writes them. As in `JSON.stringify`, `toJSON` is honoured and undefined
 * members are left out, so that a value has the same text before and after it crossed a JSON boundary.
 * @throws NotCanonicalError for everything that `stringifyJson` refuses, for what is too deep, and for undefined and lone surrogates
 */
export function canonicalJson(value: unknown): string {
  try {
    const json = stringifyJson(value)
    if (json === undefined) throw new NotCanonicalError('undefined', '$')
    return write(JSON.parse(json), '$')
  } catch (error) {
    const isTooDeep = error instanceof RangeError && error.message.startsWith('Maximum call stack')
    throw isTooDeep ? new NotCanonicalError('a value that is too deep', '$') : error
  }
}

/** Writes what `JSON.parse` gave. */
function write(value: unknown, path: string): string {
  if (typeof value === 'string') return writeString(value, path)
  if (Array.isArray(value)) return `[${value.map((item, index) => write(item, `${path}[${index}]`)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${writeString(name, path)}:${write(member, `${path}.${name}`)}`).join()}}`
}

function writeString(text: string, path: string): string {
  if (!text.isWellFormed()) throw new NotCanonicalError('a lone surrogate', path)
  return JSON.stringify(text)
}
