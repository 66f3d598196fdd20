/** What a value of a key is sorted by; undefined for NULL, which equals nothing. */
export type Key = string | number | bigint | undefined

/** Only the sink knows which keys are equal to this one. */
export const unknownKey: unique symbol = Symbol('unknown key')

/**
 * The form of a value that is the same for all values which the sink takes for the same key, however they are
 * spelled. Different keys may share a form, as long as equal ones do.
 */
export type ToKey = (value: unknown) => Key | typeof unknownKey

/** The key forms of a sink's columns. */
export type KeyForms = (column: string) => ToKey

/** For sinks that take values for the same if their texts are. */
export const textKeys: KeyForms = () => toTextKey

function toTextKey(value: unknown): Key | typeof unknownKey {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  if (value instanceof Date) return value.getTime()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  if (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol') return unknownKey
  const text = String(value)
  return /^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text
}
