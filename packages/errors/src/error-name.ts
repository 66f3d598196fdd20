import type { ErrorKind } from './task-error.ts'

const matchable = /^(?!States\.|Error$|\s)[ -~\u00a1-\uffff]{1,256}(?<!\s)$/

/**
 * Refuses a name that a state machine could not tell apart: an empty or invisible one, the reserved
 * `States.` prefix, `Error` (every plain error's), and one that already has the other kind.
 */
export function claimName(name: string, kind: ErrorKind): void {
  // On the global object, for all copies of this package in the process: a name has one meaning.
  const meanings = globalThis as { [key: symbol]: ErrorKind | undefined }
  const key = Symbol.for(`@stepwright/error ${name}`)
  meanings[key] ??= kind
  if (meanings[key] !== kind || !matchable.test(name)) {
    throw new TypeError(`error "${name}" is already ${meanings[key]}, reserved or hidden`)
  }
}
