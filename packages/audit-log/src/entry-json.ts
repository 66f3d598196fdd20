import { DataValidationError } from '@stepwright/errors'
import { canonicalJson, NotCanonicalError, stringifyJson } from '@stepwright/errors/json'

/**
 * The value as its one canonical text (RFC 8785): the same for equal values, so that an entry that is written twice
 * is one entry. Halves of surrogate pairs, which no UTF-8 has, become U+FFFD: they come from users' data, and a trail
 * that refused them would be of no use. `undefined` for undefined.
 * @throws DataValidationError for what JSON would change or drop, see `stringifyJson`
 */
export function toEntryJson(value: unknown): string | undefined {
  if (value === undefined) return undefined
  // Halves of surrogate pairs are written as escapes of this form; so are backslashes before such a text.
  const json = isSorted(value, 0) ? JSON.stringify(value) : undefined
  return json === undefined || json.includes('\\ud') ? toCanonical(value) : json
}

/** Deeper than most, and well within the stack. */
const maxSortedDepth = 20

/** Whether it consists of plain objects and arrays whose members are in the order of canonical JSON already. */
function isSorted(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'string' || typeof value === 'boolean' || value === null || value === undefined)
    return true
  if (typeof value !== 'object' || depth > maxSortedDepth) return false
  if (Array.isArray(value)) return isSortedArray(value, depth + 1)
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return false
  let last = ''
  for (const name in value) {
    if (name < last || !isSorted((value as Record<string, unknown>)[name], depth + 1)) return false
    last = name
  }
  return true
}

/** Undefined and holes would become null. */
function isSortedArray(items: readonly unknown[], depth: number): boolean {
  for (let index = 0; index < items.length; index += 1) {
    if (items[index] === undefined || !isSorted(items[index], depth)) return false
  }
  return true
}

function toCanonical(value: unknown): string {
  try {
    return canonicalJson(JSON.parse(withoutHalves(stringifyJson(value) as string)))
  } catch (cause) {
    if (!(cause instanceof NotCanonicalError)) throw cause
    throw new DataValidationError(`an audit entry must be JSON: ${cause.message}`, {
      code: 'NOT_JSON',
      cause,
    })
  }
}

function withoutHalves(json: string): string {
  if (!json.includes('\\ud')) return json
  // An escaped backslash is matched to step over it: what follows it is text.
  return json.replace(/\\(?:\\|ud[89a-f][\da-f]{2})/g, found => (found === '\\\\' ? found : '\ufffd'))
}
