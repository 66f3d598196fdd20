import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Checksum } from './checksum.ts'
import type { Version, WriteCondition } from './conditions.ts'
import { readJsonFiles, writeJsonFile } from './json-file.ts'
import { createKeyIndex, type KeyIndex } from './key-index.ts'
import { createKeyedLock } from './keyed-lock.ts'
import { S3Error } from './s3-error.ts'
import { dropSegments, type Segment } from './segments.ts'
import { openUploads, type Uploads } from './uploads.ts'

export interface StoredObject extends Version {
  readonly key: string
  readonly size: number
  readonly segments: readonly Segment[]
  /** Content-Type, user metadata and what else comes back with the object. */
  readonly headers: Readonly<Record<string, string>>
  readonly checksum?: Checksum
  /** The sizes of its parts, for an object that was uploaded in parts. */
  readonly partSizes?: readonly number[]
  /** The checksums of its parts, where they have some. */
  readonly partChecksums?: readonly string[]
  /** The multipart upload that it came from. */
  readonly uploadId?: string
}

/** A bucket: a directory with one JSON file an object, named after the hash of its key, and the data beside them. */
export interface Bucket {
  readonly name: string
  readonly createdAt: number
  /** Where segments are written. */
  readonly data: string
  readonly index: KeyIndex
  readonly uploads: Uploads
  get(key: string): StoredObject | undefined
  /** Makes an object visible, in one step, if what it replaces meets the condition. */
  commit(object: StoredObject, condition: WriteCondition): Promise<void>
  remove(key: string, condition: WriteCondition): Promise<void>
  /** Refuses everything from now on, unless there are objects. */
  close(): void
}

// Written last and deleted first: a directory without it is no bucket.
const recordFile = 'bucket.json'

export async function createBucket(directory: string, name: string, createdAt: number): Promise<Bucket> {
  for (const part of ['objects', 'data', 'uploads'])
    await mkdir(join(directory, part), { recursive: true, mode: 0o700 })
  await writeJsonFile(join(directory, recordFile), { createdAt })
  return (await openBucket(directory, name)) as Bucket
}

export async function deleteBucket(directory: string): Promise<void> {
  await rm(join(directory, recordFile), { force: true })
  await rm(directory, { recursive: true, force: true, maxRetries: 3 })
}

/** A bucket on disk, or undefined if it was never created to the end. */
export async function openBucket(directory: string, name: string): Promise<Bucket | undefined> {
  const record = await readFile(join(directory, recordFile), 'utf8').catch(() => undefined)
  if (record === undefined) return undefined
  const { createdAt } = JSON.parse(record) as { createdAt: number }
  const data = join(directory, 'data')
  const stored = await readJsonFiles<StoredObject>(join(directory, 'objects'))
  const objects = new Map(stored.map(object => [object.key, object]))
  const index = createKeyIndex(objects.keys())
  const used = new Set(stored.flatMap(object => object.segments).map(segment => segment.file))
  const uploads = await openUploads(join(directory, 'uploads'), data, used)
  const parts = uploads.all().flatMap(upload => upload.parts())
  await dropUnused(data, new Set([...used, ...parts.map(part => part.segment.file)]))
  const inTurn = createKeyedLock()
  let closed = false

  const recordOf = (key: string): string =>
    join(directory, 'objects', `${createHash('sha256').update(key).digest('hex')}.json`)
  function assertOpen(): void {
    if (closed) throw new S3Error('NoSuchBucket', undefined, { BucketName: name })
  }
  return {
    name,
    createdAt,
    data,
    index,
    uploads,
    get: key => objects.get(key),
    commit: (object, condition) =>
      inTurn(object.key, async () => {
        assertOpen()
        const replaced = objects.get(object.key)
        condition(replaced)
        await writeJsonFile(recordOf(object.key), object)
        objects.set(object.key, object)
        index.add(object.key)
        if (replaced !== undefined) await dropSegments(data, replaced.segments)
      }),
    remove: (key, condition) =>
      inTurn(key, async () => {
        assertOpen()
        const removed = objects.get(key)
        condition(removed)
        if (removed === undefined) return
        await rm(recordOf(key), { force: true })
        objects.delete(key)
        index.delete(key)
        await dropSegments(data, removed.segments)
      }),
    close() {
      assertOpen()
      if (index.size > 0) throw new S3Error('BucketNotEmpty', undefined, { BucketName: name })
      closed = true
    },
  }
}

// What a process that was killed had begun to write.
async function dropUnused(data: string, used: ReadonlySet<string>): Promise<void> {
  for (const file of await readdir(data)) {
    if (!used.has(file)) await rm(join(data, file), { force: true })
  }
}
