/** Characters behind the common beginning that are looked at first. */
const UNITS = 4
const BYTE = 256

/**
 * The indexes of the texts in the order of `<`; equal texts stay in theirs. Four characters behind what all texts
 * begin with, and the index, are packed into a number, because numbers are sorted without a callback. Only texts
 * that agree in these characters are compared.
 */
export function textOrder(texts: readonly string[]): number[] {
  const start = commonPrefix(texts)
  const count = texts.length
  const packed = new Float64Array(count)
  for (let i = 0; i < count; i += 1) packed[i] = rankOf(texts[i] as string, start) * count + i
  packed.sort()
  const order = Array.from(packed, number => number % count)
  const rankAt = (position: number): number => Math.floor((packed[position] as number) / count)
  for (let from = 0; from < count; ) {
    let to = from + 1
    while (to < count && rankAt(to) === rankAt(from)) to += 1
    if (to - from > 1) sortRun(order, texts, from, to)
    from = to
  }
  return order
}

function sortRun(order: number[], texts: readonly string[], from: number, to: number): void {
  const run = order.slice(from, to).sort((a, b) => {
    const [first, second] = [texts[a] as string, texts[b] as string]
    return first < second ? -1 : first > second ? 1 : 0
  })
  for (const [i, index] of run.entries()) order[from + i] = index
}

/** A byte a character; from the first character on that is too big for it, the number says nothing. */
function rankOf(text: string, start: number): number {
  let rank = 0
  let isTold = true
  for (let i = start; i < start + UNITS; i += 1) {
    const unit: number = isTold && i < text.length ? text.charCodeAt(i) : 0
    isTold = isTold && unit < BYTE - 1
    rank = rank * BYTE + Math.min(unit, BYTE - 1)
  }
  return rank
}

function commonPrefix(texts: readonly string[]): number {
  const first = texts[0] ?? ''
  let length = first.length
  for (const text of texts) {
    let same = 0
    while (same < length && text.charCodeAt(same) === first.charCodeAt(same)) same += 1
    length = same
  }
  return length
}
