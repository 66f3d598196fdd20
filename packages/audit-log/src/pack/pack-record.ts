import type { AuditKey } from '../audit-keys.ts'
import { toDigest, toItemPrefix, toMac } from '../records.ts'

/** A link of a writer's chain that holds its entries itself: all but what they say. */
export interface PackHead {
  readonly executionId: string
  /** The first item and the MAC of the content: equal keys mean equal entries. In this order, blocks are sorted. */
  readonly packKey: string
  readonly writer: string
  /** From 0, without gaps. */
  readonly number: number
  /** How many entries the chain has before this block. */
  readonly first: number
  readonly count: number
  /** Which items it has entries of, by type. */
  readonly index: string
  /** The largest of its items. */
  readonly lastItem: number
  /** The MAC of the block before; empty for the first. */
  readonly previous: string
  readonly keyId: string
  /** When the last of its entries expires, in seconds since the epoch. */
  readonly expiresAt?: number | undefined
  readonly mac: string
}

/** A link of a writer's chain that holds its entries itself. */
export interface PackRecord extends PackHead {
  /** 8 bytes for each entry. */
  readonly tags: Uint8Array
  /** The entries by item and attempt, a line each, compressed with gzip. */
  readonly body: Uint8Array
}

/** The key that belongs to the content, whoever writes it. */
export function toPackKey(
  { executionId, tags }: Pick<PackRecord, 'executionId' | 'tags'>,
  text: Uint8Array,
  firstItem: number,
  key: AuditKey,
): string {
  const mac = toDigest(key, 'packed', [executionId, tags.byteLength], tags, text)
  return `${toItemPrefix(firstItem)}${mac.toString('base64url', 0, 16)}`
}

export function toPackMac(head: Omit<PackHead, 'mac'>, key: AuditKey): string {
  const { executionId, packKey, writer, number, first, count, index, lastItem, previous, expiresAt } = head
  const content = [packKey, count, index, lastItem, expiresAt ?? null]
  return toMac(key, 'pack', [executionId, writer, number, first, previous, ...content])
}

export function firstItemOf({ packKey }: Pick<PackHead, 'packKey'>): number {
  return Number(packKey.slice(0, 12))
}

export function toHead({ tags: _, body: __, ...head }: PackRecord): PackHead {
  return head
}
