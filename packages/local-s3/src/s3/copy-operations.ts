import { createHash } from 'node:crypto'
import type { Bucket, StoredObject } from './bucket.ts'
import { type ByteRange, parseRange } from './byte-range.ts'
import {
  type Checksum,
  type ChecksumAlgorithm,
  checksumElement,
  createChecksum,
  defaultChecksumAlgorithm,
  parseChecksumAlgorithm,
} from './checksum.ts'
import { assertCopyable, writeCondition } from './conditions.ts'
import { parseCopySource } from './copy-source.ts'
import { changesItself, copiedHeaders, objectHeaders } from './object-headers.ts'
import { type Operation, xmlResponse } from './operation.ts'
import { findObject, openObject } from './read-operations.ts'
import { S3Error } from './s3-error.ts'
import { headerValue, queryNumber, queryValue, type S3Request } from './s3-request.ts'
import { copySegments, dropSegments, type OpenSegments, type Segment, writeSegment } from './segments.ts'
import type { Store } from './store.ts'
import { maxPartNumber } from './uploads.ts'
import { toXml, type XmlElements } from './xml.ts'

export const copyObject: Operation = async (request, { store, publisher, now }) => {
  const target = store.bucket(request.bucket)
  const condition = writeCondition(request)
  const directive = headerValue(request, 'x-amz-metadata-directive') ?? 'COPY'
  if (directive !== 'COPY' && directive !== 'REPLACE') {
    throw new S3Error('InvalidArgument', 'Unknown metadata directive.')
  }
  const { bucket, key } = copySource(request, store)
  const isItself = bucket === target && key === request.key
  if (isItself && directive === 'COPY' && !changesItself(request, findObject(bucket, key).headers)) {
    throw new S3Error(
      'InvalidRequest',
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    )
  }
  const source = await openObject(bucket, key)
  let segments: Segment[] = []
  try {
    assertCopyable(request, source.object)
    const algorithm = parseChecksumAlgorithm(headerValue(request, 'x-amz-checksum-algorithm'))
    const digests = await copiedDigests(source.object, source.segments, algorithm)
    segments = await copySegments(bucket.data, target.data, source.object.segments, source.segments)
    const object: StoredObject = {
      key: request.key,
      size: source.object.size,
      lastModified: now(),
      segments,
      headers: directive === 'COPY' ? copiedHeaders(request, source.object.headers) : objectHeaders(request),
      ...digests,
    }
    await target.commit(object, condition)
    publisher.publish({ ...object, bucket: target.name, requestId: request.id, reason: 'CopyObject' })
    return xmlResponse(
      toXml('CopyObjectResult', {
        ETag: `"${object.etag}"`,
        LastModified: new Date(object.lastModified).toISOString(),
        ...checksumElements(object.checksum),
      }),
    )
  } catch (error) {
    await dropSegments(target.data, segments)
    throw error
  } finally {
    await source.segments.close()
  }
}

export const uploadPartCopy: Operation = async (request, { store, now }) => {
  const target = store.bucket(request.bucket)
  const number = queryNumber(request, 'partNumber', { min: 1, max: maxPartNumber, fallback: 0 })
  const uploadId = queryValue(request, 'uploadId') ?? ''
  const upload = target.uploads.get(uploadId, request.key)
  const { bucket, key } = copySource(request, store)
  const source = await openObject(bucket, key)
  try {
    assertCopyable(request, source.object)
    const range = copiedRange(request, source.object)
    const digests = createDigests(upload.checksum?.algorithm ?? defaultChecksumAlgorithm)
    const segment = await writeSegment(target.data, digests.tap(source.segments.read(range)))
    const { etag, checksum } = digests.result()
    const lastModified = now()
    try {
      await target.uploads.putPart(uploadId, request.key, {
        number,
        segment,
        etag,
        lastModified,
        checksum,
      })
    } catch (error) {
      await dropSegments(target.data, [segment])
      throw error
    }
    return xmlResponse(
      toXml('CopyPartResult', {
        ETag: `"${etag}"`,
        LastModified: new Date(lastModified).toISOString(),
        ...checksumElements(checksum),
      }),
    )
  } finally {
    await source.segments.close()
  }
}

/** The elements that report a checksum in XML. */
export function checksumElements(checksum: Checksum | undefined): XmlElements {
  if (checksum === undefined) return {}
  return { [checksumElement(checksum.algorithm)]: checksum.value, ChecksumType: checksum.type }
}

function copySource(request: S3Request, store: Store): { bucket: Bucket; key: string } {
  const { bucket, key } = parseCopySource(headerValue(request, 'x-amz-copy-source') ?? '')
  const found = store.bucket(bucket)
  findObject(found, key)
  return { bucket: found, key }
}

// A copy is one whole: its ETag and checksum are those of all its bytes, also where the source was put together of parts.
async function copiedDigests(
  object: StoredObject,
  segments: OpenSegments,
  asked: ChecksumAlgorithm | undefined,
): Promise<Pick<StoredObject, 'etag' | 'checksum'>> {
  const algorithm = asked ?? object.checksum?.algorithm ?? defaultChecksumAlgorithm
  const whole = !object.etag.includes('-') && object.checksum?.type !== 'COMPOSITE'
  if (whole && object.checksum !== undefined && algorithm === object.checksum.algorithm) {
    return { etag: object.etag, checksum: object.checksum }
  }
  const digests = createDigests(algorithm)
  for await (const _ of digests.tap(segments.read({ start: 0, end: object.size - 1 })));
  return digests.result()
}

interface Digests {
  tap(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer>
  result(): { etag: string; checksum: Checksum }
}

/** The ETag and the checksum of what passes. */
export function createDigests(algorithm: ChecksumAlgorithm): Digests {
  const md5 = createHash('md5')
  const running = createChecksum(algorithm)
  return {
    async *tap(content) {
      for await (const chunk of content) {
        md5.update(chunk)
        running.update(chunk)
        yield chunk
      }
    },
    result: () => ({
      etag: md5.digest('hex'),
      checksum: { algorithm, value: running.digest().toString('base64'), type: 'FULL_OBJECT' },
    }),
  }
}

function copiedRange(request: S3Request, { size }: StoredObject): ByteRange {
  const header = headerValue(request, 'x-amz-copy-source-range')
  if (header === undefined) return { start: 0, end: size - 1 }
  const range = /^bytes=\d+-\d+$/.test(header) ? parseRange(header, size) : undefined
  if (range === undefined || Number(header.split('-')[1]) >= size) {
    throw new S3Error('InvalidArgument', `Range specified is not valid for source object of size: ${size}`, {
      ArgumentName: 'x-amz-copy-source-range',
      ArgumentValue: header,
    })
  }
  return range
}
