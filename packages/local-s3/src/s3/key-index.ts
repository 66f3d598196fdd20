/** Keys in the order in which S3 lists them: that of their UTF-8 bytes. */
export interface KeyIndex {
  add(key: string): void
  delete(key: string): void
  readonly size: number
  at(position: number): string | undefined
  /** The position of the first key that is not before `key`. */
  lowerBound(key: string): number
  /** The position of the first key at or after `from` that does not start with `prefix`. */
  afterPrefix(prefix: string, from: number): number
}

/** Orders strings as their UTF-8 bytes, which differs from JavaScript's order beyond U+FFFF. */
export function compareKeys(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index += 1) {
    const a = one.charCodeAt(index)
    const b = other.charCodeAt(index)
    if (a !== b) return rank(a) - rank(b)
  }
  return one.length - other.length
}

// Surrogates stand for code points above U+FFFF, so they go behind all other units.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

export function createKeyIndex(keys: Iterable<string> = []): KeyIndex {
  const sorted = [...keys].sort(compareKeys)

  function firstWhere(from: number, holds: (key: string) => boolean): number {
    let low = from
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (holds(sorted[middle] as string)) high = middle
      else low = middle + 1
    }
    return low
  }
  const lowerBound = (key: string): number => firstWhere(0, one => compareKeys(one, key) >= 0)
  return {
    add(key) {
      const position = lowerBound(key)
      if (sorted[position] !== key) sorted.splice(position, 0, key)
    },
    delete(key) {
      const position = lowerBound(key)
      if (sorted[position] === key) sorted.splice(position, 1)
    },
    get size() {
      return sorted.length
    },
    at: position => sorted[position],
    lowerBound,
    afterPrefix: (prefix, from) => firstWhere(from, key => !key.startsWith(prefix)),
  }
}
