import { randomBytes } from 'node:crypto'
import { type AuditEntry, type AuditFields, completeEntry, type NewAuditEntry } from './audit-entry.ts'
import type { AuditKeys } from './audit-keys.ts'
import { entryProblem } from './audit-problem.ts'
import type { AuditStore, EntryQuery, SealStore } from './audit-store.ts'
import { type ChainWriter, createChainWriter } from './chain-writer.ts'
import { forEachBounded } from './for-each-bounded.ts'
import { leaveOutPresent } from './leave-out-present.ts'
import { identityOf, type SealRecord, toAuditEntry, toEntryRecord } from './records.ts'
import type { Redactor } from './redact.ts'
import { type SealOptions, sealExecution } from './seal-execution.ts'
import { type VerifyOptions, type VerifyResult, verifyExecution } from './verify-execution.ts'

export interface AuditLogOptions {
  readonly store: AuditStore
  readonly keys: AuditKeys
  /** Where seals are kept. Better where those who write entries cannot write. @default store */
  readonly seals?: SealStore
  /** To sign seals with, for the role that seals alone. Others need none. @default keys */
  readonly sealKeys?: AuditKeys
  /** Applied to `{ userRecord, processResult, error }` before anything is stored. @default nothing is hidden */
  readonly redact?: Redactor
  /** How long after its timestamp an entry is kept. @default for ever */
  readonly ttlSeconds?: number
  /** How many entries are committed together, at most: from 1 to 5000. @default 250 */
  readonly blockSize?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** A name that no other writer has. @default 12 random bytes */
  readonly newWriter?: () => string
}

export interface AuditLog {
  /**
   * Resolves when the entry is stored and committed to this process's chain. The same entry again, by
   * execution, item and attempt, is read as one.
   */
  append(entry: NewAuditEntry): Promise<void>
  /** Appends all, a bounded number at a time, and returns how many. */
  appendAll(entries: Iterable<NewAuditEntry> | AsyncIterable<NewAuditEntry>): Promise<number>
  /**
   * Appends those whose item has no entry yet, of any attempt, and returns how many. They must be of one execution,
   * in the order of their items.
   */
  appendMissing(entries: Iterable<NewAuditEntry> | AsyncIterable<NewAuditEntry>): Promise<number>
  /** Each execution, item and attempt once, in this order. */
  entries(query: EntryQuery): AsyncIterable<AuditEntry>
  /** The same as JSON Lines: one line an entry, each with its line feed. */
  exportLines(query: EntryQuery): AsyncIterable<string>
  /**
   * Call it when all writers are done: from then on, missing ends are found, too. What a writer that died left in no
   * block is committed first; with `items`, nothing is sealed as long as one of them has no entry.
   */
  seal(executionId: string, options?: SealOptions): Promise<SealRecord>
  verify(executionId: string, options?: VerifyOptions): Promise<VerifyResult>
}

const maxWriters = 100
/** A block lists the keys of its entries, and must fit into an item of DynamoDB. */
const maxBlockSize = 5000

export function createAuditLog({
  store,
  keys,
  seals = store,
  sealKeys = keys,
  redact = value => value,
  ttlSeconds,
  blockSize = 250,
  now = Date.now,
  newWriter = () => randomBytes(12).toString('base64url'),
}: AuditLogOptions): AuditLog {
  if (!(Number.isInteger(blockSize) && blockSize >= 1 && blockSize <= maxBlockSize)) {
    throw new TypeError(`blockSize must be a whole number from 1 to ${maxBlockSize}`)
  }
  if (ttlSeconds !== undefined && !(Number.isInteger(ttlSeconds) && ttlSeconds > 0)) {
    throw new TypeError('ttlSeconds must be a whole number from 1 on')
  }
  const writers = new Map<string, ChainWriter>()
  const trail = { store, seals, keys, sealKeys, blockSize, now, newWriter }

  function writerOf(executionId: string): ChainWriter {
    const writer =
      writers.get(executionId) ??
      createChainWriter({ store, keys, executionId, writer: newWriter(), blockSize })
    // Last used is last in the map.
    writers.delete(executionId)
    writers.set(executionId, writer)
    for (const [id, { idle }] of writers) {
      if (writers.size <= maxWriters) break
      if (idle) writers.delete(id)
    }
    return writer
  }

  async function append(given: NewAuditEntry): Promise<void> {
    const entry = completeEntry(given, now())
    const { userRecord, processResult, error } = entry
    const fields = redact({ userRecord, processResult, error }) as AuditFields
    const key = await keys.current()
    await writerOf(entry.executionId).append(toEntryRecord(entry, fields, key, ttlSeconds))
  }

  async function* entries(query: EntryQuery): AsyncGenerator<AuditEntry> {
    let held: { readonly identity: string; readonly entry: AuditEntry } | undefined
    for await (const record of store.readEntries(query)) {
      const identity = identityOf(record)
      const entry = toAuditEntry(record)
      if (entry === undefined) throw entryProblem('changed', record, 'cannot be read')
      const isRepeated = held?.identity === identity
      if (held && !isRepeated) yield held.entry
      // Of two that say different things, the first one said counts.
      if (!held || !isRepeated || entry.timestamp < held.entry.timestamp) held = { identity, entry }
    }
    if (held) yield held.entry
  }

  // While one block is added, the next one's entries are stored, and those of a third are made ready.
  const appendAll: AuditLog['appendAll'] = all =>
    forEachBounded(all, { limit: blockSize * 3, refillAt: blockSize * 2 }, append)

  return {
    append,
    appendAll,
    appendMissing: all => appendAll(leaveOutPresent(store, all)),
    entries,
    async *exportLines(query) {
      for await (const entry of entries(query)) yield `${JSON.stringify(entry)}\n`
    },
    seal: (executionId, options) => sealExecution(trail, executionId, options),
    verify: (executionId, options) => verifyExecution(trail, executionId, options),
  }
}
