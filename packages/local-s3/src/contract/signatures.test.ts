import { createHash } from 'node:crypto'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, describe, expect, it } from 'vitest'
import { testBucket } from '../vitest/test-bucket.ts'
import { type RawResponse, sendRaw, sendSigned, signHeaders } from './raw-request.ts'

const { clientConfig, bucket: Bucket } = await testBucket()
const client = new S3Client({ ...clientConfig, maxAttempts: 1 })
afterAll(() => client.destroy())
await client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a' }))

const path = `/${Bucket}/a`
const get = { method: 'GET', path }
function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
function minutesAgo(minutes: number): Date {
  return new Date(Date.now() - minutes * 60_000)
}
function reason({ status, code }: RawResponse): unknown {
  return { status, code }
}

async function resend(change: (headers: Record<string, string>) => Record<string, string>, more = {}) {
  const headers = await signHeaders(clientConfig, get)
  return sendRaw(clientConfig.endpoint, { ...get, headers: change(headers), ...more })
}

describe('signatures in headers', () => {
  it('let a request pass', async () => {
    expect(await sendSigned(clientConfig, get)).toMatchObject({ status: 200, text: 'a' })
  })

  it('are needed', async () => {
    expect(reason(await sendRaw(clientConfig.endpoint, get))).toEqual({ status: 403, code: 'AccessDenied' })
  })

  it('are refused with a wrong secret', async () => {
    const credentials = { ...clientConfig.credentials, secretAccessKey: 'wrong' }
    const response = await sendSigned({ ...clientConfig, credentials }, get)
    expect(reason(response)).toEqual({ status: 403, code: 'SignatureDoesNotMatch' })
  })

  it.each([
    ['header', {}, { authorization: 'AWS local:c2lnbmF0dXJl' }],
    ['query', { path: `${path}?AWSAccessKeyId=local&Signature=c2ln&Expires=2000000000` }, {}],
  ])('of version 2 are named in the refusal: %s', async (_, more, headers) => {
    const response = await sendRaw(clientConfig.endpoint, { ...get, ...more, headers })
    expect(reason(response)).toEqual({ status: 400, code: 'InvalidRequest' })
    expect(response.text).toContain('Signature Version 2 is not supported. Please use AWS4-HMAC-SHA256.')
  })

  it('are refused with an unknown key', async () => {
    const credentials = { ...clientConfig.credentials, accessKeyId: 'unknown' }
    const response = await sendSigned({ ...clientConfig, credentials }, get)
    expect(reason(response)).toEqual({ status: 403, code: 'InvalidAccessKeyId' })
  })

  it.each([
    ['another path', {}, { path: `/${Bucket}/b` }],
    ['another method', {}, { method: 'DELETE' }],
    ['a further query', {}, { path: `${path}?response-content-type=text/html` }],
    [
      'another date',
      { 'x-amz-date': new Date(Date.now() - 1000).toISOString().replace(/[-:]|\.\d+/g, '') },
      {},
    ],
    ['another host', { host: new URL(clientConfig.endpoint).host.replace('127.0.0.1', 'localhost') }, {}],
  ])('are refused for %s than was signed', async (_, headers, more) => {
    const response = await resend(signed => ({ ...signed, ...headers }), more)
    expect(reason(response)).toEqual({ status: 403, code: 'SignatureDoesNotMatch' })
  })

  it('are refused when cut, exchanged or empty', async () => {
    for (const wrong of [
      (header: string) => header.slice(0, -1),
      (header: string) => header.replace(/Signature=.*/, `Signature=${'0'.repeat(64)}`),
    ]) {
      const response = await resend(({ authorization = '', ...rest }) => ({
        ...rest,
        authorization: wrong(authorization),
      }))
      expect(reason(response)).toEqual({ status: 403, code: 'SignatureDoesNotMatch' })
    }
    const response = await resend(headers => ({ ...headers, authorization: 'AWS4-HMAC-SHA256 Credential=x' }))
    expect(reason(response)).toEqual({ status: 400, code: 'AuthorizationHeaderMalformed' })
  })

  it('cover every x-amz- header', async () => {
    const response = await resend(headers => ({ ...headers, 'x-amz-meta-added': 'later' }))
    expect(response.status).toBe(403)
  })

  it('are refused for another region', async () => {
    const response = await sendSigned(clientConfig, { ...get, region: 'eu-west-1' })
    expect(reason(response)).toEqual({ status: 400, code: 'AuthorizationHeaderMalformed' })
    expect(response.text).toContain(`<Region>${clientConfig.region}</Region>`)
  })

  it('are good for a quarter of an hour in both directions', async () => {
    const at = async (minutes: number) =>
      reason(await sendSigned(clientConfig, { ...get, signingDate: minutesAgo(minutes) }))
    expect(await at(14)).toMatchObject({ status: 200 })
    expect(await at(-14)).toMatchObject({ status: 200 })
    expect(await at(16)).toEqual({ status: 403, code: 'RequestTimeTooSkewed' })
    expect(await at(-16)).toEqual({ status: 403, code: 'RequestTimeTooSkewed' })
  })

  it('cover the body where its hash is signed', async () => {
    const put = { method: 'PUT', path: `/${Bucket}/hashed` }
    const headers = { 'x-amz-content-sha256': sha256('right'), 'content-length': '5' }
    const signed = await signHeaders(clientConfig, { ...put, headers })
    const wrong = await sendRaw(clientConfig.endpoint, { ...put, headers: signed, body: 'wrong' })
    expect(reason(wrong)).toEqual({ status: 400, code: 'XAmzContentSHA256Mismatch' })
    await expect(client.send(new GetObjectCommand({ Bucket, Key: 'hashed' }))).rejects.toMatchObject({
      name: 'NoSuchKey',
    })
    const right = await sendRaw(clientConfig.endpoint, { ...put, headers: signed, body: 'right' })
    expect(right.status).toBe(200)
  })

  it('cover a body that should be empty', async () => {
    const put = { method: 'PUT', path: `/${Bucket}/hashed` }
    const headers = { 'x-amz-content-sha256': sha256(''), 'content-length': '5' }
    const signed = await signHeaders(clientConfig, { ...put, headers })
    const wrong = await sendRaw(clientConfig.endpoint, { ...put, headers: signed, body: 'wrong' })
    expect(reason(wrong)).toEqual({ status: 400, code: 'XAmzContentSHA256Mismatch' })
  })
})
