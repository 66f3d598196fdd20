import type { GetOptions, ObjectStore, StoredObject } from './object-store.ts'

/** Of all ranges together. The batches of five concurrent workers take a third of it. */
const maxBytes = 1_048_576

interface Kept {
  readonly found: StoredObject
  readonly parts: readonly Uint8Array[]
}

/**
 * A store that keeps recently read ranges, up to 1 MiB, until they are read once more: for a process that writes a
 * chunk and then reads it again to record what became of it. Only reads with `range` and `ifMatch`, which are bound to
 * one version of an object.
 */
export function withRecentRanges<Store extends Pick<ObjectStore, 'get'>>(store: Store): Store {
  /** Those that were read first come first. */
  const kept = new Map<string, Kept>()
  let keptBytes = 0

  function take(id: string): Kept | undefined {
    const one = kept.get(id)
    if (kept.delete(id)) keptBytes -= bytesOf(one?.parts)
    return one
  }

  async function* keep(id: string, found: StoredObject): AsyncGenerator<Uint8Array> {
    const parts: Uint8Array[] = []
    for await (const part of found.body) {
      parts.push(part)
      yield part
    }
    take(id)
    kept.set(id, { found, parts })
    keptBytes += bytesOf(parts)
    for (const oldest of kept.keys()) if (keptBytes > maxBytes) take(oldest)
  }

  async function get(key: string, options: GetOptions = {}): Promise<StoredObject> {
    const { range, ifMatch, versionId, signal } = options
    if (range === undefined || ifMatch === undefined) return store.get(key, options)
    const id = JSON.stringify([key, ifMatch, versionId, range])
    signal?.throwIfAborted()
    // It is not kept a second time: if it was damaged in transit, the next try reads it from the store.
    const recent = take(id)
    if (recent) return { ...recent.found, body: replay(recent.parts) }
    const found = await store.get(key, options)
    return { ...found, body: keep(id, found) }
  }
  return { ...store, get }
}

async function* replay(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts
}

function bytesOf(parts: readonly Uint8Array[] = []): number {
  return parts.reduce((sum, { byteLength }) => sum + byteLength, 0)
}
