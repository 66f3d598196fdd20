import { setImmediate as turn } from 'node:timers/promises'
import type { AuditKeys } from './audit-keys.ts'
import { blockProblem } from './audit-problem.ts'
import type { AuditStore } from './audit-store.ts'
import { type BlockRecord, type EntryRecord, toBlockMac } from './records.ts'

export interface ChainWriterOptions {
  readonly store: AuditStore
  readonly keys: AuditKeys
  readonly executionId: string
  /** Unique among all writers of the execution. */
  readonly writer: string
  /** How many entries one block commits at most. */
  readonly blockSize: number
}

export interface ChainWriter {
  /** Resolves when the entry is stored and committed to the chain. */
  append(entry: EntryRecord): Promise<void>
  /** Whether nothing waits to be committed. */
  readonly idle: boolean
}

interface Waiting {
  readonly entry: EntryRecord
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * One chain. Entries that arrive while a block is being written share the next one. A block is added only
 * after its entries are stored, so a crash leaves either a committed block or entries that nobody was told of.
 */
export function createChainWriter(options: ChainWriterOptions): ChainWriter {
  const { store, blockSize } = options
  const waiting: Waiting[] = []
  let running = false
  let committed: Promise<BlockRecord | undefined> = Promise.resolve(undefined)

  async function drain(): Promise<void> {
    running = true
    // Let the caller's whole burst arrive first.
    await turn()
    while (waiting.length > 0) {
      await writeGroup(waiting.splice(0, blockSize))
      // What arrives while the last block is added belongs to this run, too.
      if (waiting.length === 0) await committed
    }
    running = false
  }

  async function writeGroup(group: readonly Waiting[]): Promise<void> {
    const entries = new Map(group.map(({ entry }) => [entry.entryKey, entry]))
    try {
      await store.putEntries([...entries.values()])
    } catch (error) {
      for (const one of group) one.reject(error)
      return
    }
    // The next group's entries are stored while this block is added; blocks are added one after the other.
    const before = committed
    const added = before.then(last => addBlock(options, last, [...entries.values()]))
    committed = added.catch(() => before)
    added.then(
      () => {
        for (const one of group) one.resolve()
      },
      error => {
        for (const one of group) one.reject(error)
      },
    )
    await before
  }

  return {
    get idle() {
      return !running && waiting.length === 0
    },
    append(entry) {
      return new Promise((resolve, reject) => {
        waiting.push({ entry, resolve, reject })
        if (!running) void drain()
      })
    },
  }
}

/** Adds a block after `last`, or after whatever the chain got meanwhile: an answer of ours that was lost. */
async function addBlock(
  { store, keys, executionId, writer }: ChainWriterOptions,
  last: BlockRecord | undefined,
  entries: readonly EntryRecord[],
): Promise<BlockRecord> {
  const key = await keys.current()
  const expiries = entries.flatMap(({ expiresAt }) => expiresAt ?? [])
  for (;;) {
    const unsigned = {
      executionId,
      writer,
      number: last === undefined ? 0 : last.number + 1,
      first: last === undefined ? 0 : last.first + last.entryKeys.length,
      entryKeys: entries.map(({ entryKey }) => entryKey),
      previous: last?.mac ?? '',
      keyId: key.id,
      ...(expiries.length > 0 && { expiresAt: Math.min(...expiries) }),
    }
    const block = { ...unsigned, mac: toBlockMac(unsigned, key) }
    const stored = await store.putBlock(block)
    if (stored.mac === block.mac) return stored
    await refuseForged(stored, block, keys)
    last = stored
  }
}

async function refuseForged(stored: BlockRecord, ours: BlockRecord, keys: AuditKeys): Promise<void> {
  const key = await keys.find(stored.keyId)
  const genuine =
    key !== undefined && toBlockMac(stored, key) === stored.mac && stored.previous === ours.previous
  if (genuine) return
  throw blockProblem(
    'changed',
    { writer: ours.writer, sequence: ours.first },
    'holds a block that is not genuine',
  )
}
