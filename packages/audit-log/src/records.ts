import { createHmac } from 'node:crypto'
import type { AuditEntry, AuditFields, LogType } from './audit-entry.ts'
import type { AuditKey } from './audit-keys.ts'
import { toJsonWithin } from './cut-to-size.ts'

/**
 * An entry as it is stored. Its key ends with the MAC of all its other fields, so that a key can only ever
 * hold one content: writing an entry again changes nothing, and a changed entry no longer fits its key.
 */
export interface EntryRecord {
  readonly executionId: string
  /** Item, attempt and MAC; in this order, entries are sorted. */
  readonly entryKey: string
  readonly logType: LogType
  /** All the rest as JSON: few attributes are quick to write and cheap to keep. */
  readonly body: string
  /** Seconds since the epoch. */
  readonly expiresAt?: number | undefined
  /** The execution again, for the index of entries that are no successes. */
  readonly failedExecutionId?: string | undefined
}

/** What an entry's body holds. */
export interface EntryBody extends AuditFields {
  readonly itemIndex: number
  readonly attempt: number
  readonly timestamp: string
  readonly keyId: string
}

/** A link of a writer's chain. It commits entries that are already stored. */
export interface BlockRecord {
  readonly executionId: string
  readonly writer: string
  /** From 0, without gaps. */
  readonly number: number
  /** How many entries the chain has before this block. */
  readonly first: number
  readonly entryKeys: readonly string[]
  /** The MAC of the block before; empty for the first. */
  readonly previous: string
  readonly keyId: string
  /** When the first of its entries expires. */
  readonly expiresAt?: number | undefined
  readonly mac: string
}

/** What every chain of an execution had come to when it was sealed. */
export interface SealRecord {
  readonly executionId: string
  readonly chains: readonly ChainHead[]
  /** Of all chains. One that two writers committed, since the first crashed before it could say so, counts twice. */
  readonly entries: number
  readonly sealedAt: string
  readonly keyId: string
  readonly expiresAt?: number | undefined
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

/** DynamoDB's 400 KiB for an item, less its keys and names. */
const maxBodyBytes = 400_000

/** @param fields what of the entry is to be kept: its secrets are gone */
export function toEntryRecord(
  { executionId, itemIndex, attempt, logType, timestamp }: AuditEntry,
  { userRecord, processResult, error }: AuditFields,
  key: AuditKey,
  ttlSeconds: number | undefined,
): EntryRecord {
  const body = { itemIndex, attempt, timestamp, keyId: key.id, userRecord, processResult, error }
  const unsigned = {
    executionId,
    logType,
    body: toJsonWithin(body, maxBodyBytes),
    ...(ttlSeconds !== undefined && { expiresAt: Math.floor(Date.parse(timestamp) / 1000) + ttlSeconds }),
    ...(logType !== 'SUCCESS' && { failedExecutionId: executionId }),
  }
  return { ...unsigned, entryKey: toEntryKey(unsigned, body, key) }
}

/** Undefined for a body that no writer wrote. */
export function toAuditEntry(record: EntryRecord): AuditEntry | undefined {
  const body = parseBody(record)
  if (body === undefined) return undefined
  const { executionId, logType } = record
  const { itemIndex, attempt, timestamp, keyId: _, ...fields } = body
  return { executionId, itemIndex, attempt, logType, timestamp, ...fields }
}

export function parseBody({ body }: EntryRecord): EntryBody | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? (parsed as EntryBody) : undefined
  } catch {
    return undefined
  }
}

/** The key that the record belongs under. */
export function toEntryKey(
  { executionId, logType, body, expiresAt, failedExecutionId }: Omit<EntryRecord, 'entryKey'>,
  { itemIndex, attempt }: Pick<EntryBody, 'itemIndex' | 'attempt'>,
  key: AuditKey,
): string {
  const fields = [executionId, logType, expiresAt ?? null, failedExecutionId ?? null]
  // Half of HMAC-SHA256 is as hard to forge, and every block repeats it.
  const mac = toDigest(key, 'entry', fields, body).toString('base64url', 0, 16)
  return `${toItemPrefix(itemIndex)}${String(attempt).padStart(6, '0')}#${mac}`
}

/** How the keys of all entries about one item begin. */
export function toItemPrefix(itemIndex: number): string {
  return `${String(itemIndex).padStart(12, '0')}#`
}

/** What an entry's key tells even when the entry is gone. */
export function parseEntryKey(entryKey: string): { itemIndex: number; attempt: number } {
  return { itemIndex: Number(entryKey.slice(0, 12)), attempt: Number(entryKey.slice(13, 19)) }
}

export function toBlockMac(block: Omit<BlockRecord, 'mac'>, key: AuditKey): string {
  const { executionId, writer, number, first, entryKeys, previous, expiresAt } = block
  return toMac(key, 'block', [executionId, writer, number, first, entryKeys, previous, expiresAt ?? null])
}

export function toSealMac(seal: Omit<SealRecord, 'mac'>, key: AuditKey): string {
  const { executionId, chains, entries, sealedAt, expiresAt } = seal
  const heads = chains.map(chain => [chain.writer, chain.blocks, chain.entries, chain.head])
  return toMac(key, 'seal', [executionId, heads, entries, sealedAt, expiresAt ?? null])
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
