/** The smallest item first, by its key. */
export interface Heap<T> {
  readonly size: number
  peek(): T | undefined
  push(item: T): void
  pop(): T | undefined
  /** Drops the items that are not worth keeping. */
  retain(isKept: (item: T) => boolean): void
  clear(): void
}

export function createHeap<T>(keyOf: (item: T) => number): Heap<T> {
  let items: T[] = []
  let keys: number[] = []

  /** Puts an item at a place that is free, or above it. */
  const up = (item: T, key: number, from: number): void => {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      const parentKey = keys[parent] as number
      if (parentKey <= key) break
      items[at] = items[parent] as T
      keys[at] = parentKey
      at = parent
    }
    items[at] = item
    keys[at] = key
  }
  /** Puts an item at the first place, which is free, or below it. */
  const down = (item: T, key: number): void => {
    const { length } = items
    let at = 0
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && (keys[child + 1] as number) < (keys[child] as number)) child += 1
      const childKey = keys[child] as number
      if (key <= childKey) break
      items[at] = items[child] as T
      keys[at] = childKey
      at = child
    }
    items[at] = item
    keys[at] = key
  }

  return {
    get size() {
      return items.length
    },
    peek: () => items[0],
    push: item => up(item, keyOf(item), items.length),
    pop() {
      const first = items[0]
      const last = items.pop()
      const lastKey = keys.pop()
      if (items.length > 0) down(last as T, lastKey as number)
      return first
    },
    retain(isKept) {
      items = items.filter(isKept).sort((one, other) => keyOf(one) - keyOf(other))
      keys = items.map(keyOf)
    },
    clear() {
      items = []
      keys = []
    },
  }
}
