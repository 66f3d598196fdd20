import { DataValidationError } from '@stepwright/errors'
import { canonicalJson } from '@stepwright/errors/json'

/**
 * What JSON makes of the value, as its one canonical text (RFC 8785): the same for equal values, so that an entry
 * that is written twice is one entry. Halves of surrogate pairs, which no UTF-8 has, become U+FFFD: a trail that
 * refused what went wrong would be of no use. `undefined` where JSON has nothing for the value.
 * @throws DataValidationError for a BigInt or a circular value
 */
export function toEntryJson(value: unknown): string | undefined {
  try {
    // Halves of surrogate pairs are written as escapes of this form; so are backslashes before such a text.
    const json = isSorted(value, 0) ? JSON.stringify(value) : undefined
    return json === undefined || json.includes('\\ud') ? canonicalJson(value) : json
  } catch {
    return toNearestJson(value)
  }
}

/** Deeper than most, and well within the stack. */
const maxSortedDepth = 20

/** Whether it consists of plain objects and arrays whose members are in the order of canonical JSON already. */
function isSorted(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'string' || typeof value === 'boolean' || value === null || value === undefined)
    return true
  if (typeof value !== 'object' || depth > maxSortedDepth) return false
  if (Array.isArray(value)) return value.every(item => isSorted(item, depth + 1))
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return false
  let last = ''
  for (const name in value) {
    if (name < last || !isSorted((value as Record<string, unknown>)[name], depth + 1)) return false
    last = name
  }
  return true
}

function toNearestJson(value: unknown): string | undefined {
  try {
    const json = JSON.stringify(value)
    return json && canonicalJson(JSON.parse(withoutHalves(json)))
  } catch (cause) {
    throw new DataValidationError(
      'an audit entry must be JSON: no BigInt, not circular, at most 1,000 deep',
      {
        code: 'NOT_JSON',
        cause,
      },
    )
  }
}

function withoutHalves(json: string): string {
  if (!json.includes('\\ud')) return json
  // An escaped backslash is matched to step over it: what follows it is text.
  return json.replace(/\\(?:\\|ud[89a-f][\da-f]{2})/g, found => (found === '\\\\' ? found : '\ufffd'))
}
