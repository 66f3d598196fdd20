import type { S3Client } from '@aws-sdk/client-s3'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { PutOptions, PutResult } from './object-store.ts'
import { findOwnWrite, markWrite } from './own-write.ts'

export interface UploadTarget {
  readonly client: S3Client
  readonly bucket: string
  readonly key: string
  /** Parts that are uploaded at the same time. */
  readonly concurrency: number
}

/** Uploads parts as they come. If anything fails, the upload is given up and nothing is stored. */
export async function uploadParts(
  { client, bucket, key, concurrency }: UploadTarget,
  parts: AsyncIterable<Buffer>,
  given: PutOptions,
): Promise<PutResult> {
  const { contentType, ifMatch, ifNoneMatch, signal } = given
  const mark = markWrite(given)
  const place = { Bucket: bucket, Key: key }
  const abort = { ...(signal && { abortSignal: signal }) }
  const created = await client.send(
    new CreateMultipartUploadCommand({ ...place, ContentType: contentType, Metadata: mark }),
    abort,
  )
  const upload = { ...place, UploadId: created.UploadId }
  try {
    const done: { PartNumber: number; ETag: string | undefined }[] = []
    const running = new Set<Promise<void>>()
    let number = 0
    let failure: unknown
    for await (const body of parts) {
      const PartNumber = ++number
      const sending = client
        .send(new UploadPartCommand({ ...upload, PartNumber, Body: body }), abort)
        .then(({ ETag }) => void done.push({ PartNumber, ETag }))
        .catch(error => {
          failure ??= error
        })
        .finally(() => running.delete(sending))
      running.add(sending)
      if (running.size >= concurrency) await Promise.race(running)
      if (failure !== undefined) break
    }
    await Promise.all(running)
    if (failure !== undefined) throw failure
    const { ETag, VersionId } = await client.send(
      new CompleteMultipartUploadCommand({
        ...upload,
        IfMatch: ifMatch,
        IfNoneMatch: ifNoneMatch,
        MultipartUpload: { Parts: done.toSorted((a, b) => a.PartNumber - b.PartNumber) },
      }),
      abort,
    )
    const etag = ETag || ((await client.send(new HeadObjectCommand(place), abort)).ETag ?? '')
    return { etag, ...(VersionId && { versionId: VersionId }) }
  } catch (error) {
    const own = await findOwnWrite(error, mark, client, place)
    if (own) return own
    // The first failure is the one to report; a bucket's lifecycle rule clears what this leaves behind.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
    throw error
  }
}

/** Gathers a stream into buffers of exactly this size, but for the last. */
export async function* toParts(body: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Buffer> {
  let part = Buffer.allocUnsafe(partBytes)
  let filled = 0
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + partBytes - filled)
      part.set(taken, filled)
      filled += taken.length
      at += taken.length
      if (filled < partBytes) continue
      yield part
      part = Buffer.allocUnsafe(partBytes)
      filled = 0
    }
  }
  if (filled > 0) yield part.subarray(0, filled)
}
