import type { TextEdit } from './text-edit.ts'

/** More changed lines than that are not looked for one by one. */
const maxChanges = 500

/** The edits that make one text of another, line by line, so that an editor keeps cursor, folds and the rest as they are. */
export function lineEdits(before: string, after: string): readonly TextEdit[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1
  let tail = 0
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail += 1
  const changed = hunksOf(old.slice(head, old.length - tail), now.slice(head, now.length - tail))
  return changed.map(({ from, to, lines }) => toEdit(old, from + head, to + head, lines))
}

interface Hunk {
  /** The lines that go, counted from 0; `to` stays. */
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

function toEdit(old: readonly string[], from: number, to: number, lines: readonly string[]): TextEdit {
  const isLast = to >= old.length
  const start = isLast && from > 0 ? endOf(old, from - 1) : { line: from, character: 0 }
  const end = isLast ? endOf(old, old.length - 1) : { line: to, character: 0 }
  const text = lines.join('\n')
  if (!isLast) return { range: { start, end }, newText: lines.length === 0 ? '' : `${text}\n` }
  return { range: { start, end }, newText: from > 0 && lines.length > 0 ? `\n${text}` : text }
}

function endOf(lines: readonly string[], line: number): { line: number; character: number } {
  return { line, character: lines[line]?.length ?? 0 }
}

/** Myers' algorithm: the fewest lines that go and come. */
function hunksOf(old: readonly string[], now: readonly string[]): readonly Hunk[] {
  if (old.length === 0 && now.length === 0) return []
  const trace = findTrace(old, now)
  if (trace === undefined) return [{ from: 0, to: old.length, lines: now }]
  const hunks: { from: number; to: number; lines: string[] }[] = []
  let [x, y] = [old.length, now.length]
  for (let changes = trace.length - 1; changes >= 0; changes -= 1) {
    const ends = trace[changes] as ReadonlyMap<number, number>
    const k = x - y
    const isInsertion = k === -changes || (k !== changes && (ends.get(k - 1) ?? -1) < (ends.get(k + 1) ?? -1))
    const beforeK = isInsertion ? k + 1 : k - 1
    const beforeX = changes === 0 ? 0 : (ends.get(beforeK) ?? 0)
    const beforeY = changes === 0 ? 0 : beforeX - beforeK
    if (changes > 0) {
      // What was equal since then is passed over.
      const [atX, atY] = isInsertion ? [beforeX, beforeY + 1] : [beforeX + 1, beforeY]
      const last = hunks.at(-1)
      const line = isInsertion ? [now[atY - 1] as string] : []
      if (last !== undefined && last.from === atX && x - atX === 0) {
        last.from = beforeX
        last.lines.unshift(...line)
      } else hunks.push({ from: beforeX, to: atX, lines: line })
    }
    x = beforeX
    y = beforeY
  }
  return hunks.reverse()
}

/** How far each diagonal was followed, change by change; `undefined` if there are too many changes. */
function findTrace(
  old: readonly string[],
  now: readonly string[],
): readonly ReadonlyMap<number, number>[] | undefined {
  const trace: Map<number, number>[] = []
  const ends = new Map([[1, 0]])
  for (let changes = 0; changes <= Math.min(maxChanges, old.length + now.length); changes += 1) {
    trace.push(new Map(ends))
    for (let k = -changes; k <= changes; k += 2) {
      const isInsertion =
        k === -changes || (k !== changes && (ends.get(k - 1) ?? -1) < (ends.get(k + 1) ?? -1))
      let x = isInsertion ? (ends.get(k + 1) ?? 0) : (ends.get(k - 1) ?? 0) + 1
      let y = x - k
      while (x < old.length && y < now.length && old[x] === now[y]) {
        x += 1
        y += 1
      }
      ends.set(k, x)
      if (x >= old.length && y >= now.length) return trace
    }
  }
  return undefined
}
