/** The keys and indexes that lead from the root of a document to a value. */
export type Pointer = readonly (string | number)[]

/** The pointer with one key more, or two. A spread would leave room for sixteen, and pointers are most of what a check makes. */
export function under(pointer: Pointer, key: string | number, inner?: string | number): Pointer {
  const { length } = pointer
  const made = new Array<string | number>(length + (inner === undefined ? 1 : 2))
  for (let index = 0; index < length; index += 1) made[index] = pointer[index] as string | number
  made[length] = key
  if (inner !== undefined) made[length + 1] = inner
  return made
}

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
