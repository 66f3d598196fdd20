import type { AuditKey } from '../audit-keys.ts'
import { type PackLines, toPackLines } from './pack-lines.ts'
import { type PackRecord, toPackKey } from './pack-record.ts'
import { compressText, maxTextBytes } from './pack-text.ts'
import { compareEntries, type PackedEntry, parsePackedEntry, toTags } from './packed-entry.ts'

/** What a block holds, whoever's chain it becomes a link of. */
export interface PackContent {
  readonly record: Omit<PackRecord, 'writer' | 'number' | 'first' | 'previous' | 'mac'>
  /** Its lines, for whoever has to recognise them. */
  readonly text: Buffer
  readonly key: AuditKey
}

/** DynamoDB's 400 KiB for an item, less its keys, names and MACs. */
const maxItemBytes = 400_000

/** The same content for the same entries; more than one where they would not fit into an item. */
export async function toPackContents(
  executionId: string,
  given: PackLines,
  key: AuditKey,
  ttlSeconds: number | undefined,
): Promise<PackContent[]> {
  const lines = given.isSorted ? given : toPackLines(toSorted(entriesOf(given)))
  const { count, first, last, lastTime } = lines
  const tags = toTags(executionId, lines.hashes(), key)
  const text = lines.text()
  const index = lines.index()
  const body = text.byteLength > maxTextBytes ? text : await compressText(text)
  const isTooLarge =
    body === text || body.byteLength + tags.byteLength + Buffer.byteLength(index) > maxItemBytes
  if (isTooLarge && count > 1) {
    const entries = entriesOf(lines)
    const halves = [entries.slice(0, count >> 1), entries.slice(count >> 1)].map(toPackLines)
    const made = await Promise.all(halves.map(half => toPackContents(executionId, half, key, ttlSeconds)))
    return made.flat()
  }
  const packKey = toPackKey({ executionId, tags }, text, first?.itemIndex ?? 0, key)
  const head = { executionId, packKey, count, index, lastItem: last?.itemIndex ?? 0, keyId: key.id }
  const expiry = ttlSeconds === undefined ? {} : { expiresAt: toSeconds(lastTime) + ttlSeconds }
  return [{ record: { ...head, ...expiry, tags, body }, text, key }]
}

function entriesOf(lines: PackLines): PackedEntry[] {
  return lines.text().toString().split('\n').map(parsePackedEntry)
}

/** By item, attempt and line, each once. */
function toSorted(entries: readonly PackedEntry[]): readonly PackedEntry[] {
  const order = (a: PackedEntry, b: PackedEntry): number =>
    compareEntries(a, b) || (a.line < b.line ? -1 : Number(a.line > b.line))
  return entries.toSorted(order).filter(({ line }, at, all) => line !== all[at - 1]?.line)
}

function toSeconds(timestamp: string): number {
  return Math.floor(Date.parse(timestamp) / 1000)
}
