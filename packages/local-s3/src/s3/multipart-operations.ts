import { createHash } from 'node:crypto'
import { openBody, readDocument } from './body.ts'
import type { StoredObject } from './bucket.ts'
import {
  type Checksum,
  checksumElement,
  checksumHeader,
  compositeChecksum,
  createChecksum,
  defaultChecksumAlgorithm,
  parseChecksumAlgorithm,
} from './checksum.ts'
import { writeCondition } from './conditions.ts'
import { checksumElements } from './copy-operations.ts'
import { combineCrc64Nvme } from './crc.ts'
import { objectHeaders } from './object-headers.ts'
import { type Operation, type S3Response, xmlResponse } from './operation.ts'
import { S3Error } from './s3-error.ts'
import { headerValue, queryNumber, queryValue, type S3Request } from './s3-request.ts'
import { dropSegments, openSegments, type Segment, writeSegment } from './segments.ts'
import { maxPartNumber, type StoredPart, type Upload, type UploadFields } from './uploads.ts'
import { childText, parseXml, toXml } from './xml.ts'

const minPartBytes = 5 * 1024 ** 2

export const createMultipartUpload: Operation = async (request, { store, now }) => {
  const bucket = store.bucket(request.bucket)
  const checksum = uploadChecksum(request)
  const upload = await bucket.uploads.create({
    key: request.key,
    initiated: now(),
    headers: objectHeaders(request),
    ...(checksum === undefined ? {} : { checksum }),
  })
  const headers: Record<string, string> =
    checksum === undefined
      ? {}
      : { 'x-amz-checksum-algorithm': checksum.algorithm, 'x-amz-checksum-type': checksum.type }
  const result = { Bucket: bucket.name, Key: request.key, UploadId: upload.id }
  return xmlResponse(toXml('InitiateMultipartUploadResult', result), headers)
}

export const uploadPart: Operation = async (request, { store, now, authorization }) => {
  const bucket = store.bucket(request.bucket)
  const number = queryNumber(request, 'partNumber', { min: 1, max: maxPartNumber, fallback: 0 })
  const uploadId = queryValue(request, 'uploadId') ?? ''
  const upload = bucket.uploads.get(uploadId, request.key)
  const body = openBody(request, authorization, upload.checksum?.algorithm ?? defaultChecksumAlgorithm)
  const segment = await writeSegment(bucket.data, body.content)
  try {
    const { md5, checksum } = body.result()
    if (upload.checksum !== undefined && checksum?.algorithm !== upload.checksum.algorithm) {
      throw new S3Error(
        'InvalidRequest',
        `Checksum Type mismatch occurred, expected checksum Type: ${upload.checksum.algorithm.toLowerCase()}, actual checksum Type: ${checksum?.algorithm.toLowerCase()}`,
      )
    }
    const etag = md5.toString('hex')
    await bucket.uploads.putPart(uploadId, request.key, {
      number,
      segment,
      etag,
      lastModified: now(),
      ...(checksum === undefined ? {} : { checksum }),
    })
    const headers: Record<string, string> =
      checksum === undefined ? {} : { [checksumHeader(checksum.algorithm)]: checksum.value }
    return { status: 200, headers: { etag: `"${etag}"`, ...headers } }
  } catch (error) {
    await dropSegments(bucket.data, [segment])
    throw error
  }
}

