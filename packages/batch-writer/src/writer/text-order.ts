/** Characters behind the common beginning that are looked at first. */
const unitCount = 8
const digitCount = 256
const maxDigit = digitCount - 1

/**
 * The indexes of the texts in the order of `<`; equal texts stay in theirs. Eight characters behind what all
 * texts begin with are sorted digit by digit, without a callback. Only texts that agree in them are compared.
 */
export function textOrder(texts: readonly string[]): Uint32Array {
  const start = commonPrefix(texts)
  const digits = toDigits(texts, start)
  const order = radixOrder(digits, texts.length)
  const words = new Uint32Array(digits.buffer)
  for (let from = 0; from < order.length; ) {
    let to = from + 1
    while (to < order.length && agree(words, order[from] as number, order[to] as number)) to += 1
    if (to - from > 1) sortRun(order.subarray(from, to), texts)
    from = to
  }
  return order
}

/** A digit a character; from the first character on that is too big for one, the digits say nothing. */
function toDigits(texts: readonly string[], start: number): Uint8Array<ArrayBuffer> {
  const digits = new Uint8Array(texts.length * unitCount)
  for (let i = 0, at = 0; i < texts.length; i += 1, at += unitCount) {
    const text = texts[i] as string
    const units = Math.min(unitCount, text.length - start)
    for (let unit = 0; unit < units; unit += 1) {
      const code = text.charCodeAt(start + unit)
      digits[at + unit] = Math.min(code, maxDigit)
      if (code >= maxDigit) break
    }
  }
  return digits
}

/** From the last digit to the first, keeping the order of those before. */
function radixOrder(digits: Uint8Array, count: number): Uint32Array {
  let order = new Uint32Array(count)
  for (let i = 0; i < count; i += 1) order[i] = i
  let sorted = new Uint32Array(count)
  const places = new Uint32Array(digitCount)
  for (let unit = unitCount - 1; unit >= 0; unit -= 1) {
    places.fill(0)
    for (let at = unit; at < digits.length; at += unitCount) {
      const digit = digits[at] as number
      places[digit] = (places[digit] as number) + 1
    }
    for (let digit = 0, place = 0; digit < digitCount; digit += 1) {
      const size = places[digit] as number
      places[digit] = place
      place += size
    }
    for (let i = 0; i < count; i += 1) {
      const index = order[i] as number
      const digit = digits[index * unitCount + unit] as number
      const place = places[digit] as number
      sorted[place] = index
      places[digit] = place + 1
    }
    ;[order, sorted] = [sorted, order]
  }
  return order
}

/** Whether all digits are the same: eight are two words. */
function agree(words: Uint32Array, a: number, b: number): boolean {
  return words[2 * a] === words[2 * b] && words[2 * a + 1] === words[2 * b + 1]
}

function sortRun(run: Uint32Array, texts: readonly string[]): void {
  const sorted = Array.from(run).sort((a, b) => {
    const [first, second] = [texts[a] as string, texts[b] as string]
    return first < second ? -1 : first > second ? 1 : 0
  })
  run.set(sorted)
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
