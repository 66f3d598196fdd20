import { isTaskError } from '@stepwright/errors'
import { type AuditProblem, blockProblem, problemOf, sealProblem } from './audit-problem.ts'
import { type Progress, parseCheckpoint, toCheckpoint } from './checkpoint.ts'
import { AuditVerificationError } from './errors.ts'
import { createChainRuns } from './pack/chain-runs.ts'
import { checkPack } from './pack/check-pack.ts'
import { createDistinctEntries } from './pack/distinct-entries.ts'
import { createSealedHeads, readSeals } from './read-seals.ts'
import type { SealRecord } from './records.ts'
import type { Trail } from './seal-execution.ts'

export type VerifyResult =
  | {
      readonly ok: true
      /** As many as `entries()` reads: one that two writers stored counts once. */
      readonly entries: number
      readonly writers: number
      /** Entries that were added after the last seal, where that is allowed: it cannot be told if one is missing. */
      readonly late: number
    }
  | { readonly ok: false; readonly problem: AuditProblem }

export interface VerifyOptions {
  /** The MAC that `seal` gave, kept elsewhere: then only that seal will do, or later ones that name it. */
  readonly mac?: string | undefined
  /** Whether genuine entries may follow the last seal; if not, they are a problem of the kind `late`. @default false */
  readonly allowLate?: boolean | undefined
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
  const sealed = await readSeals(seals, sealKeys, executionId)
  const seal = sealed.at(-1)
  if (seal === undefined) throw sealProblem('unsealed', 'is missing: it was never made, or deleted')
  if (mac !== undefined && !sealed.some(each => each.mac === mac)) {
    throw sealProblem('changed', 'is not the one whose MAC was kept')
  }
  if (seal.expiresAt !== undefined && seal.expiresAt * 1000 <= now()) {
    throw sealProblem('expired', `covers entries that may have expired since ${toIso(seal.expiresAt)}`)
  }
  const of = { executionId, sealMac: seal.mac }
  const before =
    checkpoint === undefined
      ? { entries: 0, late: 0, chains: {} }
      : await parseCheckpoint(checkpoint, of, keys)
  const { entries, late, chains } = await verifyPacks(trail, sealed, before, options)
  return { ok: true, entries, writers: Object.keys(chains).length, late }
}

/** Reads blocks in the order of their keys; then all sealed chains must be whole. */
async function verifyPacks(
  { store, keys }: Trail,
  seals: readonly SealRecord[],
  { entries, late, after, chains: known, open }: Progress,
  {
    onCheckpoint,
    checkpointBlocks,
    signal,
    allowLate = false,
  }: VerifyOptions & { readonly checkpointBlocks: number },
): Promise<Progress> {
  const { executionId, mac: sealMac } = seals.at(-1) as SealRecord
  const sealed = createSealedHeads(seals)
  const runs = createChainRuns(known)
  const counts = { entries, late }
  const distinct = createDistinctEntries(open)
  let read = 0
  for await (const pack of store.readPacks({ executionId, after })) {
    signal?.throwIfAborted()
    const found = await checkPack(pack, keys, executionId)
    runs.add(pack)
    const { writer, first, count, packKey } = pack
    sealed.refuseOther(pack)
    if (sealed.isLate(pack)) {
      if (!allowLate) throw blockProblem('late', { writer, sequence: first }, 'goes on after the seal')
      counts.late += count
    }
    counts.entries += distinct.add(found)
    read += 1
    if (onCheckpoint && read % checkpointBlocks === 0) {
      const progress = { ...counts, after: packKey, chains: runs.toJSON(), open: distinct.toJSON() }
      await onCheckpoint(await toCheckpoint(progress, { executionId, sealMac }, keys))
    }
  }
  sealed.refuseTruncated(runs.heads())
  return { ...counts, chains: runs.toJSON() }
}

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
