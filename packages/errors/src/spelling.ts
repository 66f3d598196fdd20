/** What is longer is no name that somebody typed. */
const maxCharacters = 256

/** The candidate that a typing mistake most likely meant, or `undefined` if none is near. */
export function closest(
  word: string,
  candidates: Iterable<string>,
  limit: number = Math.max(1, Math.floor(word.length / 4)),
): string | undefined {
  if (word.length > maxCharacters) return undefined
  const given = word.toLowerCase()
  let best: string | undefined
  let bestDistance = limit + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue
    const distance = editDistance(given, candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
    if (bestDistance === 0) return best
  }
  return best
}

/** Insertions, deletions, substitutions and swaps of neighbours; gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (a === b) return 0
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const current: number[] = [i]
    let least = i
    // further from the diagonal, more letters were added or left out than the limit allows
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j += 1) {
      const substitution = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let cost = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, substitution)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(beforePrevious, j - 2) + 1)
      }
      current[j] = cost
      least = Math.min(least, cost)
    }
    if (least >= limit) return limit
    beforePrevious = previous
    previous = current
  }
  return at(previous, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
