import type { AuditKeys } from './audit-keys.ts'
import { type EntryPlace, entryProblem } from './audit-problem.ts'
import type { AuditStore } from './audit-store.ts'
import { type EntryRecord, parseBody, toEntryKey } from './records.ts'

/** @throws AuditVerificationError unless the entry is what was written under its key */
export async function checkEntry(
  store: Pick<AuditStore, 'getEntries'>,
  keys: AuditKeys,
  entry: EntryRecord,
  place: EntryPlace,
): Promise<void> {
  const body = parseBody(entry)
  if (body === undefined) throw entryProblem('changed', place, 'was changed')
  const key = await keys.find(String(body.keyId))
  if (key === undefined) throw entryProblem('unknown-key', place, `is signed with unknown key ${body.keyId}`)
  const rightKey = toEntryKey(entry, body, key)
  if (rightKey === entry.entryKey) return
  const [other] = await store.getEntries(entry.executionId, [rightKey])
  const content = `holds what belongs to item ${body.itemIndex}, attempt ${body.attempt}`
  throw other ? entryProblem('reordered', place, content) : entryProblem('changed', place, 'was changed')
}
