import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, describe, expect, it } from 'vitest'
import { testBucket } from '../vitest/test-bucket.ts'

const { clientConfig, bucket: Bucket } = await testBucket()
const client = new S3Client({
  ...clientConfig,
  maxAttempts: 1,
  // By default the URL would carry the checksum of an empty body.
  requestChecksumCalculation: 'WHEN_REQUIRED',
})
afterAll(() => client.destroy())
await client.send(
  new PutObjectCommand({ Bucket, Key: 'ä b/c+d', Body: 'content', ContentType: 'text/plain' }),
)

function getUrl(options: object = {}): Promise<string> {
  return getSignedUrl(client, new GetObjectCommand({ Bucket, Key: 'ä b/c+d' }), options)
}

function minutesAgo(minutes: number): Date {
  return new Date(Date.now() - minutes * 60_000)
}
function amzDate(date: Date): string {
  return date.toISOString().replace(/[-:]|\.\d+/g, '')
}

async function refusal(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, init)
  return { status: response.status, code: /<Code>(.*?)<\/Code>/.exec(await response.text())?.[1] }
}
function changed(url: string, change: (query: URLSearchParams) => void): string {
  const result = new URL(url)
  change(result.searchParams)
  return result.href
}

describe('presigned URLs', () => {
  it('get an object without credentials', async () => {
    const response = await fetch(await getUrl())
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(await response.text()).toBe('content')
  })

  it('get a range of it', async () => {
    const response = await fetch(await getUrl(), { headers: { range: 'bytes=3-' } })
    expect([response.status, await response.text()]).toEqual([206, 'tent'])
  })

  it('head, list and delete', async () => {
    await client.send(new PutObjectCommand({ Bucket, Key: 'gone', Body: 'x' }))
    const head = await getSignedUrl(client, new HeadObjectCommand({ Bucket, Key: 'gone' }))
    expect((await fetch(head, { method: 'HEAD' })).headers.get('content-length')).toBe('1')
    const list = await getSignedUrl(client, new ListObjectsV2Command({ Bucket, Prefix: 'go' }))
    expect(await (await fetch(list)).text()).toContain('<Key>gone</Key>')
    const remove = await getSignedUrl(client, new DeleteObjectCommand({ Bucket, Key: 'gone' }))
    expect((await fetch(remove, { method: 'DELETE' })).status).toBe(204)
    expect((await fetch(head, { method: 'HEAD' })).status).toBe(404)
  })

  it('put an object with the type and metadata that were signed', async () => {
    const command = new PutObjectCommand({
      Bucket,
      Key: 'put',
      ContentType: 'text/csv',
      Metadata: { a: 'b c' },
    })
    const url = await getSignedUrl(client, command)
    const response = await fetch(url, { method: 'PUT', body: 'a,b', headers: { 'content-type': 'text/csv' } })
    expect(response.status).toBe(200)
    expect(await client.send(new HeadObjectCommand({ Bucket, Key: 'put' }))).toMatchObject({
      ContentType: 'text/csv',
      Metadata: { a: 'b c' },
      ContentLength: 3,
    })
  })

  it('upload a part', async () => {
    const Key = 'part'
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
    const command = new UploadPartCommand({ Bucket, Key, UploadId: UploadId ?? '', PartNumber: 1 })
    const response = await fetch(await getSignedUrl(client, command), { method: 'PUT', body: 'part' })
    expect(response.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/)
  })

  it('bind signed headers to their values', async () => {
    const command = new PutObjectCommand({ Bucket, Key: 'typed', ContentType: 'text/csv' })
    const url = await getSignedUrl(client, command, { signableHeaders: new Set(['content-type']) })
    const send = (type: string) => ({ method: 'PUT', body: 'x', headers: { 'content-type': type } })
    expect(await refusal(url, send('text/html'))).toEqual({ status: 403, code: 'SignatureDoesNotMatch' })
    expect((await fetch(url, send('text/csv'))).status).toBe(200)
  })

  it('verify the checksum that they carry', async () => {
    const command = new PutObjectCommand({ Bucket, Key: 'sum', ChecksumCRC32: 'NhCmhg==' })
    const url = await getSignedUrl(client, command)
    expect(await refusal(url, { method: 'PUT', body: 'other' })).toEqual({ status: 400, code: 'BadDigest' })
    expect((await fetch(url, { method: 'PUT', body: 'hello' })).status).toBe(200)
  })

  it('expire', async () => {
    const fresh = await getUrl({ signingDate: minutesAgo(60), expiresIn: 3700 })
    expect((await fetch(fresh)).status).toBe(200)
    const expired = await getUrl({ signingDate: minutesAgo(60), expiresIn: 3500 })
    expect(await refusal(expired)).toEqual({ status: 403, code: 'AccessDenied' })
    const tomorrow = await getUrl({ signingDate: minutesAgo(-24 * 60), expiresIn: 60 })
    expect(await refusal(tomorrow)).toEqual({ status: 403, code: 'AccessDenied' })
  })

  it.each([
    ['a longer life', (query: URLSearchParams) => query.set('X-Amz-Expires', '86400')],
    ['another date', (query: URLSearchParams) => query.set('X-Amz-Date', amzDate(minutesAgo(1)))],
    ['another signature', (query: URLSearchParams) => query.set('X-Amz-Signature', '0'.repeat(64))],
    ['a further parameter', (query: URLSearchParams) => query.set('response-content-type', 'text/html')],
  ])('are refused with %s', async (_, change) => {
    expect(await refusal(changed(await getUrl(), change))).toEqual({
      status: 403,
      code: 'SignatureDoesNotMatch',
    })
  })

  it('are refused for another key, method or bucket', async () => {
    const url = await getUrl()
    const mismatch = { status: 403, code: 'SignatureDoesNotMatch' }
    expect(await refusal(url.replace('c%2Bd', 'c%2Be'))).toEqual(mismatch)
    expect(await refusal(url, { method: 'DELETE' })).toEqual(mismatch)
  })

  it('are refused with a wrong secret or an unknown key', async () => {
    const sign = (credentials: object) => {
      const stranger = new S3Client({
        ...clientConfig,
        credentials: { ...clientConfig.credentials, ...credentials },
      })
      return getSignedUrl(stranger, new GetObjectCommand({ Bucket, Key: 'ä b/c+d' }))
    }
    expect(await refusal(await sign({ secretAccessKey: 'wrong' }))).toEqual({
      status: 403,
      code: 'SignatureDoesNotMatch',
    })
    expect(await refusal(await sign({ accessKeyId: 'unknown' }))).toEqual({
      status: 403,
      code: 'InvalidAccessKeyId',
    })
  })

  it('are refused without a part of their signature', async () => {
    for (const name of ['X-Amz-Signature', 'X-Amz-Credential', 'X-Amz-SignedHeaders', 'X-Amz-Expires']) {
      const url = changed(await getUrl(), query => query.delete(name))
      expect(await refusal(url)).toEqual({ status: 400, code: 'AuthorizationQueryParametersError' })
    }
  })

  it('live for a week at most', async () => {
    const url = changed(await getUrl(), query => query.set('X-Amz-Expires', '604801'))
    expect(await refusal(url)).toEqual({ status: 400, code: 'AuthorizationQueryParametersError' })
  })

  it('carry metadata that is not ASCII', async () => {
    const titled = { Bucket, Key: 'titled' }
    const url = await getSignedUrl(client, new PutObjectCommand({ ...titled, Metadata: { title: '日本' } }))
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(200)
    const { Metadata } = await client.send(new HeadObjectCommand(titled))
    expect(Buffer.from(Metadata?.['title'] ?? '', 'latin1').toString()).toBe('日本')
  })
})
