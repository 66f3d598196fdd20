import type { AuditKeys } from './audit-keys.ts'
import { entryProblem } from './audit-problem.ts'
import type { AuditStore, SealStore } from './audit-store.ts'
import { createChainWriter } from './chain-writer.ts'
import { checkEntry } from './check-entry.ts'
import { findUncommitted } from './find-uncommitted.ts'
import { type ItemRange, refuseMissingItems } from './item-range.ts'
import { createChainRuns } from './pack/chain-runs.ts'
import { checkPackHead } from './pack/check-pack.ts'
import type { PackHead } from './pack/pack-record.ts'
import { createPresentItems } from './pack/present-items.ts'
import { type ChainHead, type SealRecord, toSealMac } from './records.ts'
import { walkChains } from './walk-chains.ts'

export interface Trail {
  readonly store: AuditStore
  readonly seals: SealStore
  readonly keys: AuditKeys
  readonly sealKeys: AuditKeys
  readonly blockSize: number
  readonly now: () => number
  readonly newWriter: () => string
}

export interface SealOptions {
  /** The items that must have an entry, or the trail is not sealed. @default any */
  readonly items?: ItemRange | undefined
}

/** What the chains of an execution have come to. */
interface Chains {
  readonly heads: readonly ChainHead[]
  /** When the first of their blocks expires. */
  readonly expiresAt: number
}

/**
 * Commits the entries that a writer left in no block, then writes down what every chain has come to. An execution is
 * sealed once: a later call returns the first seal.
 * @throws AuditVerificationError if a chain or an entry in no block is broken already, or an item has no entry
 */
export async function sealExecution(
  trail: Trail,
  executionId: string,
  { items = { first: 0, count: 0 } }: SealOptions = {},
): Promise<SealRecord> {
  const { seals, sealKeys, now } = trail
  const sealed = await seals.readSeal(executionId)
  const packs = await readPacks(trail, executionId, sealed ? { first: 0, count: 0 } : items)
  if (sealed === undefined) await commitRest(trail, executionId)
  const blocks = await readBlocks(trail, executionId)
  if (sealed !== undefined) return sealed
  const key = await sealKeys.current()
  const chains = [...blocks.heads, ...packs.heads].sort((a, b) => (a.writer < b.writer ? -1 : 1))
  const expiresAt = Math.min(blocks.expiresAt, packs.expiresAt)
  const unsigned = {
    executionId,
    chains,
    entries: chains.reduce((sum, chain) => sum + chain.entries, 0),
    sealedAt: new Date(now()).toISOString(),
    keyId: key.id,
    ...(Number.isFinite(expiresAt) && { expiresAt }),
  }
  return seals.putSeal({ ...unsigned, mac: toSealMac(unsigned, key) })
}

/** Also finds out whether every item has an entry: in these blocks, or by itself. */
async function readPacks({ store, keys }: Trail, executionId: string, items: ItemRange): Promise<Chains> {
  const runs = createChainRuns()
  let expiresAt = Number.POSITIVE_INFINITY
  async function* heads(): AsyncGenerator<PackHead> {
    for await (const head of store.readPackHeads({ executionId })) {
      await checkPackHead(head, keys, executionId)
      runs.add(head)
      expiresAt = Math.min(expiresAt, head.expiresAt ?? Number.POSITIVE_INFINITY)
      yield head
    }
  }
  await using present = createPresentItems(store.readEntryKeys(executionId), heads())
  await refuseMissingItems(present, items)
  await present.readAll()
  return { heads: runs.heads(), expiresAt }
}

async function readBlocks({ store, keys }: Trail, executionId: string): Promise<Chains> {
  const heads = new Map<string, ChainHead>()
  let expiresAt = Number.POSITIVE_INFINITY
  for await (const block of walkChains(store, keys, executionId)) {
    const { writer, number, first, entryKeys, mac } = block
    heads.set(writer, { writer, blocks: number + 1, entries: first + entryKeys.length, head: mac })
    expiresAt = Math.min(expiresAt, block.expiresAt ?? Number.POSITIVE_INFINITY)
  }
  return { heads: [...heads.values()], expiresAt }
}

/** In a chain of its own, so that what is in no block is in the seal all the same, and cannot be deleted unseen. */
async function commitRest(trail: Trail, executionId: string): Promise<void> {
  const { store, keys, blockSize, newWriter } = trail
  const writer = createChainWriter({ store, keys, executionId, writer: newWriter(), blockSize })
  let group: string[] = []
  const commit = async (): Promise<void> => {
    const found = new Map((await store.getEntries(executionId, group)).map(entry => [entry.entryKey, entry]))
    const entries = group.map(entryKey => {
      const entry = found.get(entryKey)
      if (entry === undefined) throw entryProblem('missing', { entryKey }, 'was deleted as it was read')
      return entry
    })
    for (const entry of entries) await checkEntry(store, keys, entry, entry)
    await Promise.all(entries.map(writer.append))
    group = []
  }
  for await (const entryKey of findUncommitted(store, executionId, store.readEntryKeys(executionId))) {
    group.push(entryKey)
    if (group.length === blockSize) await commit()
  }
  if (group.length > 0) await commit()
}
