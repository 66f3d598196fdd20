import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, describe, expect, it } from 'vitest'
import { startS3 } from '../s3.ts'

const origin = 'https://app.example'
const s3 = await startS3({
  buckets: ['uploads', 'private', 'constructor'],
  corsOrigins: { uploads: [origin, 'http://localhost:*'] },
})
const { endpoint, region, credentials } = s3
const client = new S3Client({ endpoint, region, credentials, requestChecksumCalculation: 'WHEN_REQUIRED' })
afterAll(async () => {
  client.destroy()
  await s3.stop()
})

function ask(bucket: string, headers: Record<string, string>) {
  return fetch(`${endpoint}/${bucket}/a.csv`, { method: 'OPTIONS', headers })
}
function put(Bucket: string): Promise<string> {
  return getSignedUrl(client, new PutObjectCommand({ Bucket, Key: 'a.csv' }))
}

describe('pages of other origins', () => {
  it('may ask whether they may upload, and then upload', async () => {
    const preflight = await ask('uploads', {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'Content-Type,x-amz-meta-a',
    })
    expect(preflight.status).toBe(200)
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, PUT, POST',
      'access-control-allow-headers': 'content-type,x-amz-meta-a',
      vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
    })
    const uploaded = await fetch(await put('uploads'), { method: 'PUT', body: 'x', headers: { origin } })
    expect([uploaded.status, uploaded.headers.get('access-control-allow-origin')]).toEqual([200, origin])
    expect(uploaded.headers.get('access-control-expose-headers')).toBe('ETag')
  })

  it('can read a refusal', async () => {
    const refused = await fetch(`${endpoint}/uploads/a.csv`, { headers: { origin: 'http://localhost:5173' } })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
  })

  it.each([
    ['another origin', 'uploads', { origin: 'https://evil.example', 'access-control-request-method': 'PUT' }],
    ['a method that is not allowed', 'uploads', { origin, 'access-control-request-method': 'DELETE' }],
    ['a bucket without origins', 'private', { origin, 'access-control-request-method': 'PUT' }],
  ])('may not from %s', async (_, bucket, headers) => {
    const preflight = await ask(bucket, headers)
    expect(preflight.status).toBe(403)
    expect(await preflight.text()).toContain('<Code>AccessForbidden</Code>')
  })

  it('cannot read what they may not have', async () => {
    const uploaded = await fetch(await put('private'), { method: 'PUT', body: 'x', headers: { origin } })
    expect(uploaded.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('may not use a bucket by a name that every JavaScript object knows', async () => {
    const uploaded = await fetch(await put('constructor'), { method: 'PUT', body: 'x', headers: { origin } })
    expect([uploaded.status, uploaded.headers.get('access-control-allow-origin')]).toEqual([200, null])
    const headers = { origin, 'access-control-request-method': 'PUT' }
    expect((await ask('constructor', headers)).status).toBe(403)
  })

  it('have to say where they are and what they want', async () => {
    expect((await ask('uploads', { 'access-control-request-method': 'PUT' })).status).toBe(400)
    expect((await ask('uploads', { origin })).status).toBe(400)
  })
})
