import type { ObjectStore } from '@stepwright/object-store'

export async function collectKeys(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list(prefix)) keys.push(key)
  return keys
}
