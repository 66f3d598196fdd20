import type { ErrorKind } from './task-error.ts'

const matchable = /^(?!States\.|Error$|\s)[^\p{Cc}]{1,256}(?<!\s)$/u

/**
 * Refuses a name that a state machine could not tell apart: an empty or invisible one, the reserved
 * `States.` prefix, `Error` (every plain error's), and one that already has the other kind.
 */
export function claimName(name: string, kind: ErrorKind): void {
  const other = claimedNames().get(name)
  const problem = !matchable.test(name)
    ? 'cannot be matched: use 1 to 256 visible characters, not "Error", not "States.…"'
    : other !== undefined && other !== kind && `is already declared as ${other}`
  if (problem) throw new TypeError(`error name ${JSON.stringify(name)} ${problem}`)
  claimedNames().set(name, kind)
}

/** Shared by all copies of this package in the process: a name means one thing in a state machine. */
function claimedNames(): Map<string, ErrorKind> {
  const shared = globalThis as { [key: symbol]: Map<string, ErrorKind> | undefined }
  const key = Symbol.for('@stepwright/error-names')
  shared[key] ??= new Map()
  return shared[key]
}
