import type { Manifest } from '@stepwright/csv-chunker'
import { type CsvStore, readManifest } from '@stepwright/csv-chunker/tasks'
import { NotFoundError } from '@stepwright/errors'

/** Reads how a file was split. */
export type ManifestReader = (key: string, signal: AbortSignal) => Promise<Manifest>

/** Keeps the manifest that was read last: it never changes, and a process imports many chunks of one file. */
export function createManifestReader(store: CsvStore): ManifestReader {
  let last: { readonly key: string; readonly manifest: Manifest } | undefined
  return async (key, signal) => {
    if (last?.key === key) return last.manifest
    const manifest = await readManifest(store, key, signal)
    if (!manifest) throw new NotFoundError(`there is no manifest ${key}`)
    last = { key, manifest }
    return manifest
  }
}
