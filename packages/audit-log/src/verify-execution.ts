import { isTaskError } from '@stepwright/errors'
import type { AuditKeys } from './audit-keys.ts'
import { type AuditProblem, blockProblem, entryProblem, problemOf, sealProblem } from './audit-problem.ts'
import type { AuditStore, SealStore } from './audit-store.ts'
import { checkEntry } from './check-entry.ts'
import { type Progress, parseCheckpoint, toCheckpoint } from './checkpoint.ts'
import { AuditVerificationError } from './errors.ts'
import { findUncommitted } from './find-uncommitted.ts'
import { createChainRuns } from './pack/chain-runs.ts'
import { checkPack } from './pack/check-pack.ts'
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
  /** To go on from: what came before it is taken as it was found then. */
  readonly checkpoint?: string | undefined
  /** Told how far it has come, every `checkpointBlocks` blocks; awaited. */
  readonly onCheckpoint?: ((checkpoint: string) => void | Promise<void>) | undefined
  /** @default 500 */
  readonly checkpointBlocks?: number | undefined
  /** Stops it between two blocks: it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Whether everything is there as it was written, and if not, the first thing that is not.
 * @throws DataValidationError for a checkpoint of another trail or seal
 */
export async function verifyExecution(
  trail: Trail,
  executionId: string,
  options: VerifyOptions = {},
): Promise<VerifyResult> {
  const { checkpointBlocks = 500 } = options
  if (!(Number.isInteger(checkpointBlocks) && checkpointBlocks > 0)) {
    throw new TypeError('checkpointBlocks must be a whole number from 1 on')
  }
  try {
    return await verify(trail, executionId, { ...options, checkpointBlocks })
  } catch (error) {
    if (isTaskError(error, AuditVerificationError)) return { ok: false, problem: problemOf(error) }
    throw error
  }
}

async function verify(
  trail: Trail,
  executionId: string,
  options: VerifyOptions & { readonly checkpointBlocks: number },
): Promise<VerifyResult> {
  const { keys, sealKeys, seals, now } = trail
  const { mac, checkpoint, signal } = options
  signal?.throwIfAborted()
  const seal = await readSeal(seals, sealKeys, executionId)
  if (mac !== undefined && mac !== seal.mac) throw sealProblem('changed', 'is not the one whose MAC was kept')
  if (seal.expiresAt !== undefined && seal.expiresAt * 1000 <= now()) {
    throw sealProblem('expired', `covers entries that may have expired since ${toIso(seal.expiresAt)}`)
  }
  const of = { executionId, sealMac: seal.mac }
  const before =
    checkpoint === undefined
      ? await verifySingles(trail, seal, signal)
      : await parseCheckpoint(checkpoint, of, keys)
  const { entries, late, singleWriters, chains } = await verifyPacks(trail, seal, before, options)
  const writers = new Set([...singleWriters, ...Object.keys(chains)])
  return { ok: true, entries, writers: writers.size, late }
}

/** Entries that are stored one by one, and the blocks that commit them. */
async function verifySingles(
  { store, keys }: Trail,
  { executionId, chains }: SealRecord,
  signal: AbortSignal | undefined,
): Promise<Progress> {
  const open = new Map(chains.map(chain => [chain.writer, chain]))
  const writers = new Set<string>()
  let entries = 0
  let late = 0
  let last: BlockRecord | undefined
  for await (const block of walkChains(store, keys, executionId)) {
    signal?.throwIfAborted()
    if (last && last.writer !== block.writer) refuseTruncated(open, last)
    await checkEntries(store, keys, block)
    const sealed = open.get(block.writer)
    if (sealed === undefined) late += block.entryKeys.length
    else if (block.number + 1 === sealed.blocks) {
      refuseOtherHead(block, block.entryKeys.length, sealed)
      open.delete(block.writer)
    }
    entries += block.entryKeys.length
    writers.add(block.writer)
    last = block
  }
  if (last) refuseTruncated(open, last)
  late += await countUncommitted(store, keys, executionId)
  return { entries, late, singleWriters: [...writers], chains: {} }
}

/** Blocks that hold their entries, in whatever order their keys have; then all sealed chains must be whole. */
async function verifyPacks(
  { store, keys }: Trail,
  { executionId, chains, mac: sealMac }: SealRecord,
  { entries, late, singleWriters, after, chains: known }: Progress,
  { onCheckpoint, checkpointBlocks, signal }: VerifyOptions & { readonly checkpointBlocks: number },
): Promise<Progress> {
  const singles = new Set(singleWriters)
  const sealed = new Map(chains.filter(({ writer }) => !singles.has(writer)).map(one => [one.writer, one]))
  const runs = createChainRuns(known)
  const counts = { entries, late }
  let read = 0
  for await (const pack of store.readPacks({ executionId, after })) {
    signal?.throwIfAborted()
    await checkPack(pack, keys, executionId)
    runs.add(pack)
    const { writer, number, count, packKey } = pack
    const chain = sealed.get(writer)
    if (chain === undefined || number >= chain.blocks) counts.late += count
    else if (number + 1 === chain.blocks) refuseOtherHead(pack, count, chain)
    counts.entries += count
    read += 1
    if (onCheckpoint && read % checkpointBlocks === 0) {
      const progress = { ...counts, singleWriters, after: packKey, chains: runs.toJSON() }
      await onCheckpoint(await toCheckpoint(progress, { executionId, sealMac }, keys))
    }
  }
  const heads = new Map(runs.heads().map(head => [head.writer, head]))
  for (const { writer, blocks, entries: all } of sealed.values()) {
    const head = heads.get(writer)
    if (head === undefined) throw blockProblem('truncated', { writer, sequence: 0 }, 'is missing')
    if (head.blocks < blocks) throw truncated(writer, head.entries, all)
  }
  return { ...counts, singleWriters, chains: runs.toJSON() }
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
  throw truncated(last.writer, last.first + last.entryKeys.length, sealed.entries)
}

function truncated(writer: string, sequence: number, entries: number): AuditVerificationError {
  return blockProblem('truncated', { writer, sequence }, `ends before its ${entries} entries`)
}

function refuseOtherHead(
  block: Pick<BlockRecord, 'writer' | 'first' | 'mac'>,
  count: number,
  sealed: ChainHead,
): void {
  if (block.mac === sealed.head && block.first + count === sealed.entries) return
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