export const completeMultipartUpload: Operation = async (request, context) => {
  const { store, publisher, now, endpoint, authorization } = context
  const bucket = store.bucket(request.bucket)
  const uploadId = queryValue(request, 'uploadId') ?? ''
  const madeOfIt = (): StoredObject | undefined => {
    const object = bucket.get(request.key)
    return object?.uploadId === uploadId ? object : undefined
  }
  if (madeOfIt() === undefined) bucket.uploads.get(uploadId, request.key)
  const condition = writeCondition(request)
  const listed = parseParts(await readDocument(openBody(withoutObjectChecksum(request), authorization)))
  const answer = (object: StoredObject): S3Response =>
    completed(bucket.name, object, `${endpoint}${request.rawPath}`)
  const publish = (object: StoredObject): void =>
    publisher.publish({
      ...object,
      bucket: bucket.name,
      requestId: request.id,
      reason: 'CompleteMultipartUpload',
    })
  let made: StoredObject | undefined
  try {
    await bucket.uploads.finish(uploadId, request.key, async upload => {
      const parts = listed.map(part => findPart(upload, part))
      made = { ...(await toObject(request, upload, parts, bucket.data)), lastModified: now() }
      await bucket.commit(made, condition)
      return made.segments
    })
  } catch (error) {
    // A client that did not hear the answer asks again.
    const before = madeOfIt()
    const isRepeated = error instanceof S3Error && error.code === 'NoSuchUpload'
    if (!isRepeated || before?.etag !== multipartEtag(listed)) throw error
    if (!publisher.hasPublished(uploadId)) publish(before)
    return answer(before)
  }
  const object = made as unknown as StoredObject
  publish(object)
  return answer(object)
}

async function toObject(
  request: S3Request,
  upload: Upload,
  parts: readonly StoredPart[],
  data: string,
): Promise<Omit<StoredObject, 'lastModified'>> {
  assertLargeEnough(parts)
  const segments = parts.map(part => part.segment)
  const size = segments.reduce((sum, segment) => sum + segment.size, 0)
  assertAnnouncedSize(request, size)
  const checksum = await objectChecksum(upload, parts, data)
  assertAnnounced(request, checksum)
  return {
    key: request.key,
    size,
    etag: multipartEtag(parts),
    segments,
    headers: upload.headers,
    partSizes: segments.map(segment => segment.size),
    uploadId: upload.id,
    checksum,
    // As on S3, known of each part only where the upload named an algorithm.
    ...(upload.checksum && { partChecksums: parts.map(part => part.checksum?.value ?? '') }),
  }
}

function completed(bucketName: string, object: StoredObject, location: string): S3Response {
  return xmlResponse(
    toXml('CompleteMultipartUploadResult', {
      Location: location,
      Bucket: bucketName,
      Key: object.key,
      ETag: `"${object.etag}"`,
      ...checksumElements(object.checksum),
    }),
  )
}

export const abortMultipartUpload: Operation = async (request, { store }) => {
  const { uploads } = store.bucket(request.bucket)
  await uploads.finish(queryValue(request, 'uploadId') ?? '', request.key, async () => [])
  return { status: 204 }
}

/** A part as the client lists it. */
interface ListedPart {
  readonly number: number
  readonly etag: string
  readonly checksums: Readonly<Record<string, string>>
}

function parseParts(text: string): ListedPart[] {
  const document = parseXml(text)
  const parts = document?.children.filter(({ name }) => name === 'Part') ?? []
  if (document?.name !== 'CompleteMultipartUpload' || parts.length === 0) throw new S3Error('MalformedXML')
  const listed = parts.map(part => {
    const number = childText(part, 'PartNumber') ?? ''
    const etag = childText(part, 'ETag')
    if (!/^\d{1,5}$/.test(number) || etag === undefined) throw new S3Error('MalformedXML')
    const checksums = part.children.filter(({ name }) => name.startsWith('Checksum'))
    return {
      number: Number(number),
      etag: etag.replace(/^"|"$/g, ''),
      checksums: Object.fromEntries(checksums.map(({ name, text }) => [name, text])),
    }
  })
  const ascending = listed.every((part, index) => part.number > (listed[index - 1]?.number ?? 0))
  if (!ascending) throw new S3Error('InvalidPartOrder')
  return listed
}

function findPart(upload: Upload, { number, etag, checksums }: ListedPart): StoredPart {
  const part = upload.part(number)
  const known = part?.checksum
  const sent = known === undefined ? undefined : checksums[checksumElement(known.algorithm)]
  if (part === undefined || part.etag !== etag || (sent !== undefined && sent !== known?.value)) {
    throw new S3Error('InvalidPart', undefined, {
      UploadId: upload.id,
      PartNumber: String(number),
      ETag: etag,
    })
  }
  if (sent === undefined && upload.checksum?.type === 'COMPOSITE') {
    throw new S3Error(
      'InvalidRequest',
      `The upload was created using a ${upload.checksum.algorithm.toLowerCase()} checksum. The complete request must include the checksum for each part. It was missing for part ${number} in the request.`,
    )
  }
  return part
}

