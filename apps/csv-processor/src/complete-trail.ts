import type { AuditLog } from '@stepwright/audit-log'
import type { CallLimits } from '@stepwright/batch-writer'
import { toAuditEntries } from './audit-entries.ts'
import type { CsvBatch } from './csv-batch.ts'
import type { CsvProcessorPorts } from './ports.ts'
import type { ChunkFailure } from './row-outcomes.ts'

/** A batch that may have been left without entries: its child was stopped, or could not write them. */
export interface DoubtfulBatch {
  readonly batch: CsvBatch
  readonly failure: ChunkFailure
}

/** Gives every row of these batches that has no entry the one that the ledger says. Returns how many it added. */
export async function completeTrail(
  executionId: string,
  batches: readonly DoubtfulBatch[],
  timestamp: string,
  ports: Pick<CsvProcessorPorts, 'ledger' | 'storeOf' | 'audit'>,
  limits: CallLimits,
): Promise<number> {
  let added = 0
  const present = createPresence(ports.audit, executionId)
  const sorted = batches.toSorted((a, b) => firstRow(a) - firstRow(b))
  for (const { batch, failure } of sorted) {
    for (const chunk of batch.Items) {
      const known = await present(chunk.firstRow, chunk.firstRow + chunk.rowCount)
      if (known.size === chunk.rowCount) continue
      const one = { ...batch, Items: [chunk] }
      const entries = toAuditEntries(
        { executionId, batch: one, attempt: 1, timestamp, failure },
        ports,
        limits,
      )
      added += await ports.audit.appendAll(without(entries, known))
    }
  }
  return added
}

function firstRow({ batch }: DoubtfulBatch): number {
  return batch.Items[0]?.firstRow ?? 0
}

/** Which rows of ranges, asked for in ascending order, have an entry; reads the trail once. */
function createPresence(
  audit: AuditLog,
  executionId: string,
): (from: number, to: number) => Promise<ReadonlySet<number>> {
  const entries = audit.entries({ executionId })[Symbol.asyncIterator]()
  let next: number | undefined = -1
  return async (from, to) => {
    const found = new Set<number>()
    while (next !== undefined && next < to) {
      if (next >= from) found.add(next)
      const { done, value } = await entries.next()
      next = done ? undefined : value.itemIndex
    }
    return found
  }
}

async function* without<Entry extends { readonly itemIndex: number }>(
  entries: AsyncIterable<Entry>,
  known: ReadonlySet<number>,
): AsyncGenerator<Entry> {
  for await (const entry of entries) if (!known.has(entry.itemIndex)) yield entry
}
