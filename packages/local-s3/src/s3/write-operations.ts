import { openBody, readDocument } from './body.ts'
import type { StoredObject } from './bucket.ts'
import { assertMay } from './callers.ts'
import { defaultChecksumAlgorithm } from './checksum.ts'
import { type WriteCondition, writeCondition } from './conditions.ts'
import { objectHeaders } from './object-headers.ts'
import { type Operation, xmlResponse } from './operation.ts'
import { checksumHeaders } from './read-operations.ts'
import { S3Error } from './s3-error.ts'
import { headerValue } from './s3-request.ts'
import { dropSegments, writeSegment } from './segments.ts'
import { childText, parseXml, toXml, type XmlElements, type XmlNode } from './xml.ts'

export const putObject: Operation = async (request, { store, publisher, now, authorization }) => {
  const bucket = store.bucket(request.bucket)
  const condition = writeCondition(request)
  const headers = objectHeaders(request)
  const body = openBody(request, authorization, defaultChecksumAlgorithm)
  const segment = await writeSegment(bucket.data, body.content)
  try {
    const { size, md5, checksum } = body.result()
    const object: StoredObject = {
      key: request.key,
      size,
      etag: md5.toString('hex'),
      lastModified: now(),
      segments: [segment],
      headers,
      ...(checksum === undefined ? {} : { checksum }),
    }
    await bucket.commit(object, condition)
    publisher.publish({ ...object, bucket: bucket.name, requestId: request.id, reason: 'PutObject' })
    return { status: 200, headers: { etag: `"${object.etag}"`, ...checksumHeaders(object) } }
  } catch (error) {
    await dropSegments(bucket.data, [segment])
    throw error
  }
}

export const deleteObject: Operation = async (request, { store }) => {
  const ifMatch = headerValue(request, 'if-match')
  await store
    .bucket(request.bucket)
    .remove(request.key, ifMatch === undefined ? always : writeCondition(request))
  return { status: 204 }
}

const always: WriteCondition = () => {}
const maxDeletes = 1000

export const deleteObjects: Operation = async (request, { store, authorization, caller }) => {
  const bucket = store.bucket(request.bucket)
  const body = openBody(request, authorization)
  const document = parseXml(await readDocument(body))
  const protectedByHash = headerValue(request, 'content-md5') !== undefined || body.result().checksum
  if (!protectedByHash) {
    throw new S3Error(
      'InvalidRequest',
      'Missing required header for this request: Content-MD5 OR x-amz-checksum-*',
    )
  }
  const objects = document?.children.filter(({ name }) => name === 'Object') ?? []
  if (document?.name !== 'Delete' || objects.length === 0 || objects.length > maxDeletes) {
    throw new S3Error('MalformedXML')
  }
  const quiet = childText(document, 'Quiet') === 'true'
  const deleted: XmlElements[] = []
  const failed: XmlElements[] = []
  // A list that is refused deletes nothing.
  const listed = objects.map(toDeletion)
  for (const { key, etag } of listed) {
    try {
      assertMay(caller, { action: 's3:DeleteObject', bucket: bucket.name, key })
      await bucket.remove(key, etag === undefined ? always : sameEtag(etag))
      deleted.push({ Key: key })
    } catch (error) {
      if (!(error instanceof S3Error)) throw error
      failed.push({ Key: key, Code: error.code, Message: error.message })
    }
  }
  return xmlResponse(toXml('DeleteResult', { Deleted: quiet ? undefined : deleted, Error: failed }))
}

function toDeletion(object: XmlNode): { key: string; etag: string | undefined } {
  const key = childText(object, 'Key')
  if (key === undefined || key === '') throw new S3Error('MalformedXML')
  refuseElements(object)
  return { key, etag: childText(object, 'ETag') }
}

// Versions, and conditions that only directory buckets have.
function refuseElements(object: XmlNode): void {
  const unknown = object.children.find(
    ({ name, text }) => !['Key', 'ETag'].includes(name) && !(name === 'VersionId' && text === 'null'),
  )
  if (unknown === undefined) return
  throw new S3Error('NotImplemented', `This server does not implement the element ${unknown.name}`)
}

function sameEtag(etag: string): WriteCondition {
  return existing => {
    if (existing === undefined) throw new S3Error('NoSuchKey')
    if (etag !== '*' && etag.replace(/^"|"$/g, '') !== existing.etag) throw new S3Error('PreconditionFailed')
  }
}
