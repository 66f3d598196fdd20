/**
 * JSON as a database can keep it: PostgreSQL refuses NUL and halves of surrogate pairs, which a model's output
 * may contain; they become U+FFFD.
 */
export function toStoredJson(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null'
  // An escaped backslash is matched to step over it: what follows it is text.
  return json.replace(/\\(?:\\|u0000|ud[89a-f][\da-f]{2})/g, found => (found === '\\\\' ? found : '\\ufffd'))
}

/** The value as it comes back from a store. */
export function asStored(value: unknown): unknown {
  return JSON.parse(toStoredJson(value))
}
