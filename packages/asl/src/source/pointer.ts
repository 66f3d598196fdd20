/** The keys and indexes that lead from the root of a document to a value. */
export type Pointer = readonly (string | number)[]

/** The pointer as RFC 6901 writes it; the root is `/`, as Step Functions writes it. */
export function formatPointer(pointer: Pointer): string {
  if (pointer.length === 0) return '/'
  let text = ''
  for (const key of pointer) text += `/${typeof key === 'string' ? escapeKey(key) : key}`
  return text
}

function escapeKey(key: string): string {
  return /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}
