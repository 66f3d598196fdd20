import { isTaskError } from '@stepwright/errors'
import type { AuditKeys } from './audit-keys.ts'
import { type AuditProblem, blockProblem, entryProblem, problemOf, sealProblem } from './audit-problem.ts'
import type { AuditStore, SealStore } from './audit-store.ts'
import { checkEntry } from './check-entry.ts'
import { AuditVerificationError } from './errors.ts'
import { findUncommitted } from './find-uncommitted.ts'
import { type BlockRecord, type ChainHead, type SealRecord, toSealMac } from './records.ts'
import type { Trail } from './seal-execution.ts'
import { walkChains } from './walk-chains.ts'

export type VerifyResult =
  | {
      readonly ok: true
      /** Entries in all chains. */
      readonly entries: number
      readonly writers: number
      /**
       * Entries that were added after the seal, in a block or not yet: genuine, but it cannot be told if one of
       * them is missing.
       */
      readonly late: number
    }
  | { readonly ok: false; readonly problem: AuditProblem }

export interface VerifyOptions {
  /** The MAC that `seal` gave, kept elsewhere: then no other seal will do, whoever has the keys. */
  readonly mac?: string | undefined
}

/** Whether everything is there as it was written, and if not, the first thing that is not. */
export async function verifyExecution(
  trail: Trail,
  executionId: string,
  options: VerifyOptions = {},
): Promise<VerifyResult> {
  try {
    return await verify(trail, executionId, options)
  } catch (error) {
    if (isTaskError(error, AuditVerificationError)) return { ok: false, problem: problemOf(error) }
    throw error
  }
}

async function verify(
  { store, seals, keys, sealKeys, now }: Trail,
  executionId: string,
  { mac }: VerifyOptions,
): Promise<VerifyResult> {
  const seal = await readSeal(seals, sealKeys, executionId)
  if (mac !== undefined && mac !== seal.mac) throw sealProblem('changed', 'is not the one whose MAC was kept')
  if (seal.expiresAt !== undefined && seal.expiresAt * 1000 <= now()) {
    throw sealProblem('expired', `covers entries that may have expired since ${toIso(seal.expiresAt)}`)
  }
  const open = new Map(seal.chains.map(chain => [chain.writer, chain]))
  const writers = new Set<string>()
  let entries = 0
  let late = 0
  let last: BlockRecord | undefined
  for await (const block of walkChains(store, keys, executionId)) {
    if (last && last.writer !== block.writer) refuseTruncated(open, last)
    await checkEntries(store, keys, block)
    const sealed = open.get(block.writer)
    if (sealed === undefined) late += block.entryKeys.length
    else if (block.number + 1 === sealed.blocks) {
      refuseOtherHead(block, sealed)
      open.delete(block.writer)
    }
    entries += block.entryKeys.length
    writers.add(block.writer)
    last = block
  }
  if (last) refuseTruncated(open, last)
  for (const { writer } of open.values())
    throw blockProblem('truncated', { writer, sequence: 0 }, 'is missing')
  late += await countUncommitted(store, keys, executionId)
  return { ok: true, entries, writers: writers.size, late }
}

async function readSeal(seals: SealStore, keys: AuditKeys, executionId: string): Promise<SealRecord> {
  const seal = await seals.readSeal(executionId)
  if (seal === undefined) throw sealProblem('unsealed', 'is missing: it was never made, or deleted')
  const key = await keys.find(seal.keyId)
  if (key === undefined) throw sealProblem('unknown-key', `is signed with unknown key ${seal.keyId}`)
  if (toSealMac(seal, key) !== seal.mac || seal.executionId !== executionId) {
    throw sealProblem('changed', 'was changed')
  }
  return seal
}

function refuseTruncated(open: ReadonlyMap<string, ChainHead>, last: BlockRecord): void {
  const sealed = open.get(last.writer)
  if (sealed === undefined) return
  const sequence = last.first + last.entryKeys.length
  throw blockProblem(
    'truncated',
    { writer: last.writer, sequence },
    `ends before its ${sealed.entries} entries`,
  )
}

function refuseOtherHead(block: BlockRecord, sealed: ChainHead): void {
  if (block.mac === sealed.head && block.first + block.entryKeys.length === sealed.entries) return
  throw blockProblem(
    'changed',
    { writer: block.writer, sequence: block.first },
    'is not the one that was sealed',
  )
}

async function checkEntries(store: AuditStore, keys: AuditKeys, block: BlockRecord): Promise<void> {
  const { executionId, writer, first, entryKeys } = block
  const found = await store.getEntries(executionId, entryKeys)
  const byKey = new Map(found.map(entry => [entry.entryKey, entry]))
  for (const [index, entryKey] of entryKeys.entries()) {
    const place = { writer, sequence: first + index, entryKey }
    const entry = byKey.get(entryKey)
    if (entry === undefined) throw entryProblem('missing', place, 'is missing')
    await checkEntry(store, keys, entry, place)
  }
}

/** Entries that no chain commits are what a crash left after the seal, if their MACs are right. Counts them. */
async function countUncommitted(store: AuditStore, keys: AuditKeys, executionId: string): Promise<number> {
  async function* genuineKeys(): AsyncGenerator<string> {
    for await (const entry of store.readEntries({ executionId })) {
      await checkEntry(store, keys, entry, { entryKey: entry.entryKey })
      yield entry.entryKey
    }
  }
  let count = 0
  for await (const _ of findUncommitted(store, executionId, genuineKeys())) count += 1
  return count
}

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
