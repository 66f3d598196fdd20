import { randomBytes } from 'node:crypto'
import { aFunction, anything, assertOptions, type OptionChecks, wholeFrom } from '@stepwright/errors/options'
import { appendPacked } from './append-packed.ts'
import type { SafeEntry } from './appending.ts'
import {
  type AuditEntry,
  type AuditFields,
  completeEntry,
  type NewAuditEntries,
  type NewAuditEntry,
} from './audit-entry.ts'
import type { AuditKeys } from './audit-keys.ts'
import type { AuditStore, EntryQuery, SealStore } from './audit-store.ts'
import { leaveOutPresent } from './leave-out-present.ts'
import { compareEntries } from './pack/packed-entry.ts'
import { readPackedEntries } from './pack/read-packed-entries.ts'
import type { SealRecord } from './records.ts'
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
  /** How many entries are committed together, at most: from 1 to 5000. @default 1000 */
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
  appendAll(entries: NewAuditEntries): Promise<number>
  /**
   * Appends those whose item has no entry yet, of any attempt, and returns how many. They must be of one execution,
   * in the order of their items.
   */
  appendMissing(entries: NewAuditEntries): Promise<number>
  /** Each execution, item and attempt once, in this order. */
  entries(query: EntryQuery): AsyncIterable<AuditEntry>
  /** The same as JSON Lines: one line an entry, each with its line feed. */
  exportLines(query: EntryQuery): AsyncIterable<string>
  /**
   * Call it when all writers are done: from then on, missing ends are found, too. With `items`, nothing is sealed as
   * long as one of them has no entry. A seal that is there already must be genuine, and nothing may have been written
   * since, unless the trail is reopened.
   */
  seal(executionId: string, options?: SealOptions): Promise<SealRecord>
  verify(executionId: string, options?: VerifyOptions): Promise<VerifyResult>
}

/** A block lists its entries, and must fit into an item of DynamoDB. */
const maxBlockSize = 5000

const optionChecks: OptionChecks = {
  store: anything,
  keys: anything,
  seals: anything,
  sealKeys: anything,
  redact: aFunction,
  ttlSeconds: wholeFrom(1, Number.MAX_SAFE_INTEGER),
  blockSize: wholeFrom(1, maxBlockSize),
  now: aFunction,
  newWriter: aFunction,
}

export function createAuditLog(options: AuditLogOptions): AuditLog {
  assertOptions('createAuditLog', options, optionChecks)
  const { store, keys, seals = store, sealKeys = keys, redact = (value: unknown) => value } = options
  const { ttlSeconds, blockSize = 1000, now = Date.now } = options
  const { newWriter = () => randomBytes(12).toString('base64url') } = options
  const trail = { store, seals, keys, sealKeys, now }
  function toSafe(given: NewAuditEntry): SafeEntry {
    const entry = completeEntry(given, now())
    const { userRecord, processResult, error } = entry
    return { entry, fields: redact({ userRecord, processResult, error }) as AuditFields }
  }

  const { append, appendAll } = appendPacked({ store, keys, blockSize, ttlSeconds, newWriter, toSafe })

  async function* entries(query: EntryQuery): AsyncGenerator<AuditEntry> {
    let held: AuditEntry | undefined
    for await (const entry of readPackedEntries(store.readPacks(query), query)) {
      const isRepeated = held !== undefined && compareEntries(held, entry) === 0
      if (held && !isRepeated) yield held
      // Of two that say different things, the first one said counts.
      if (!held || !isRepeated || entry.timestamp < held.timestamp) held = entry
    }
    if (held) yield held
  }

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
