import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bucket, createBucket, deleteBucket, openBucket } from './bucket.ts'
import { createKeyedLock } from './keyed-lock.ts'
import { S3Error } from './s3-error.ts'

/** All buckets, each a directory below `buckets`. */
export interface Store {
  /** Throws NoSuchBucket. */
  bucket(name: string): Bucket
  buckets(): Bucket[]
  create(name: string, createdAt: number): Promise<void>
  delete(name: string): Promise<void>
}

export async function openStore(home: string): Promise<Store> {
  const directory = join(home, 'buckets')
  // What is below is nobody else's to read.
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const buckets = new Map<string, Bucket>()
  for (const name of await readdir(directory)) {
    const found = await openBucket(join(directory, name), name)
    // A process that was killed while it created or deleted this bucket left it half there.
    if (found === undefined) await rm(join(directory, name), { recursive: true, force: true })
    else buckets.set(name, found)
  }
  const inTurn = createKeyedLock()

  function bucket(name: string): Bucket {
    const found = buckets.get(name)
    if (found === undefined) throw new S3Error('NoSuchBucket', undefined, { BucketName: name })
    return found
  }
  return {
    bucket,
    buckets: () => [...buckets.values()].sort((one, other) => (one.name < other.name ? -1 : 1)),
    create: (name, createdAt) =>
      inTurn(name, async () => {
        if (!isBucketName(name)) throw new S3Error('InvalidBucketName', undefined, { BucketName: name })
        if (buckets.has(name)) throw new S3Error('BucketAlreadyOwnedByYou', undefined, { BucketName: name })
        buckets.set(name, await createBucket(join(directory, name), name, createdAt))
      }),
    delete: name =>
      inTurn(name, async () => {
        bucket(name).close()
        buckets.delete(name)
        await deleteBucket(join(directory, name))
      }),
  }
}

// Such a name is also a safe name for a directory.
function isBucketName(name: string): boolean {
  return (
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !name.includes('..') && !/^\d+(\.\d+){3}$/.test(name)
  )
}
