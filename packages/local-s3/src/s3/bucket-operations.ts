import { openBody, readDocument } from './body.ts'
import { type Operation, xmlResponse } from './operation.ts'
import { S3Error } from './s3-error.ts'
import { headerValue, queryNumber, queryValue } from './s3-request.ts'
import { childText, parseXml, toXml } from './xml.ts'

const owner = { ID: 'local', DisplayName: 'local' }

const maxListedBuckets = 10_000

export const listBuckets: Operation = async (request, { store, region }) => {
  const prefix = queryValue(request, 'prefix')
  const token = queryValue(request, 'continuation-token')
  const after = token === undefined ? '' : Buffer.from(token, 'base64url').toString()
  const max = queryNumber(request, 'max-buckets', {
    min: 1,
    max: maxListedBuckets,
    fallback: maxListedBuckets,
  })
  const inRegion = (queryValue(request, 'bucket-region') ?? region) === region
  const found = store
    .buckets()
    .filter(({ name }) => inRegion && name > after && name.startsWith(prefix ?? ''))
  const page = found.slice(0, max)
  const last = page.at(-1)
  return xmlResponse(
    toXml('ListAllMyBucketsResult', {
      Owner: owner,
      Buckets: {
        Bucket: page.map(({ name, createdAt }) => ({
          Name: name,
          CreationDate: new Date(createdAt).toISOString(),
          BucketRegion: region,
        })),
      },
      ContinuationToken:
        found.length > page.length && last ? Buffer.from(last.name).toString('base64url') : undefined,
      Prefix: prefix,
    }),
  )
}

export const createBucket: Operation = async (request, { store, now, region, authorization }) => {
  const hasBody = (headerValue(request, 'content-length') ?? '0') !== '0'
  if (hasBody) {
    const document = parseXml(await readDocument(openBody(request, authorization)))
    if (document?.name !== 'CreateBucketConfiguration') throw new S3Error('MalformedXML')
    const wanted = childText(document, 'LocationConstraint') ?? region
    if (wanted !== region) {
      throw new S3Error('InvalidArgument', `The location ${wanted} is not that of this server, ${region}`)
    }
  }
  // A thing of the past that only the first region still does.
  const again = region === 'us-east-1' && store.buckets().some(({ name }) => name === request.bucket)
  if (!again) await store.create(request.bucket, now())
  return { status: 200, headers: { location: `/${request.bucket}` } }
}

export const headBucket: Operation = async (request, { store, region }) => {
  store.bucket(request.bucket)
  return { status: 200, headers: { 'x-amz-bucket-region': region } }
}

export const deleteBucket: Operation = async (request, { store }) => {
  await store.delete(request.bucket)
  return { status: 204 }
}

// The one region that S3 answers with nothing is its first.
export const getBucketLocation: Operation = async (request, { store, region }) => {
  store.bucket(request.bucket)
  const text = region === 'us-east-1' ? '' : region
  return xmlResponse(
    `<?xml version="1.0" encoding="UTF-8"?>\n<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${text}</LocationConstraint>`,
  )
}
