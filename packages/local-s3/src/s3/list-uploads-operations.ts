import { checksumElement } from './checksum.ts'
import { keyEncoding } from './key-encoding.ts'
import { type Operation, xmlResponse } from './operation.ts'
import { queryNumber, queryValue } from './s3-request.ts'
import { maxPartNumber } from './uploads.ts'
import { toXml } from './xml.ts'

export const listParts: Operation = async (request, { store }) => {
  const bucket = store.bucket(request.bucket)
  const upload = bucket.uploads.get(queryValue(request, 'uploadId') ?? '', request.key)
  const maxParts = queryNumber(request, 'max-parts', { min: 0, max: 1000, fallback: 1000 })
  const marker = queryNumber(request, 'part-number-marker', { min: 0, max: maxPartNumber, fallback: 0 })
  const left = upload.parts().filter(({ number }) => number > marker)
  const page = left.slice(0, maxParts)
  return xmlResponse(
    toXml('ListPartsResult', {
      Bucket: bucket.name,
      Key: request.key,
      UploadId: upload.id,
      PartNumberMarker: marker,
      NextPartNumberMarker: page.at(-1)?.number,
      MaxParts: maxParts,
      IsTruncated: left.length > page.length,
      StorageClass: upload.headers['x-amz-storage-class'] ?? 'STANDARD',
      ChecksumAlgorithm: upload.checksum?.algorithm,
      ChecksumType: upload.checksum?.type,
      Part: page.map(part => ({
        PartNumber: part.number,
        LastModified: new Date(part.lastModified).toISOString(),
        ETag: `"${part.etag}"`,
        Size: part.segment.size,
        ...(part.checksum && { [checksumElement(part.checksum.algorithm)]: part.checksum.value }),
      })),
    }),
  )
}

export const listMultipartUploads: Operation = async (request, { store }) => {
  const { encodingType, encode } = keyEncoding(request)
  const bucket = store.bucket(request.bucket)
  const prefix = queryValue(request, 'prefix') ?? ''
  const keyMarker = queryValue(request, 'key-marker') ?? ''
  const idMarker = queryValue(request, 'upload-id-marker') ?? ''
  const maxUploads = queryNumber(request, 'max-uploads', { min: 1, max: 1000, fallback: 1000 })
  const order = (key: string, id: string): string => `${key}\0${id}`
  const after = idMarker === '' ? `${keyMarker}\0\uffff` : order(keyMarker, idMarker)
  const left = bucket.uploads
    .all()
    .filter(({ key, id }) => key.startsWith(prefix) && (keyMarker === '' || order(key, id) > after))
    .sort((one, other) => (order(one.key, one.id) < order(other.key, other.id) ? -1 : 1))
  const page = left.slice(0, maxUploads)
  const more = left.length > page.length
  return xmlResponse(
    toXml('ListMultipartUploadsResult', {
      Bucket: bucket.name,
      KeyMarker: encode(keyMarker),
      UploadIdMarker: idMarker,
      NextKeyMarker: more ? encode(page.at(-1)?.key ?? '') : undefined,
      NextUploadIdMarker: more ? page.at(-1)?.id : undefined,
      Prefix: encode(prefix),
      EncodingType: encodingType,
      MaxUploads: maxUploads,
      IsTruncated: more,
      Upload: page.map(({ key, id, initiated, headers }) => ({
        Key: encode(key),
        UploadId: id,
        StorageClass: headers['x-amz-storage-class'] ?? 'STANDARD',
        Initiated: new Date(initiated).toISOString(),
      })),
    }),
  )
}
