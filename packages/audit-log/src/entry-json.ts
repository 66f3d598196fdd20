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
    return canonicalJson(value)
  } catch {
    return toNearestJson(value)
  }
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
