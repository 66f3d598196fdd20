import { DataValidationError } from '@stepwright/errors'
import type { NewAuditEntries, NewAuditEntry } from './audit-entry.ts'
import type { AuditStore } from './audit-store.ts'
import { oneByOne } from './one-by-one.ts'
import { type PresentItems, readPresentItems } from './pack/present-items.ts'

/**
 * The entries whose item has none stored, of any attempt. Reads the trail once, from the first item on.
 * @throws DataValidationError if they are not of one execution, in the order of their items
 */
export async function* leaveOutPresent(
  store: Pick<AuditStore, 'readPackHeads'>,
  entries: NewAuditEntries,
): AsyncGenerator<NewAuditEntry> {
  let last: NewAuditEntry | undefined
  let present: PresentItems | undefined
  let missing = Number.NEGATIVE_INFINITY
  try {
    for await (const entry of oneByOne(entries)) {
      const { executionId, itemIndex } = entry
      if (last && (last.executionId !== executionId || last.itemIndex > itemIndex)) {
        throw new DataValidationError('audit entries must be of one execution, in the order of their items')
      }
      last = entry
      present ??= readPresentItems(store, executionId, itemIndex)
      if (missing < itemIndex) missing = await present.firstMissing(itemIndex)
      if (missing === itemIndex) yield entry
    }
  } finally {
    await present?.[Symbol.asyncDispose]()
  }
}
