import { isDeepStrictEqual } from 'node:util'
import type { AuditKeys } from './audit-keys.ts'
import { sealProblem } from './audit-problem.ts'
import type { AuditStore, SealStore } from './audit-store.ts'
import { type ItemRange, refuseMissingItems } from './item-range.ts'
import { createChainRuns } from './pack/chain-runs.ts'
import { checkPackHead } from './pack/check-pack.ts'
import type { PackHead } from './pack/pack-record.ts'
import { createPresentItems } from './pack/present-items.ts'
import { createSealedHeads, readSeals, type SealedHeads } from './read-seals.ts'
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
  /**
   * Whether the trail may have gone on after its seal, as by a redrive or when a run failed at its very end: then it
   * gets a seal of the next generation, which names the one before. @default false
   */
  readonly reopen?: boolean | undefined
}

/** What the chains of an execution have come to. */
interface Chains {
  readonly heads: readonly ChainHead[]
  /** When the first of their blocks expires. */
  readonly expiresAt: number
}

/**
 * Writes down what every chain has come to. A repeated call returns the seal that there is, if it is genuine and
 * nothing was written since.
 * @throws AuditVerificationError if a chain is broken already, an item has no entry, a seal is not genuine
 * (`changed`), or the trail went on after its seal (`early`)
 */
export async function sealExecution(
  trail: Trail,
  executionId: string,
  options: SealOptions = {},
): Promise<SealRecord> {
  const { items = { first: 0, count: 0 }, reopen = false } = options
  const { seals, sealKeys, now } = trail
  const sealed = await readSeals(seals, sealKeys, executionId)
  const { heads, expiresAt } = await readPacks(trail, executionId, items, createSealedHeads(sealed))
  const chains = heads.toSorted((a, b) => (a.writer < b.writer ? -1 : 1))
  const last = sealed.at(-1)
  if (last !== undefined && isDeepStrictEqual(last.chains, chains)) return last
  if (last !== undefined && !reopen) {
    throw sealProblem('early', `of ${last.sealedAt} was made before all entries were written`)
  }
  const key = await sealKeys.current()
  const unsigned = {
    executionId,
    chains,
    entries: chains.reduce((sum, chain) => sum + chain.entries, 0),
    sealedAt: new Date(now()).toISOString(),
    keyId: key.id,
    ...(Number.isFinite(expiresAt) && { expiresAt }),
    ...(last && { generation: sealed.length + 1, previous: last.mac }),
  }
  const seal = { ...unsigned, mac: toSealMac(unsigned, key) }
  const stored = await seals.putSeal(seal)
  // Somebody else was first: that seal must be as good as this one.
  return stored.mac === seal.mac ? stored : sealExecution(trail, executionId, options)
}

/** Also finds out whether every item has an entry. */
async function readPacks(
  { store, keys }: Trail,
  executionId: string,
  items: ItemRange,
  sealed: SealedHeads,
): Promise<Chains> {
  const runs = createChainRuns()
  let expiresAt = Number.POSITIVE_INFINITY
  async function* heads(): AsyncGenerator<PackHead> {
    for await (const head of store.readPackHeads({ executionId })) {
      await checkPackHead(head, keys, executionId)
      runs.add(head)
      sealed.refuseOther(head)
      expiresAt = Math.min(expiresAt, head.expiresAt ?? Number.POSITIVE_INFINITY)
      yield head
    }
  }
  await using present = createPresentItems(heads())
  await refuseMissingItems(present, items)
  await present.readAll()
  const found = runs.heads()
  sealed.refuseTruncated(found)
  return { heads: found, expiresAt }
}
