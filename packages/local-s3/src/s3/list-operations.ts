import type { Bucket } from './bucket.ts'
import { keyEncoding } from './key-encoding.ts'
import { type Listing, listKeys } from './listing.ts'
import { type Operation, xmlResponse } from './operation.ts'
import { S3Error } from './s3-error.ts'
import { queryNumber, queryValue, type S3Request } from './s3-request.ts'
import { toXml, type XmlElements } from './xml.ts'

const maxListedKeys = 1000

export const listObjectsV2: Operation = async (request, { store }) => {
  const bucket = store.bucket(request.bucket)
  const token = queryValue(request, 'continuation-token')
  const startAfter = queryValue(request, 'start-after')
  const page = readPage(request, bucket, token === undefined ? (startAfter ?? '') : fromToken(token))
  const owner = queryValue(request, 'fetch-owner') === 'true'
  return xmlResponse(
    toXml('ListBucketResult', {
      ...page.head,
      KeyCount: page.listing.keys.length + page.listing.commonPrefixes.length,
      ContinuationToken: token,
      NextContinuationToken:
        page.listing.next === undefined ? undefined : Buffer.from(page.listing.next).toString('base64url'),
      StartAfter: startAfter === undefined ? undefined : page.encode(startAfter),
      ...contents(bucket, page, owner),
    }),
  )
}

export const listObjects: Operation = async (request, { store }) => {
  const bucket = store.bucket(request.bucket)
  const marker = queryValue(request, 'marker') ?? ''
  const page = readPage(request, bucket, marker)
  return xmlResponse(
    toXml('ListBucketResult', {
      ...page.head,
      Marker: page.encode(marker),
      NextMarker:
        page.listing.next === undefined || page.head['Delimiter'] === undefined
          ? undefined
          : page.encode(page.listing.next),
      ...contents(bucket, page, true),
    }),
  )
}

interface Page {
  readonly listing: Listing
  readonly head: XmlElements
  readonly encode: (text: string) => string
}

function readPage(request: S3Request, bucket: Bucket, after: string): Page {
  const { encodingType, encode } = keyEncoding(request)
  const prefix = queryValue(request, 'prefix') ?? ''
  const delimiter = queryValue(request, 'delimiter') ?? ''
  const asked = queryNumber(request, 'max-keys', { min: 0, max: 2_147_483_647, fallback: maxListedKeys })
  const maxKeys = Math.min(asked, maxListedKeys)
  const listing = listKeys(bucket.index, { prefix, delimiter, after, maxKeys })
  return {
    listing,
    encode,
    head: {
      Name: bucket.name,
      Prefix: encode(prefix),
      Delimiter: delimiter === '' ? undefined : encode(delimiter),
      EncodingType: encodingType,
      MaxKeys: maxKeys,
      IsTruncated: listing.next !== undefined,
    },
  }
}

function contents(bucket: Bucket, { listing, encode }: Page, owner: boolean): XmlElements {
  return {
    Contents: listing.keys.flatMap(key => {
      const object = bucket.get(key)
      if (object === undefined) return []
      return [
        {
          Key: encode(key),
          LastModified: new Date(object.lastModified).toISOString(),
          ETag: `"${object.etag}"`,
          ChecksumAlgorithm: object.checksum?.algorithm,
          ChecksumType: object.checksum?.type,
          Size: object.size,
          Owner: owner ? { ID: 'local', DisplayName: 'local' } : undefined,
          StorageClass: object.headers['x-amz-storage-class'] ?? 'STANDARD',
        },
      ]
    }),
    CommonPrefixes: listing.commonPrefixes.map(prefix => ({ Prefix: encode(prefix) })),
  }
}

function fromToken(token: string): string {
  const key = Buffer.from(token, 'base64url').toString()
  if (key === '' || Buffer.from(key).toString('base64url') !== token) {
    throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect', {
      ArgumentName: 'continuation-token',
    })
  }
  return key
}
