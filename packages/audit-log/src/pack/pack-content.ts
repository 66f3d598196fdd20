import type { AuditKey } from '../audit-keys.ts'
import { toIndex } from './item-runs.ts'
import { type PackRecord, toPackKey } from './pack-record.ts'
import { compressText, maxTextBytes } from './pack-text.ts'
import { compareEntries, type PackedEntry, toTags } from './packed-entry.ts'

/** What a block holds, whoever's chain it becomes a link of. */
export interface PackContent {
  readonly record: Omit<PackRecord, 'writer' | 'number' | 'first' | 'previous' | 'mac'>
  /** What it holds, for whoever has to recognise it. */
  readonly lines: readonly string[]
  readonly key: AuditKey
}

/** DynamoDB's 400 KiB for an item, less its keys, names and MACs. */
const maxItemBytes = 400_000

/** The same content for the same entries; more than one where they would not fit into an item. */
export async function toPackContents(
  executionId: string,
  entries: readonly PackedEntry[],
  key: AuditKey,
  ttlSeconds: number | undefined,
): Promise<PackContent[]> {
  const sorted = toSorted(entries)
  const lines = sorted.map(({ line }) => line)
  const [first, last] = [sorted[0] as PackedEntry, sorted.at(-1) as PackedEntry]
  const tags = toTags(executionId, lines, key)
  const text = Buffer.from(lines.join('\n'))
  const index = toIndex(sorted)
  const body = text.byteLength > maxTextBytes ? text : await compressText(text)
  const isTooLarge =
    body === text || body.byteLength + tags.byteLength + Buffer.byteLength(index) > maxItemBytes
  if (isTooLarge && sorted.length > 1) {
    const half = sorted.length >> 1
    const parts = [sorted.slice(0, half), sorted.slice(half)]
    const made = await Promise.all(parts.map(part => toPackContents(executionId, part, key, ttlSeconds)))
    return made.flat()
  }
  const packKey = toPackKey({ executionId, tags }, text, first.itemIndex, key)
  const head = { executionId, packKey, count: lines.length, index, lastItem: last.itemIndex, keyId: key.id }
  const expiry = ttlSeconds === undefined ? {} : { expiresAt: lastSecond(sorted) + ttlSeconds }
  return [{ record: { ...head, ...expiry, tags, body }, lines, key }]
}

/** By item, attempt and line, each once. */
function toSorted(entries: readonly PackedEntry[]): readonly PackedEntry[] {
  const isSorted = entries.every(
    (entry, at) => at === 0 || compareEntries(entries[at - 1] ?? entry, entry) < 0,
  )
  if (isSorted) return entries
  const order = (a: PackedEntry, b: PackedEntry): number =>
    compareEntries(a, b) || (a.line < b.line ? -1 : Number(a.line > b.line))
  return entries.toSorted(order).filter(({ line }, at, all) => line !== all[at - 1]?.line)
}

function lastSecond(entries: readonly PackedEntry[]): number {
  let last = ''
  for (const { timestamp } of entries) if (timestamp > last) last = timestamp
  return Math.floor(Date.parse(last) / 1000)
}
