import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { ConflictError, isTaskError, NotFoundError } from '@stepwright/errors'
import { aFunction, anything, assertOptions, aText } from '@stepwright/errors/options'
import { toRangeHeader } from './byte-range.ts'
import { requireExpiry, requireKey } from './call-rules.ts'
import { toParts, uploadParts } from './multipart-upload.ts'
import type { ObjectFacts, ObjectStore, PutOptions, PutResult, ReadOptions } from './object-store.ts'
import { findOwnWrite, markWrite } from './own-write.ts'
import { toStoreError } from './s3-error.ts'

export interface S3ObjectStoreOptions {
  readonly bucket: string
  /** The SDK's client, or what makes one for this store alone, which `close` ends. @default one from the environment */
  readonly client?: S3Client | (() => S3Client)
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

export interface S3ObjectStore extends ObjectStore {
  /** Ends the connections of its own client; one that was given stays open. */
  close(): void
}

/** S3 takes 10,000 parts: objects of up to 78 GiB. */
const partBytes = 8 * 1024 * 1024
/** Parts that are uploaded at the same time. */
const uploadConcurrency = 3
// What S3 takes in one call.
const maxDeletes = 1000

/** An object store in one bucket of S3, or of anything that speaks its protocol. */
export function createS3ObjectStore(options: S3ObjectStoreOptions): S3ObjectStore {
  assertOptions('createS3ObjectStore', options, { bucket: aText, client: anything, now: aFunction })
  const { bucket, client: given = () => new S3Client({}), now = Date.now } = options
  const client = typeof given === 'function' ? given() : given
  const presigner = withoutChecksums(client)
  const place = (key: string) => ({ Bucket: bucket, Key: requireKey(key) })
  const at = (signal: AbortSignal | undefined) => ({ ...(signal && { abortSignal: signal }) })
  const guarded = <T>(operation: string, key: string, call: Promise<T>): Promise<T> =>
    call.catch(error => {
      throw toStoreError(error, { operation, bucket, key })
    })

  async function put(key: string, body: Uint8Array | string, given: PutOptions): Promise<PutResult> {
    const { contentType, ifNoneMatch, ifMatch, signal } = given
    const mark = markWrite(given)
    const command = new PutObjectCommand({
      ...place(key),
      Body: body,
      ContentType: contentType,
      Metadata: mark,
      IfNoneMatch: ifNoneMatch,
      IfMatch: ifMatch,
    })
    try {
      const { ETag = '', VersionId } = await client.send(command, at(signal))
      return { etag: ETag, ...(VersionId && { versionId: VersionId }) }
    } catch (error) {
      const own = await findOwnWrite(error, mark, client, place(key))
      if (own) return own
      throw error
    }
  }

  async function upload(key: string, body: AsyncIterable<Uint8Array>, given: PutOptions): Promise<PutResult> {
    requireKey(key)
    const parts = toParts(body, partBytes)
    const first = await parts.next()
    // A stream of one part needs no multipart upload.
    if (first.done || first.value.length < partBytes) return put(key, first.value ?? new Uint8Array(), given)
    const target = { client, bucket, key, concurrency: uploadConcurrency }
    try {
      await refuseEarly(key, given)
      return await uploadParts(target, startWith(first.value, parts), given)
    } finally {
      // Also where none of it was sent: the source may hold a connection.
      await parts.return(undefined)
    }
  }

  /** Not after gigabytes were sent; and there are servers that look at conditions only in plain puts. */
  async function refuseEarly(key: string, { ifNoneMatch, ifMatch, signal }: PutOptions): Promise<void> {
    if (ifNoneMatch === undefined && ifMatch === undefined) return
    const existing = await head(key, { signal }).catch(error => {
      if (isTaskError(error, NotFoundError) && ifMatch === undefined) return undefined
      throw error
    })
    const holds = ifNoneMatch === '*' ? existing === undefined : existing?.etag === ifMatch
    if (!holds) throw new ConflictError(`the condition on ${key} does not hold`, { details: { key } })
  }

  async function head(key: string, { ifMatch, versionId, signal }: ReadOptions): Promise<ObjectFacts> {
    const command = new HeadObjectCommand({ ...place(key), IfMatch: ifMatch, VersionId: versionId })
    return guarded('HeadObject', key, client.send(command, at(signal)).then(toFacts))
  }

  return {
    head: (key, given = {}) => head(key, given),
    async get(key, given = {}) {
      const { range, ifMatch, versionId, signal } = given
      const header = range && toRangeHeader(range)
      if (range && header === undefined) return { ...(await head(key, given)), body: noBytes() }
      const command = new GetObjectCommand({
        ...place(key),
        Range: header,
        IfMatch: ifMatch,
        VersionId: versionId,
      })
      const answer = await guarded('GetObject', key, client.send(command, at(signal)))
      const total = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1]
      const facts = toFacts(total === undefined ? answer : { ...answer, ContentLength: Number(total) })
      return { ...facts, body: classified(answer.Body as AsyncIterable<Uint8Array>, bucket, key) }
    },
    put: (key, body, given = {}) => guarded('PutObject', key, put(key, body, given)),
    upload: (key, body, given = {}) => guarded('PutObject', key, upload(key, body, given)),
    async *list(prefix = '', { startAfter, signal } = {}) {
      for (let token: string | undefined; ; ) {
        const command = new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: prefix,
          StartAfter: startAfter,
          ContinuationToken: token,
        })
        const page = await guarded('ListObjectsV2', `${prefix}*`, client.send(command, at(signal)))
        for (const { Key = '', Size = 0, ETag = '', LastModified = new Date(0) } of page.Contents ?? []) {
          yield { key: Key, size: Size, etag: ETag, lastModified: LastModified }
        }
        token = page.NextContinuationToken
        if (token === undefined) return
      }
    },
    async delete(key, { signal } = {}) {
      await guarded('DeleteObject', key, client.send(new DeleteObjectCommand(place(key)), at(signal)))
    },
    async deleteMany(keys, { signal } = {}) {
      for (let start = 0; start < keys.length; start += maxDeletes) {
        const Objects = keys.slice(start, start + maxDeletes).map(key => ({ Key: requireKey(key) }))
        const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } })
        const answer = client.send(command, at(signal))
        const { Errors = [] } = await guarded('DeleteObjects', Objects[0]?.Key ?? '', answer)
        for (const failure of Errors) throw notDeleted(failure, bucket)
      }
    },
    async presignPut(key, { contentType, contentLength, expiresInSeconds = 900 }) {
      const command = new PutObjectCommand({
        ...place(key),
        ContentType: contentType,
        ContentLength: contentLength,
      })
      const url = await getSignedUrl(presigner, command, {
        expiresIn: requireExpiry(expiresInSeconds),
        signableHeaders: new Set(['host', 'content-type', 'content-length']),
      })
      const headers = {
        'content-type': contentType,
        ...(contentLength !== undefined && { 'content-length': String(contentLength) }),
      }
      return { url, method: 'PUT', headers, expiresAt: new Date(now() + expiresInSeconds * 1000) }
    },
    async presignGet(key, { expiresInSeconds = 900 } = {}) {
      const url = await getSignedUrl(presigner, new GetObjectCommand(place(key)), {
        expiresIn: requireExpiry(expiresInSeconds),
      })
      return { url, method: 'GET', headers: {}, expiresAt: new Date(now() + expiresInSeconds * 1000) }
    },
    close() {
      if (client !== given) client.destroy()
    },
  }
}

