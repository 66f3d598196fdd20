import { missingItem } from './audit-problem.ts'
import type { PresentItems } from './pack/present-items.ts'

/** The items that must have an entry: `count` of them, from `first` on. */
export interface ItemRange {
  readonly first: number
  readonly count: number
}

/** @throws AuditVerificationError at the first item of the range that has no entry */
export async function refuseMissingItems(present: PresentItems, { first, count }: ItemRange): Promise<void> {
  const missing = await present.firstMissing(first)
  if (missing < first + count) throw missingItem(missing)
}
