import type { AuditEntry } from '../audit-entry.ts'
import { blockProblem } from '../audit-problem.ts'
import type { EntryQuery } from '../audit-store.ts'
import { firstItemOf, type PackRecord } from './pack-record.ts'
import { decompressText } from './pack-text.ts'
import { compareEntries, type PackedEntry, parseLine, parseLineHead } from './packed-entry.ts'

/** A block that was read in part. */
interface Open {
  readonly pack: PackRecord
  readonly entries: readonly Omit<PackedEntry, 'timestamp'>[]
  at: number
}

/**
 * The entries of blocks, by item and attempt. Blocks come in the order of their first items; those whose items
 * overlap are held at the same time.
 * @throws AuditVerificationError at a block or line that cannot be read
 */
export async function* readPackedEntries(
  packs: AsyncIterable<PackRecord>,
  query: EntryQuery,
): AsyncGenerator<AuditEntry> {
  let open: Open[] = []
  function* entriesBefore(item: number): Generator<AuditEntry> {
    for (;;) {
      const least = leastOf(open)
      const entry = least?.entries[least.at]
      if (least === undefined || entry === undefined || entry.itemIndex >= item) return
      least.at += 1
      if (least.at === least.entries.length) open = open.filter(one => one !== least)
      yield toEntry(least.pack, entry.line)
    }
  }
  for await (const pack of packs) {
    yield* entriesBefore(firstItemOf(pack))
    const entries = await readLines(pack, query)
    if (entries.length > 0) open.push({ pack, entries, at: 0 })
  }
  yield* entriesBefore(Number.POSITIVE_INFINITY)
}

function leastOf(open: readonly Open[]): Open | undefined {
  let least = open[0]
  for (const one of open) {
    const [a, b] = [one.entries[one.at], least?.entries[least.at]]
    if (a && b && compareEntries(a, b) < 0) least = one
  }
  return least
}

async function readLines(pack: PackRecord, { itemIndex, logType }: EntryQuery): Promise<Open['entries']> {
  const text = await decompressText(pack.body)
  if (text === undefined) throw unreadable(pack)
  return text
    .toString()
    .split('\n')
    .map(line => {
      const head = parseLineHead(line)
      if (head === undefined) throw unreadable(pack)
      return { ...head, line }
    })
    .filter(
      entry =>
        (itemIndex === undefined || entry.itemIndex === itemIndex) &&
        (logType === undefined || entry.logType === logType),
    )
}

function toEntry(pack: PackRecord, line: string): AuditEntry {
  const entry = parseLine(pack.executionId, line)
  if (entry === undefined) throw unreadable(pack)
  return entry
}

function unreadable({ writer, first }: PackRecord): Error {
  return blockProblem('changed', { writer, sequence: first }, 'holds what cannot be read')
}
