import { type Appending, type AppendingOptions, createWriters } from './appending.ts'
import type { NewAuditEntry } from './audit-entry.ts'
import { createChainWriter } from './chain-writer.ts'
import { forEachBounded } from './for-each-bounded.ts'
import { oneByOne } from './one-by-one.ts'
import { toEntryRecord } from './records.ts'

/** Each entry is an item of its own, which a block commits. */
export function appendSingly({
  store,
  keys,
  blockSize,
  ttlSeconds,
  newWriter,
  toSafe,
}: AppendingOptions): Appending {
  const writerOf = createWriters(executionId =>
    createChainWriter({ store, keys, executionId, writer: newWriter(), blockSize }),
  )

  async function append(given: NewAuditEntry): Promise<void> {
    const { entry, fields } = toSafe(given)
    const key = await keys.current()
    await writerOf(entry.executionId).append(toEntryRecord(entry, fields, key, ttlSeconds))
  }

  return {
    append,
    // While one block is added, the next one's entries are stored, and those of a third are made ready.
    appendAll: all =>
      forEachBounded(oneByOne(all), { limit: blockSize * 3, refillAt: blockSize * 2 }, append),
  }
}
