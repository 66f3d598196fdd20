import type { AuditKey } from '../audit-keys.ts'
import { entryProblem } from '../audit-problem.ts'
import type { AuditVerificationError } from '../errors.ts'
import { toItemPrefix } from '../records.ts'
import { parseIndex } from './item-runs.ts'
import { hashLines } from './pack-lines.ts'
import type { PackRecord } from './pack-record.ts'
import { compareEntries, parseLineHead, tagBytes, toTags } from './packed-entry.ts'

/**
 * Of a block that is not what was written: its first entry that is not. By the tags, which only a writer can make,
 * the index, and the order of the lines. Undefined where they all fit each other, or none of them can be read.
 */
export function locateChange(
  pack: PackRecord,
  lines: readonly string[],
  key: AuditKey,
): AuditVerificationError | undefined {
  const written = splitTags(Buffer.from(pack.tags).toString('hex'))
  const found = splitTags(toTags(pack.executionId, hashLines(lines), key).toString('hex'))
  const items = itemsOf(pack.index)
  const at = written.findIndex((tag, index) => tag !== found[index])
  if (at === -1) return locateByOrder(pack, lines, items)

  const tag = written[at] as string
  const line = lines[at]
  const isElsewhere = found.includes(tag)
  const isMissing = !isElsewhere && (line === undefined || written.includes(found[at] ?? ''))
  // An index has an item once for each type; it tells which one this is only where no item has more entries.
  const itemIndex = items.length === written.length ? items[at] : undefined
  const kind = isElsewhere ? 'reordered' : isMissing ? 'missing' : 'changed'
  const what = { reordered: "is in another's place", missing: 'is missing', changed: 'was changed' }[kind]
  return problem(pack, at, isMissing ? undefined : line, itemIndex, kind, what)
}

/** Entries that are genuine themselves: one was dropped together with its tag, or the order was changed. */
function locateByOrder(
  pack: PackRecord,
  lines: readonly string[],
  items: readonly number[],
): AuditVerificationError | undefined {
  const heads = lines.map(parseLineHead)
  const unsorted = heads.findIndex((head, at) => {
    const before = heads[at - 1]
    return head !== undefined && before !== undefined && compareEntries(before, head) > 0
  })
  if (unsorted !== -1) {
    return problem(pack, unsorted, lines[unsorted], undefined, 'reordered', "is in another's place")
  }
  const present = new Set(heads.map(head => head?.itemIndex))
  const gone = items.findIndex(item => !present.has(item))
  return gone === -1 ? undefined : problem(pack, gone, undefined, items[gone], 'missing', 'is missing')
}

function problem(
  { writer, first }: PackRecord,
  at: number,
  line: string | undefined,
  itemIndex: number | undefined,
  kind: 'changed' | 'missing' | 'reordered',
  what: string,
): AuditVerificationError | undefined {
  const head = line === undefined ? undefined : parseLineHead(line)
  const item = itemIndex ?? head?.itemIndex
  if (item === undefined) return undefined
  const entryKey = `${toItemPrefix(item)}${String(head?.attempt ?? 1).padStart(6, '0')}#`
  return entryProblem(kind, { writer, sequence: first + at, entryKey }, what)
}

function itemsOf(index: string): number[] {
  const items: number[] = []
  for (const { from, to } of parseIndex(index) ?? []) {
    // An index that was tampered with may claim anything.
    if (to - from > 5000) return []
    for (let item = from; item <= to; item += 1) items.push(item)
  }
  return items.sort((a, b) => a - b)
}

function splitTags(hex: string): string[] {
  return hex.match(new RegExp(`.{${tagBytes * 2}}`, 'g')) ?? []
}
