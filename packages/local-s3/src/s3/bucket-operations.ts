import { openBody, readDocument } from './body.ts'
import { type Operation, xmlResponse } from './operation.ts'
import { S3Error } from './s3-error.ts'
import { headerValue } from './s3-request.ts'
import { childText, parseXml, toXml } from './xml.ts'

const owner = { ID: 'local', DisplayName: 'local' }

export const listBuckets: Operation = async (_request, { store }) =>
  xmlResponse(
    toXml('ListAllMyBucketsResult', {
      Owner: owner,
      Buckets: {
        Bucket: store
          .buckets()
          .map(({ name, createdAt }) => ({ Name: name, CreationDate: new Date(createdAt).toISOString() })),
      },
    }),
  )

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
