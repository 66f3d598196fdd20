import type { ErrorKind } from './task-error.ts'

const matchable = /^(?!States\.|Error$|\s)[ -~\u00a1-\uffff]{1,256}(?<!\s)$/

/**
 * Refuses a name that a state machine could not tell apart: an empty or invisible one, the reserved `States.` prefix,
 * and `Error`, which every plain error has. The taxonomy's own names are not tried: a cold start would pay for it.
 */
export function refuseUnmatchable(name: string): void {
  if (!matchable.test(name)) throw new TypeError(`error "${name}" is reserved or hidden`)
}

/** Refuses a name that already has the other kind. */
export function claimName(name: string, kind: ErrorKind): void {
  // On the global object, for all copies of this package in the process: a name has one meaning.
  const meanings = globalThis as { [key: symbol]: ErrorKind | undefined }
  const key = Symbol.for(`@stepwright/error ${name}`)
  meanings[key] ??= kind
  if (meanings[key] !== kind) throw new TypeError(`error "${name}" is already ${meanings[key]}`)
}
