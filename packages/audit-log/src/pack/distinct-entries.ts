import type { PackedEntry } from './packed-entry.ts'

type EntryName = Pick<PackedEntry, 'itemIndex' | 'attempt'>

/** Entries of consecutive items: attempt, first and last item. */
export type EntryRun = readonly [attempt: number, first: number, last: number]

/**
 * Counts each entry once, by item and attempt, as a reader of the trail does: two writers may have stored the same
 * one, if the first crashed before it could say so. Blocks come in the order of their first items, so only those
 * that overlap are kept.
 */
export interface DistinctEntries {
  /** How many of a block's entries, in the order of their items, are in no block before. */
  add(entries: readonly EntryName[]): number
  /** What later blocks may have again. */
  toJSON(): readonly EntryRun[]
}

export function createDistinctEntries(known: readonly EntryRun[] = []): DistinctEntries {
  let open = known.length > 0 ? [toBlock(fromRuns(known))] : []

  return {
    add(entries) {
      const first = entries[0]?.itemIndex ?? 0
      open = open.filter(({ lastItem }) => lastItem >= first)
      const fresh = entries.filter(entry => !open.some(({ names }) => names.has(toName(entry))))
      // Usually all are: then nothing is kept that cannot come again.
      if (fresh.length > 0) open.push(toBlock(fresh))
      return fresh.length
    },
    toJSON: () => toRuns(open.flatMap(({ names }) => [...names].map(parseName))),
  }
}

interface Block {
  readonly lastItem: number
  readonly names: ReadonlySet<string>
}

function toBlock(entries: readonly EntryName[]): Block {
  return { lastItem: entries.at(-1)?.itemIndex ?? 0, names: new Set(entries.map(toName)) }
}

function toName({ itemIndex, attempt }: EntryName): string {
  return `${itemIndex}#${attempt}`
}

function parseName(name: string): EntryName {
  const [itemIndex, attempt] = name.split('#').map(Number)
  return { itemIndex: itemIndex as number, attempt: attempt as number }
}

function toRuns(entries: readonly EntryName[]): EntryRun[] {
  const runs: [number, number, number][] = []
  for (const { itemIndex, attempt } of entries.toSorted(byAttempt)) {
    const last = runs.at(-1)
    if (last?.[0] === attempt && last[2] + 1 === itemIndex) last[2] = itemIndex
    else runs.push([attempt, itemIndex, itemIndex])
  }
  return runs
}

function fromRuns(runs: readonly EntryRun[]): EntryName[] {
  const entries = runs.flatMap(([attempt, first, last]) =>
    Array.from({ length: last - first + 1 }, (_, n) => ({ itemIndex: first + n, attempt })),
  )
  return entries.toSorted((a, b) => a.itemIndex - b.itemIndex)
}

function byAttempt(a: EntryName, b: EntryName): number {
  return a.attempt - b.attempt || a.itemIndex - b.itemIndex
}
