import { ConflictError, isTaskError, NotFoundError } from '@stepwright/errors'
import type { ObjectReader } from '../source/object-source.ts'
import { type Manifest, parseManifest } from '../split/manifest.ts'
import type { CsvStore } from './csv-store.ts'

/** Where the manifest of a split lies. */
export function manifestKeyOf(id: string): string {
  return `chunks/${id}/manifest.json`
}

/** Reads a manifest that a task has written; undefined if there is none. */
export async function readManifest(
  store: Pick<ObjectReader, 'get'>,
  key: string,
  signal?: AbortSignal,
): Promise<Manifest | undefined> {
  try {
    const { body } = await store.get(key, { signal })
    const parts: Uint8Array[] = []
    for await (const bytes of body) parts.push(bytes)
    return parseManifest(JSON.parse(Buffer.concat(parts).toString('utf8')))
  } catch (error) {
    if (isTaskError(error, NotFoundError)) return undefined
    throw error
  }
}

/** Writes the manifest unless another run was faster: then that one counts. */
export async function freezeManifest(
  store: CsvStore,
  key: string,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<Manifest> {
  try {
    await store.put(key, JSON.stringify(manifest), {
      contentType: 'application/json',
      ifNoneMatch: '*',
      signal,
    })
    return manifest
  } catch (error) {
    const first = isTaskError(error, ConflictError) && (await readManifest(store, key, signal))
    if (!first) throw error
    refuseOtherVersion(first, { etag: manifest.source.etag }, key)
    return first
  }
}

/** @throws ConflictError if the manifest was made of another version of the file */
export function refuseOtherVersion(
  { source }: Manifest,
  { etag }: { etag: string | undefined },
  manifestKey: string,
): void {
  if (source.etag === etag) return
  throw new ConflictError(
    `${manifestKey} belongs to another version of the file: give the new one an id of its own`,
    { code: 'MANIFEST_EXISTS', details: { manifestKey, splitEtag: source.etag, etag } },
  )
}
