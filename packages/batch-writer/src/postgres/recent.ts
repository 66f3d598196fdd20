/** Remembers the latest 100 entries: a warm Lambda must not grow with every job it ever saw. */
export interface Recent<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  delete(key: string): void
}

const limit = 100

export function createRecent<T>(): Recent<T> {
  const entries = new Map<string, T>()
  return {
    get: key => entries.get(key),
    delete: key => void entries.delete(key),
    set(key, value) {
      entries.set(key, value)
      if (entries.size > limit) entries.delete(entries.keys().next().value as string)
    },
  }
}
