import { type AuthorizeOptions, assertPolicySigned } from './authorize.ts'
import type { StoredObject } from './bucket.ts'
import { assertMay, callerOf } from './callers.ts'
import { defaultChecksumAlgorithm } from './checksum.ts'
import { createDigests } from './copy-operations.ts'
import { readForm } from './form-data.ts'
import { objectHeaders } from './object-headers.ts'
import { type Context, type S3Response, xmlResponse } from './operation.ts'
import { assertPolicy, type SizeLimits } from './post-policy.ts'
import { refuseHeaders } from './refuse-headers.ts'
import { S3Error } from './s3-error.ts'
import { assertKeyLength, headerValue, type S3Request, toHeaderValue } from './s3-request.ts'
import { dropSegments, writeSegment } from './segments.ts'
import { toXml } from './xml.ts'

type PostContext = Omit<Context, 'authorization' | 'caller'> & AuthorizeOptions

/** Whether a request is a form that a browser sends, which carries its signature in a field. */
export function isFormUpload(request: S3Request): boolean {
  return (
    request.method === 'POST' &&
    request.key === '' &&
    /^multipart\/form-data\b/i.test(headerValue(request, 'content-type') ?? '')
  )
}

/** PostObject: a browser's upload by a form whose policy was signed. */
export async function postObject(request: S3Request, context: PostContext): Promise<S3Response> {
  const chunks = request.incoming.iterator({ destroyOnReturn: false })
  try {
    return await storeForm(request, context, chunks)
  } finally {
    // Let go of, or the rest of a form that is refused could not be read.
    await chunks.return?.()
  }
}

async function storeForm(
  request: S3Request,
  context: PostContext,
  chunks: AsyncIterator<Buffer>,
): Promise<S3Response> {
  const { store, publisher, now } = context
  const { fields, fileName, file } = await readForm(chunks, headerValue(request, 'content-type') ?? '')
  const policy = fields['policy'] ?? ''
  if (policy === '') throw new S3Error('AccessDenied')
  const accessKeyId = await assertPolicySigned(policy, fields, context)
  const limits = assertPolicy(policy, { ...fields, bucket: request.bucket }, now())
  const bucket = store.bucket(request.bucket)
  const key = (fields['key'] ?? '').replaceAll(/\$\{filename\}/g, () => fileName)
  if (key === '') throw new S3Error('InvalidArgument', "Bucket POST must contain a field named 'key'.")
  assertKeyLength(key)
  assertMay(callerOf(context.callers, accessKeyId), { action: 's3:PutObject', bucket: bucket.name, key })
  const described = { ...request, key, headers: toHeaders(fields) }
  refuseHeaders(described)
  const headers = objectHeaders(described)
  const digests = createDigests(defaultChecksumAlgorithm)
  const segment = await writeSegment(bucket.data, digests.tap(within(file, limits)))
  const object: StoredObject = {
    key,
    size: segment.size,
    lastModified: now(),
    segments: [segment],
    headers,
    ...digests.result(),
  }
  try {
    await bucket.commit(object, () => {})
  } catch (error) {
    await dropSegments(bucket.data, [segment])
    throw error
  }
  publisher.publish({ ...object, bucket: bucket.name, requestId: request.id, reason: 'POST Object' })
  return answer(fields, object, bucket.name, context.endpoint)
}

async function* within(
  file: AsyncIterable<Buffer>,
  { minBytes, maxBytes }: SizeLimits,
): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of file) {
    size += chunk.length
    if (size > maxBytes) throw new S3Error('EntityTooLarge', undefined, { MaxSizeAllowed: String(maxBytes) })
    yield chunk
  }
  if (size < minBytes) throw new S3Error('EntityTooSmall', undefined, { MinSizeAllowed: String(minBytes) })
}

function toHeaders(fields: Readonly<Record<string, string>>): Record<string, string> {
  const { acl, tagging, ...others } = fields
  if (Object.keys(fields).some(name => name.startsWith('x-amz-checksum-'))) {
    throw new S3Error('NotImplemented', 'This server does not implement checksums of forms')
  }
  const headers = {
    ...others,
    ...(acl && { 'x-amz-acl': acl }),
    ...(tagging && { 'x-amz-tagging': tagging }),
  }
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, toHeaderValue(name, value)]),
  )
}

function answer(
  fields: Readonly<Record<string, string>>,
  { key, etag }: StoredObject,
  bucketName: string,
  endpoint: string,
): S3Response {
  const location = `${endpoint}/${bucketName}/${encodeURIComponent(key)}`
  const headers = { etag: `"${etag}"`, location }
  const redirect = fields['success_action_redirect'] ?? ''
  if (URL.canParse(redirect)) {
    const url = new URL(redirect)
    for (const [name, value] of Object.entries({ bucket: bucketName, key, etag: `"${etag}"` })) {
      url.searchParams.set(name, value)
    }
    return { status: 303, headers: { ...headers, location: url.href } }
  }
  const status = fields['success_action_status']
  if (status === '201') {
    const result = { Location: location, Bucket: bucketName, Key: key, ETag: `"${etag}"` }
    return { ...xmlResponse(toXml('PostResponse', result, ''), headers), status: 201 }
  }
  return { status: status === '200' ? 200 : 204, headers }
}
