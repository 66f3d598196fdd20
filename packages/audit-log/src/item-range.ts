import { missingItem } from './audit-problem.ts'
import { parseEntryKey } from './records.ts'

/** The items that must have an entry: `count` of them, from `first` on. */
export interface ItemRange {
  readonly first: number
  readonly count: number
}

/**
 * Passes keys on, which come in order.
 * @throws AuditVerificationError at the first item of the range that has none
 */
export async function* refuseMissingItems(
  entryKeys: AsyncIterable<string>,
  { first, count }: ItemRange,
): AsyncGenerator<string> {
  const end = first + count
  let next = first
  for await (const entryKey of entryKeys) {
    const { itemIndex } = parseEntryKey(entryKey)
    if (itemIndex > next && next < end) throw missingItem(next)
    if (itemIndex === next) next += 1
    yield entryKey
  }
  if (next < end) throw missingItem(next)
}
