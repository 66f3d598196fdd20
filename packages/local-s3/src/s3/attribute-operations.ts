import type { StoredObject } from './bucket.ts'
import { checksumElement } from './checksum.ts'
import { checksumElements } from './copy-operations.ts'
import { type Operation, xmlResponse } from './operation.ts'
import { findObject } from './read-operations.ts'
import { S3Error } from './s3-error.ts'
import { headerValue, type S3Request } from './s3-request.ts'
import { toXml, type XmlElements } from './xml.ts'

/** Always none: tags are refused when they are written. */
export const getObjectTagging: Operation = async (request, { store }) => {
  findObject(store.bucket(request.bucket), request.key)
  return xmlResponse(toXml('Tagging', { TagSet: {} }))
}

const attributes = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize']
const maxListedParts = 1000

export const getObjectAttributes: Operation = async (request, { store }) => {
  const object = findObject(store.bucket(request.bucket), request.key)
  const asked = askedAttributes(request)
  const known: XmlElements = {
    ETag: object.etag,
    Checksum: object.checksum === undefined ? undefined : checksumElements(object.checksum),
    ObjectParts: object.partSizes === undefined ? undefined : listedParts(request, object, object.partSizes),
    StorageClass: object.headers['x-amz-storage-class'] ?? 'STANDARD',
    ObjectSize: object.size,
  }
  return xmlResponse(
    toXml('GetObjectAttributesResponse', Object.fromEntries(asked.map(name => [name, known[name]]))),
    { 'last-modified': new Date(object.lastModified).toUTCString() },
  )
}

function askedAttributes(request: S3Request): string[] {
  const asked = (headerValue(request, 'x-amz-object-attributes') ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)
  if (asked.length === 0) {
    throw new S3Error(
      'InvalidRequest',
      'The x-amz-object-attributes header specifying the attributes to be retrieved is either missing or empty',
    )
  }
  if (!asked.every(name => attributes.includes(name))) {
    throw new S3Error('InvalidArgument', 'Invalid attribute name specified.')
  }
  return asked
}

// As S3 does, without the parts themselves where they have no checksums of their own.
function listedParts(request: S3Request, object: StoredObject, sizes: readonly number[]): XmlElements {
  const { checksum, partChecksums } = object
  if (checksum === undefined || partChecksums === undefined) return { PartsCount: sizes.length }
  const maxParts = headerNumber(request, 'x-amz-max-parts', maxListedParts)
  const marker = headerNumber(request, 'x-amz-part-number-marker', 0)
  const end = Math.min(sizes.length, marker + Math.min(maxParts, maxListedParts))
  const numbers = sizes.map((_, index) => index + 1).slice(marker, end)
  return {
    PartsCount: sizes.length,
    PartNumberMarker: marker,
    NextPartNumberMarker: numbers.at(-1) ?? 0,
    MaxParts: maxParts,
    IsTruncated: end < sizes.length,
    Part: numbers.map(number => ({
      PartNumber: number,
      Size: sizes[number - 1],
      [checksumElement(checksum.algorithm)]: partChecksums[number - 1],
    })),
  }
}

function headerNumber(request: S3Request, name: string, fallback: number): number {
  const text = headerValue(request, name)
  if (text === undefined) return fallback
  if (!/^\d{1,9}$/.test(text)) throw new S3Error('InvalidArgument', `${name} must be a whole number`)
  return Number(text)
}
