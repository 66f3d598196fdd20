/** Remembers which keys were seen, in a fixed amount of memory. */
export interface KeySet {
  /** Whether the key was added before; undefined if it could not be remembered because the memory is full. */
  add(key: string): boolean | undefined
}

const minSlots = 1024

/**
 * Keeps 63 bits of each key: among a million different keys, two are taken for the same with a
 * probability of less than one in ten million.
 */
export function createKeySet(maxBytes: number): KeySet {
  const maxSlots = 2 ** Math.floor(Math.log2(Math.max(maxBytes, 8 * minSlots) / 8))
  let slots = Math.min(minSlots, maxSlots)
  let table = new Uint32Array(2 * slots)
  let used = 0

  function grow(): void {
    const old = table
    slots *= 2
    table = new Uint32Array(2 * slots)
    for (let at = 0; at < old.length; at += 2) {
      const high = old[at] as number
      const low = old[at + 1] as number
      if (high !== 0 || low !== 0) insert(high, low)
    }
  }

  function insert(high: number, low: number): boolean {
    for (let slot = high & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
      const at = 2 * slot
      if (table[at] === high && table[at + 1] === low) return true
      if (table[at] === 0 && table[at + 1] === 0) {
        table[at] = high
        table[at + 1] = low
        return false
      }
    }
  }

  return {
    add(key) {
      if (used >= slots * 0.7) {
        if (slots === maxSlots) return undefined
        grow()
      }
      let high = 0xdeadbeef
      let low = 0x41c6ce57
      for (let at = 0; at < key.length; at += 1) {
        const code = key.charCodeAt(at)
        high = Math.imul(high ^ code, 2_654_435_761)
        low = Math.imul(low ^ code, 1_597_334_677)
      }
      high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
      low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
      const known = insert(high >>> 0, (low | 1) >>> 0)
      if (!known) used += 1
      return known
    },
  }
}
