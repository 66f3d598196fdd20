import {
  createObjectSource,
  lintForItemReader,
  type ObjectManifest,
  splitToObjects,
} from '@stepwright/csv-chunker'
import type { ObjectStore } from '@stepwright/object-store'

/** Chunk files for a Distributed Map whose ItemReader reads CSV. */
export async function splitForItemReader(
  store: ObjectStore,
  key: string,
  id: string,
): Promise<ObjectManifest> {
  const source = createObjectSource(store, key)
  const [finding] = await lintForItemReader(source)
  if (finding) throw new TypeError(`Step Functions would change row ${finding.rowNumber}: ${finding.message}`)
  return splitToObjects(source, store, { id, rowsPerChunk: 5000 })
}
