import { isTaskError, NotFoundError } from '@stepwright/errors'
import { type ObjectStore, readText } from '@stepwright/object-store'
import { type Partition, s3Uri, symlinkKey } from './dataset.ts'
import type { Manifest } from './manifest.ts'

export interface ReaderPorts {
  readonly curated: Pick<ObjectStore, 'get' | 'put'>
  readonly curatedBucket: string
}

/**
 * Names the files of a manifest for Athena and Hive. It is done again for a partition that is in its place: the
 * execution that published it may have been stopped in between.
 */
export async function tellReaders(
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
