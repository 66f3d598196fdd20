import type { AuditKeys } from './audit-keys.ts'
import type { AuditStore, SealStore } from './audit-store.ts'
import { type ItemRange, refuseMissingItems } from './item-range.ts'
import { createChainRuns } from './pack/chain-runs.ts'
import { checkPackHead } from './pack/check-pack.ts'
import type { PackHead } from './pack/pack-record.ts'
import { createPresentItems } from './pack/present-items.ts'
import { type ChainHead, type SealRecord, toSealMac } from './records.ts'

export interface Trail {
  readonly store: AuditStore
  readonly seals: SealStore
  readonly keys: AuditKeys
  readonly sealKeys: AuditKeys
  readonly now: () => number
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
 * Writes down what every chain has come to. An execution is sealed once: a later call returns the first seal.
 * @throws AuditVerificationError if a chain is broken already, or an item has no entry
 */
export async function sealExecution(
  trail: Trail,
  executionId: string,
  { items = { first: 0, count: 0 } }: SealOptions = {},
): Promise<SealRecord> {
  const { seals, sealKeys, now } = trail
  const sealed = await seals.readSeal(executionId)
  const { heads, expiresAt } = await readPacks(trail, executionId, sealed ? { first: 0, count: 0 } : items)
  if (sealed !== undefined) return sealed
  const key = await sealKeys.current()
  const chains = heads.toSorted((a, b) => (a.writer < b.writer ? -1 : 1))
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

/** Also finds out whether every item has an entry. */
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
  await using present = createPresentItems(heads())
  await refuseMissingItems(present, items)
  await present.readAll()
  return { heads: runs.heads(), expiresAt }
}
