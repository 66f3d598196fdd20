/** Runs tasks of the same key one after the other. */
export type KeyedLock = <T>(key: string, task: () => Promise<T>) => Promise<T>

export function createKeyedLock(): KeyedLock {
  const tails = new Map<string, Promise<unknown>>()
  return async (key, task) => {
    const turn = (tails.get(key) ?? Promise.resolve()).then(task)
    const tail = turn.catch(() => {})
    tails.set(key, tail)
    try {
      return await turn
    } finally {
      if (tails.get(key) === tail) tails.delete(key)
    }
  }
}
