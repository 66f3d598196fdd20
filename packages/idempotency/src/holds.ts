/**
 * Which lock belongs to which call, when all that is known of a call is its payload. Objects are told apart by
 * identity. Where that leaves a doubt, nobody gets the lock: it is better left to expire than given to another.
 */
export interface Holds<Hold> {
  add(payload: unknown, hold: Hold): void
  /** A call with this payload was refused; it may ask for a lock that it never had. */
  refuse(payload: unknown): void
  /** The lock of the call that succeeded with this payload. */
  takeSucceeded(payload: unknown): Hold | undefined
  /** The lock of the call that failed with this payload, unless it may be one that was refused. */
  takeFailed(payload: unknown): Hold | undefined
}

interface Entry<Hold> {
  readonly holds: Hold[]
  refused: number
}

export function createHolds<Hold>(): Holds<Hold> {
  const byObject = new WeakMap<object, Entry<Hold>>()
  const byValue = new Map<unknown, Entry<Hold>>()
  const entriesFor = (payload: unknown): Pick<Map<unknown, Entry<Hold>>, 'get' | 'set' | 'delete'> =>
    typeof payload === 'object' && payload !== null ? (byObject as never) : byValue

  const take = (payload: unknown): Hold | undefined => {
    const entries = entriesFor(payload)
    const entry = entries.get(payload)
    if (entry === undefined) return undefined
    const doubtful = entry.holds.length > 1
    const hold = entry.holds.shift()
    if (entry.holds.length === 0) entries.delete(payload)
    return doubtful ? undefined : hold
  }

  return {
    add(payload, hold) {
      const entries = entriesFor(payload)
      const entry = entries.get(payload) ?? { holds: [], refused: 0 }
      entry.holds.push(hold)
      entries.set(payload, entry)
    },
    refuse(payload) {
      const entry = entriesFor(payload).get(payload)
      if (entry) entry.refused += 1
    },
    takeSucceeded: take,
    takeFailed(payload) {
      const entry = entriesFor(payload).get(payload)
      if (entry === undefined || entry.refused === 0) return take(payload)
      entry.refused -= 1
      return undefined
    },
  }
}
