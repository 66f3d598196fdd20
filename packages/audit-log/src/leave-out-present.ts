import { DataValidationError } from '@stepwright/errors'
import type { NewAuditEntry } from './audit-entry.ts'
import type { AuditStore } from './audit-store.ts'
import { parseEntryKey } from './records.ts'

/**
 * The entries whose item has none stored, of any attempt. Reads the trail once, from the first item on.
 * @throws DataValidationError if they are not of one execution, in the order of their items
 */
export async function* leaveOutPresent(
  store: Pick<AuditStore, 'readEntryKeys'>,
  entries: Iterable<NewAuditEntry> | AsyncIterable<NewAuditEntry>,
): AsyncGenerator<NewAuditEntry> {
  let last: NewAuditEntry | undefined
  let stored: AsyncIterator<string> | undefined
  let present = Number.NEGATIVE_INFINITY
  try {
    for await (const entry of entries) {
      const { executionId, itemIndex } = entry
      if (last && (last.executionId !== executionId || last.itemIndex > itemIndex)) {
        throw new DataValidationError('audit entries must be of one execution, in the order of their items')
      }
      last = entry
      stored ??= store.readEntryKeys(executionId, { fromItem: itemIndex })[Symbol.asyncIterator]()
      while (present < itemIndex) {
        const { done, value } = await stored.next()
        present = done ? Number.POSITIVE_INFINITY : parseEntryKey(value).itemIndex
      }
      if (present !== itemIndex) yield entry
    }
  } finally {
    await stored?.return?.()
  }
}
