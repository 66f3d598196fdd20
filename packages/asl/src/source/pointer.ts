/** The keys and indexes that lead from the root of a document to a value. */
export type Pointer = readonly (string | number)[]

/** The pointer as RFC 6901 writes it; the root is `/`, as Step Functions writes it. */
export function formatPointer(pointer: Pointer): string {
  return pointer.length === 0
    ? '/'
    : pointer.map(key => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