function assertLargeEnough(parts: readonly StoredPart[]): void {
  const small = parts.slice(0, -1).find(part => part.segment.size < minPartBytes)
  if (small === undefined) return
  throw new S3Error('EntityTooSmall', undefined, {
    ProposedSize: String(small.segment.size),
    MinSizeAllowed: String(minPartBytes),
    ETag: small.etag,
  })
}

function multipartEtag(parts: readonly Pick<StoredPart, 'etag'>[]): string {
  const md5 = createHash('md5')
  for (const { etag } of parts) md5.update(Buffer.from(etag, 'hex'))
  return `${md5.digest('hex')}-${parts.length}`
}

function uploadChecksum(request: S3Request): UploadFields['checksum'] {
  const name = headerValue(request, 'x-amz-checksum-algorithm')
  if (name === undefined) return undefined
  const algorithm = parseChecksumAlgorithm(name)
  if (algorithm === undefined)
    throw new S3Error('InvalidRequest', 'Checksum algorithm provided is unsupported.')
  const usual = algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE'
  const type = headerValue(request, 'x-amz-checksum-type') ?? usual
  const impossible = algorithm.startsWith('SHA')
    ? 'FULL_OBJECT'
    : algorithm === 'CRC64NVME'
      ? 'COMPOSITE'
      : ''
  if ((type !== 'FULL_OBJECT' && type !== 'COMPOSITE') || type === impossible) {
    throw new S3Error(
      'InvalidRequest',
      `The ${type} checksum type cannot be used with the ${name} checksum algorithm.`,
    )
  }
  return { algorithm, type }
}

async function objectChecksum(upload: Upload, parts: readonly StoredPart[], data: string): Promise<Checksum> {
  const { algorithm, type } = upload.checksum ?? {
    algorithm: defaultChecksumAlgorithm,
    type: 'FULL_OBJECT',
  }
  if (type === 'COMPOSITE') {
    return compositeChecksum(
      algorithm,
      parts.map(part => part.checksum?.value ?? ''),
    )
  }
  if (algorithm === 'CRC64NVME' && parts.every(part => part.checksum?.algorithm === algorithm)) {
    const pieces = parts.map(({ checksum, segment }) => ({
      crc: Buffer.from(checksum?.value ?? '', 'base64'),
      size: segment.size,
    }))
    return { algorithm, value: combineCrc64Nvme(pieces).toString('base64'), type }
  }
  const segments: Segment[] = parts.map(part => part.segment)
  const size = segments.reduce((sum, segment) => sum + segment.size, 0)
  const opened = await openSegments(data, segments)
  const running = createChecksum(algorithm)
  try {
    for await (const chunk of opened.read({ start: 0, end: size - 1 })) running.update(chunk)
  } finally {
    await opened.close()
  }
  return { algorithm, value: running.digest().toString('base64'), type }
}

// Here a checksum header speaks of the object, not of the document that the body is.
function withoutObjectChecksum(request: S3Request): S3Request {
  const headers = Object.entries(request.headers).filter(([name]) => !name.startsWith('x-amz-checksum-'))
  return { ...request, headers: Object.fromEntries(headers) }
}

function assertAnnouncedSize(request: S3Request, size: number): void {
  const announced = headerValue(request, 'x-amz-mp-object-size')
  if (announced === undefined || announced === String(size)) return
  throw new S3Error('InvalidRequest', `The parts have ${size} bytes in all, and not ${announced}.`)
}

function assertAnnounced(request: S3Request, checksum: Checksum): void {
  const announced = headerValue(request, checksumHeader(checksum.algorithm))
  if (announced !== undefined && announced !== checksum.value) {
    throw new S3Error(
      'BadDigest',
      `The ${checksum.algorithm} you specified did not match the calculated checksum.`,
    )
  }
}
