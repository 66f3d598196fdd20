import { isTaskError, NotFoundError, TemporaryError } from '@stepwright/errors'
import { type ObjectStore, readText, replaceJson } from '@stepwright/object-store'
import { latestSchemaKey, type Partition, s3Uri, symlinkKey } from './dataset.ts'
import type { Manifest } from './manifest.ts'
import { readFingerprint } from './read-fingerprint.ts'

export interface ReaderPorts {
  readonly curated: Pick<ObjectStore, 'get' | 'put'>
  readonly curatedBucket: string
}

/**
 * Says for Athena, Hive and the catalog what a manifest says. Whoever finds a partition in its place does it again: the
 * execution that published it may have been stopped in between.
 */
export async function tellReaders(
  manifest: Manifest,
  partition: Partition,
  ports: ReaderPorts,
  signal: AbortSignal,
): Promise<void> {
  await nameFiles(manifest, partition, ports, signal)
  await noteSchema(manifest, partition, ports.curated, signal)
}

async function nameFiles(
  { files }: Manifest,
  partition: Partition,
  { curated, curatedBucket }: ReaderPorts,
  signal: AbortSignal,
): Promise<void> {
  const lines = files.map(({ key }) => `${s3Uri(curatedBucket, key)}\n`).join('')
  const key = symlinkKey(partition)
  const named = await curated.get(key, { signal }).catch(error => {
    if (!isTaskError(error, NotFoundError)) throw error
  })
  if (named && (await readText(named)) === lines) return
  await curated.put(key, lines, { contentType: 'text/plain', signal })
}

/** The newest day says what the table is like: a backfill of old days does not take it back. */
async function noteSchema(
  { columns, schemaHash: hash, ds, rowCount }: Manifest,
  partition: Partition,
  curated: ReaderPorts['curated'],
  signal: AbortSignal,
): Promise<void> {
  const key = latestSchemaKey(partition)
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const latest = await readFingerprint(curated, key, signal)
    // Of a day without rows types can only be guessed, and all are texts.
    if (latest !== undefined && (latest.value.ds > ds || rowCount === 0)) return
    if (latest?.value.hash === hash && latest.value.ds === ds) return
    if (await replaceJson(curated, key, { hash, columns, ds }, latest, { signal })) return
  }
  throw new TemporaryError('the fingerprint of the schema was replaced again and again')
}
