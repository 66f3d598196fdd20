import { createHmac } from 'node:crypto'
import type { AuditKey } from './audit-keys.ts'

/** What every chain of an execution had come to when it was sealed. */
export interface SealRecord {
  readonly executionId: string
  readonly chains: readonly ChainHead[]
  /** Of all chains. One that two writers committed, since the first crashed before it could say so, counts twice. */
  readonly entries: number
  readonly sealedAt: string
  readonly keyId: string
  readonly expiresAt?: number | undefined
  /** From 2 on, for a trail that went on after it was sealed, as by a redrive. */
  readonly generation?: number | undefined
  /** The MAC of the seal before, from generation 2 on. */
  readonly previous?: string | undefined
  readonly mac: string
}

export interface ChainHead {
  readonly writer: string
  readonly blocks: number
  readonly entries: number
  /** The MAC of the last block. */
  readonly head: string
}

/** Whether it can be read as chains at all; whether they are right is for the seal's MAC to say. */
export function areChains(value: unknown): value is readonly ChainHead[] {
  return Array.isArray(value) && value.every(chain => typeof chain === 'object' && chain !== null)
}

/** How the keys of all entries about one item begin. */
export function toItemPrefix(itemIndex: number): string {
  return `${String(itemIndex).padStart(12, '0')}#`
}

/** What an entry's key tells even when the entry is gone. */
export function parseEntryKey(entryKey: string): { itemIndex: number; attempt: number } {
  return { itemIndex: Number(entryKey.slice(0, 12)), attempt: Number(entryKey.slice(13, 19)) }
}

export function toSealMac(seal: Omit<SealRecord, 'mac'>, key: AuditKey): string {
  const { executionId, chains, entries, sealedAt, expiresAt, generation, previous } = seal
  const heads = chains.map(chain => [chain.writer, chain.blocks, chain.entries, chain.head])
  const later = generation === undefined ? [] : [generation, previous ?? null]
  return toMac(key, 'seal', [executionId, heads, entries, sealedAt, expiresAt ?? null, ...later])
}

export function toMac(key: AuditKey, kind: string, fields: readonly unknown[]): string {
  return toDigest(key, kind, fields).toString('base64url')
}

/**
 * The kind comes first, so that no record can pass for one of another kind. JSON has no bare line feed, so it is
 * clear where the fields end and the body, which would be costly to quote, begins.
 */
export function toDigest(
  { id, secret }: AuditKey,
  kind: string,
  fields: readonly unknown[],
  ...body: readonly (string | Uint8Array)[]
): Buffer {
  const head = JSON.stringify(['@stepwright/audit-log 1', kind, id, ...fields])
  const hmac = createHmac('sha256', secret).update(`${head}\n`)
  for (const part of body) hmac.update(part)
  return hmac.digest()
}
