import { isTaskError } from '@stepwright/errors'
import type { AuditKeys } from './audit-keys.ts'
import { type AuditProblem, blockProblem, problemOf, sealProblem } from './audit-problem.ts'
import type { SealStore } from './audit-store.ts'
import { type Progress, parseCheckpoint, toCheckpoint } from './checkpoint.ts'
import { AuditVerificationError } from './errors.ts'
import { createChainRuns } from './pack/chain-runs.ts'
import { checkPack } from './pack/check-pack.ts'
import { createDistinctEntries } from './pack/distinct-entries.ts'
import type { PackHead } from './pack/pack-record.ts'
import { type ChainHead, type SealRecord, toSealMac } from './records.ts'
import type { Trail } from './seal-execution.ts'

export type VerifyResult =
  | {
      readonly ok: true
      /** As many as `entries()` reads: one that two writers stored counts once. */
      readonly entries: number
      readonly writers: number
      /** Entries that were added after the seal: genuine, but it cannot be told if one of them is missing. */
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
      ? { entries: 0, late: 0, chains: {} }
      : await parseCheckpoint(checkpoint, of, keys)
  const { entries, late, chains } = await verifyPacks(trail, seal, before, options)
  return { ok: true, entries, writers: Object.keys(chains).length, late }
}

/** Reads blocks in the order of their keys; then all sealed chains must be whole. */
async function verifyPacks(
  { store, keys }: Trail,
  { executionId, chains, mac: sealMac }: SealRecord,
  { entries, late, after, chains: known, open }: Progress,
  { onCheckpoint, checkpointBlocks, signal }: VerifyOptions & { readonly checkpointBlocks: number },
): Promise<Progress> {
  const sealed = new Map(chains.map(one => [one.writer, one]))
  const runs = createChainRuns(known)
  const counts = { entries, late }
  const distinct = createDistinctEntries(open)
  let read = 0
  for await (const pack of store.readPacks({ executionId, after })) {
    signal?.throwIfAborted()
    const found = await checkPack(pack, keys, executionId)
    runs.add(pack)
    const { writer, number, count, packKey } = pack
    const chain = sealed.get(writer)
    if (chain === undefined || number >= chain.blocks) counts.late += count
    else if (number + 1 === chain.blocks) refuseOtherHead(pack, count, chain)
    counts.entries += distinct.add(found)
    read += 1
    if (onCheckpoint && read % checkpointBlocks === 0) {
      const progress = { ...counts, after: packKey, chains: runs.toJSON(), open: distinct.toJSON() }
      await onCheckpoint(await toCheckpoint(progress, { executionId, sealMac }, keys))
    }
  }
  const heads = new Map(runs.heads().map(head => [head.writer, head]))
  for (const { writer, blocks, entries: all } of sealed.values()) {
    const head = heads.get(writer)
    if (head === undefined) throw blockProblem('truncated', { writer, sequence: 0 }, 'is missing')
    if (head.blocks < blocks) throw truncated(writer, head.entries, all)
  }
  return { ...counts, chains: runs.toJSON() }
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

function truncated(writer: string, sequence: number, entries: number): AuditVerificationError {
  return blockProblem('truncated', { writer, sequence }, `ends before its ${entries} entries`)
}

function refuseOtherHead(
  block: Pick<PackHead, 'writer' | 'first' | 'mac'>,
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

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
