import type { AuditKeys } from './audit-keys.ts'
import type { AuditStore } from './audit-store.ts'
import { type ChainHead, type SealRecord, toSealMac } from './records.ts'
import { walkChains } from './walk-chains.ts'

export interface Trail {
  readonly store: AuditStore
  readonly keys: AuditKeys
  readonly now: () => number
}

/**
 * Writes down what every chain has come to. An execution is sealed once: a later call returns the first seal.
 * @throws AuditVerificationError if a chain is broken already
 */
export async function sealExecution({ store, keys, now }: Trail, executionId: string): Promise<SealRecord> {
  const heads = new Map<string, ChainHead>()
  let expiresAt = Number.POSITIVE_INFINITY
  for await (const block of walkChains(store, keys, executionId)) {
    const { writer, number, first, entryKeys, mac } = block
    heads.set(writer, { writer, blocks: number + 1, entries: first + entryKeys.length, head: mac })
    expiresAt = Math.min(expiresAt, block.expiresAt ?? Number.POSITIVE_INFINITY)
  }
  const key = await keys.current()
  const chains = [...heads.values()]
  const unsigned = {
    executionId,
    chains,
    entries: chains.reduce((sum, chain) => sum + chain.entries, 0),
    sealedAt: new Date(now()).toISOString(),
    keyId: key.id,
    ...(Number.isFinite(expiresAt) && { expiresAt }),
  }
  return store.putSeal({ ...unsigned, mac: toSealMac(unsigned, key) })
}
