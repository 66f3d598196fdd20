import { createCipheriv } from 'node:crypto'
import { type AuditEntry, type AuditFields, type LogType, logTypes } from '../audit-entry.ts'
import type { AuditKey } from '../audit-keys.ts'
import { toJsonWithin } from '../cut-to-size.ts'
import { toDigest } from '../records.ts'

/** An entry as a line of a block's text. */
export interface PackedEntry {
  readonly itemIndex: number
  readonly attempt: number
  readonly logType: LogType
  readonly timestamp: string
  /** `[item, attempt, type, time, fields]` as JSON, without a line feed. */
  readonly line: string
}

/** A block of one entry that cannot be compressed still fits into an item of DynamoDB. */
const maxFieldsBytes = 390_000

/** @param fields what of the entry is to be kept: its secrets are gone */
export function toPackedEntry(
  { itemIndex, attempt, logType, timestamp }: AuditEntry,
  { userRecord, processResult, error }: AuditFields,
): PackedEntry {
  const fields = toJsonWithin({ error, processResult, userRecord }, maxFieldsBytes)
  const line = `${toLineHead(itemIndex, attempt, logType, timestamp)}${fields}]`
  return { itemIndex, attempt, logType, timestamp, line }
}

/** What entries of a batch have in common: it is put together once. */
const last = { attempt: 0, logType: '', timestamp: '', text: '' }

/** All of the line that comes before the fields. */
function toLineHead(itemIndex: number, attempt: number, logType: LogType, timestamp: string): string {
  if (attempt !== last.attempt || logType !== last.logType || timestamp !== last.timestamp) {
    Object.assign(last, { attempt, logType, timestamp })
    last.text = `,${attempt},"${logType}","${timestamp}",`
  }
  return `[${itemIndex}${last.text}`
}

/** What a line says of its place, without its fields being read; undefined for one that no writer wrote. */
export function parseLineHead(line: string): Omit<PackedEntry, 'line' | 'timestamp'> | undefined {
  const [, itemIndex, attempt, logType] = /^\[(\d{1,12}),(\d{1,6}),"([A-Z_]+)",/.exec(line) ?? []
  if (itemIndex === undefined || !logTypes.includes(logType as LogType)) return undefined
  return { itemIndex: Number(itemIndex), attempt: Number(attempt), logType: logType as LogType }
}

/** Of a line that is one of ours. */
export function parsePackedEntry(line: string): PackedEntry {
  const head = parseLineHead(line) as Omit<PackedEntry, 'line' | 'timestamp'>
  const [, timestamp = ''] = /^\[\d+,\d+,"\w+","([^"]+)"/.exec(line) ?? []
  return { ...head, timestamp, line }
}

/** Undefined for a line that no writer wrote. */
export function parseLine(executionId: string, line: string): AuditEntry | undefined {
  const head = parseLineHead(line)
  if (head === undefined) return undefined
  try {
    const [, , , timestamp, fields] = JSON.parse(line) as [unknown, unknown, unknown, string, AuditFields]
    return { executionId, ...head, timestamp, ...fields }
  } catch {
    return undefined
  }
}

export function compareEntries(
  a: Pick<PackedEntry, 'itemIndex' | 'attempt'>,
  b: Pick<PackedEntry, 'itemIndex' | 'attempt'>,
): number {
  return a.itemIndex - b.itemIndex || a.attempt - b.attempt
}

export const tagBytes = 8

/** Of a line's SHA-256: one block of AES. */
export const hashBytes = 16

/**
 * A tag of every line, by which the one that was changed can be told: its SHA-256 under AES with a secret of the
 * execution, cut to 8 bytes. That a block was changed at all shows by its MAC.
 */
export function toTags(executionId: string, hashes: Uint8Array, key: AuditKey): Buffer {
  const secret = toDigest(key, 'packed entry', [executionId]).subarray(0, 16)
  // Each hash is one block: nothing is chained, and nothing repeats that is not the same line.
  const blocks = createCipheriv('aes-128-ecb', secret, null).setAutoPadding(false).update(hashes)
  const count = hashes.byteLength / hashBytes
  const tags = Buffer.allocUnsafe(count * tagBytes)
  for (let at = 0; at < count; at += 1) {
    blocks.copy(tags, at * tagBytes, at * hashBytes, at * hashBytes + tagBytes)
  }
  return tags
}
