import type { Bucket, StoredObject } from './bucket.ts'
import { type ByteRange, parseRange } from './byte-range.ts'
import { type Checksum, checksumHeader } from './checksum.ts'
import { assertReadable } from './conditions.ts'
import { overriddenHeaders } from './object-headers.ts'
import type { Operation } from './operation.ts'
import { S3Error } from './s3-error.ts'
import { headerValue, queryNumber, queryValue, type S3Request } from './s3-request.ts'
import { type OpenSegments, openSegments } from './segments.ts'
import { maxPartNumber } from './uploads.ts'

export const headObject: Operation = async (request, { store }) => {
  const object = findObject(store.bucket(request.bucket), request.key)
  return readResponse(request, object)
}

export const getObject: Operation = async (request, { store }) => {
  const { object, segments } = await openObject(store.bucket(request.bucket), request.key)
  try {
    const response = readResponse(request, object)
    const { start, end } = response.range
    return { ...response, body: { content: segments.read({ start, end }), close: segments.close } }
  } catch (error) {
    await segments.close()
    throw error
  }
}

export function findObject(bucket: Bucket, key: string): StoredObject {
  const object = bucket.get(key)
  if (object === undefined) throw new S3Error('NoSuchKey', undefined, { Key: key })
  return object
}

/** The current version of an object with its data held open. */
export async function openObject(
  bucket: Bucket,
  key: string,
): Promise<{ object: StoredObject; segments: OpenSegments }> {
  for (;;) {
    const object = findObject(bucket, key)
    try {
      return { object, segments: await openSegments(bucket.data, object.segments) }
    } catch (error) {
      // Replaced between the look and the opening: look again.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || bucket.get(key) === object) throw error
    }
  }
}

function readResponse(
  request: S3Request,
  object: StoredObject,
): { status: number; headers: Record<string, string>; range: ByteRange } {
  assertReadable(request, object)
  const asked = askedRange(request, object)
  const range = asked ?? { start: 0, end: object.size - 1 }
  const headers: Record<string, string> = {
    ...object.headers,
    ...overriddenHeaders(request),
    'accept-ranges': 'bytes',
    etag: `"${object.etag}"`,
    'last-modified': new Date(object.lastModified).toUTCString(),
    'content-length': String(range.end - range.start + 1),
  }
  if (asked !== undefined) headers['content-range'] = `bytes ${range.start}-${range.end}/${object.size}`
  if (queryValue(request, 'partNumber') !== undefined && object.partSizes !== undefined) {
    headers['x-amz-mp-parts-count'] = String(object.partSizes.length)
  }
  if (headerValue(request, 'x-amz-checksum-mode')?.toUpperCase() === 'ENABLED') {
    Object.assign(headers, checksumHeaders({ checksum: readChecksum(request, object) }))
  }
  return { status: asked === undefined ? 200 : 206, headers, range }
}

export function checksumHeaders({
  checksum,
}: {
  readonly checksum?: Checksum | undefined
}): Record<string, string> {
  if (checksum === undefined) return {}
  return { [checksumHeader(checksum.algorithm)]: checksum.value, 'x-amz-checksum-type': checksum.type }
}

/** Of the object, of one of its parts, and of no other range. */
function readChecksum(
  request: S3Request,
  { checksum, partSizes, partChecksums }: StoredObject,
): Checksum | undefined {
  const part = queryValue(request, 'partNumber')
  if (part === undefined) return headerValue(request, 'range') === undefined ? checksum : undefined
  if (partSizes === undefined || checksum === undefined) return checksum
  const value = partChecksums?.[Number(part) - 1]
  return value ? { ...checksum, value } : undefined
}

function askedRange(request: S3Request, object: StoredObject): ByteRange | undefined {
  const header = headerValue(request, 'range')
  if (queryValue(request, 'partNumber') === undefined) return parseRange(header, object.size)
  if (header !== undefined) {
    throw new S3Error('InvalidRequest', 'Cannot specify both Range header and partNumber query parameter')
  }
  const number = queryNumber(request, 'partNumber', { min: 1, max: maxPartNumber, fallback: 1 })
  const sizes = object.partSizes ?? [object.size]
  const size = sizes[number - 1]
  if (size === undefined) throw new S3Error('InvalidPartNumber')
  if (size === 0) return undefined
  const start = sizes.slice(0, number - 1).reduce((sum, one) => sum + one, 0)
  return { start, end: start + size - 1 }
}
