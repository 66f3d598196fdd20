import type { AuditEntry } from './audit-entry.ts'
import { entryProblem } from './audit-problem.ts'
import type { AuditStore, EntryQuery } from './audit-store.ts'
import { toAuditEntry } from './records.ts'

/** @throws AuditVerificationError at one that cannot be read */
export async function* readSingleEntries(
  store: Pick<AuditStore, 'readEntries'>,
  query: EntryQuery,
): AsyncGenerator<AuditEntry> {
  for await (const record of store.readEntries(query)) {
    const entry = toAuditEntry(record)
    if (entry === undefined) throw entryProblem('changed', record, 'cannot be read')
    yield entry
  }
}
