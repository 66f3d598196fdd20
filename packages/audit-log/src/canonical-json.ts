import { DataValidationError } from '@stepwright/errors'

/**
 * What `JSON.stringify` gives, with keys in order: the same for equal values, so that an entry that is written
 * twice is one entry. `undefined` where JSON has nothing for the value.
 * @throws DataValidationError for a BigInt or a circular value
 */
export function canonicalJson(value: unknown): string | undefined {
  try {
    return write(value, '')
  } catch (cause) {
    const reason = cause instanceof RangeError ? 'circular, or too deep' : (cause as Error).message
    throw new DataValidationError(`not JSON: ${reason}`, { cause })
  }
}

function write(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return write(toJSON.call(value, key), key)
  if (Array.isArray(value))
    return `[${value.map((item, index) => write(item, String(index)) ?? 'null').join()}]`
  // Boxed primitives are what they hold.
  if (value instanceof Number || value instanceof String || value instanceof Boolean)
    return JSON.stringify(value)
  let members = ''
  for (const name of Object.keys(value).sort()) {
    const json = write((value as Record<string, unknown>)[name], name)
    if (json !== undefined) members += `${members && ','}${JSON.stringify(name)}:${json}`
  }
  return `{${members}}`
}
