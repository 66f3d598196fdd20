import { AuditVerificationError } from './errors.ts'
import { parseEntryKey } from './records.ts'

export type AuditProblemKind =
  /** Not what was written. */
  | 'changed'
  | 'missing'
  /** In another's place. */
  | 'reordered'
  /** The end of a chain is missing. */
  | 'truncated'
  /** There is no seal: it was never made, or deleted. */
  | 'unsealed'
  /** Its key is not known, so nothing can be said. */
  | 'unknown-key'
  /** Sealed before all entries were written. */
  | 'early'
  /** Written after the last seal: genuine, but nothing says that they are all. */
  | 'late'
  /** The retention has ended, so entries may have been deleted rightly. */
  | 'expired'

/** The first thing that is wrong with a trail. */
export interface AuditProblem {
  readonly kind: AuditProblemKind
  readonly record: 'entry' | 'block' | 'seal'
  readonly message: string
  /** Whose chain. */
  readonly writer?: string
  /** Which entry of that chain, from 0: for a block, its first. */
  readonly sequence?: number
  readonly itemIndex?: number
  readonly attempt?: number
}

export interface EntryPlace {
  readonly writer: string
  readonly sequence: number
  readonly entryKey: string
}

export function entryProblem(
  kind: AuditProblemKind,
  place: EntryPlace,
  what: string,
): AuditVerificationError {
  const { itemIndex, attempt } = parseEntryKey(place.entryKey)
  const { writer, sequence } = place
  return toError({
    kind,
    record: 'entry',
    message: `the entry of item ${itemIndex}, attempt ${attempt} (entry ${sequence} of writer ${writer}) ${what}`,
    writer,
    sequence,
    itemIndex,
    attempt,
  })
}

export function missingItem(itemIndex: number): AuditVerificationError {
  return toError({ kind: 'missing', record: 'entry', message: `item ${itemIndex} has no entry`, itemIndex })
}

export function blockProblem(
  kind: AuditProblemKind,
  { writer, sequence }: { readonly writer: string; readonly sequence: number },
  what: string,
): AuditVerificationError {
  const message = `the chain of writer ${writer} ${what}, from its entry ${sequence} on`
  return toError({ kind, record: 'block', message, writer, sequence })
}

export function sealProblem(kind: AuditProblemKind, what: string): AuditVerificationError {
  return toError({ kind, record: 'seal', message: `the seal ${what}` })
}

export function problemOf(error: AuditVerificationError): AuditProblem {
  return error.details?.['problem'] as AuditProblem
}

function toError(problem: AuditProblem): AuditVerificationError {
  return new AuditVerificationError(problem.message, { code: problem.kind, details: { problem } })
}