/** The same client. With the SDK's default a presigned PUT would be bound to the checksum of an empty body. */
function withoutChecksums(client: S3Client): S3Client {
  const config = { ...client.config, requestChecksumCalculation: async () => 'WHEN_REQUIRED' }
  return Object.create(client, { config: { value: config } })
}

interface HeadAnswer {
  readonly ContentLength?: number | undefined
  readonly ETag?: string | undefined
  readonly ContentType?: string | undefined
  readonly LastModified?: Date | undefined
  readonly VersionId?: string | undefined
}

function toFacts(answer: HeadAnswer): ObjectFacts {
  const { ContentLength = 0, ETag = '', ContentType, LastModified, VersionId } = answer
  return {
    size: ContentLength,
    etag: ETag,
    contentType: ContentType,
    lastModified: LastModified ?? new Date(0),
    ...(VersionId && { versionId: VersionId }),
  }
}

/** S3 answers 200 and says for each object what went wrong with it. */
function notDeleted(
  { Key = '', Code = '' }: { Key?: string | undefined; Code?: string | undefined },
  bucket: string,
): unknown {
  const status = { AccessDenied: 403, InternalError: 500, SlowDown: 503 }[Code] ?? 400
  const answer = { name: Code, $fault: 'client', $metadata: { httpStatusCode: status } }
  return toStoreError(answer, { operation: 'DeleteObjects', bucket, key: Key })
}

/** A connection that breaks while the body is read is the same trouble as one that breaks before. */
async function* classified(
  body: AsyncIterable<Uint8Array>,
  bucket: string,
  key: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw toStoreError(error, { operation: 'GetObject', bucket, key })
  }
}

async function* startWith<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first
  yield* rest
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
