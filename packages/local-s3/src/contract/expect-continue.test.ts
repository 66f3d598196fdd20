import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { describe, expect, it } from 'vitest'
import { testBucket } from '../vitest/test-bucket.ts'
import { type RawRequest, signHeaders } from './raw-request.ts'

const { clientConfig, bucket } = await testBucket()

/** What a client that sends its body only when it is asked to sees, in order. */
async function send(raw: RawRequest, tamper: Record<string, string> = {}): Promise<unknown[]> {
  const { hostname, port } = new URL(clientConfig.endpoint)
  const body = String(raw.body)
  const headers = await signHeaders(clientConfig, {
    ...raw,
    headers: { 'content-length': String(body.length), ...raw.headers },
  })
  const request = httpRequest({
    hostname,
    port,
    method: raw.method,
    path: raw.path,
    headers: { ...headers, ...tamper, expect: '100-continue' },
    agent: false,
  })
  const seen: unknown[] = []
  request.on('continue', () => {
    seen.push('continue')
    request.end(body)
  })
  request.flushHeaders()
  const [response] = await once(request, 'response')
  response.resume()
  seen.push(response.statusCode)
  request.destroy()
  return seen
}

describe('Expect: 100-continue', () => {
  const put = { method: 'PUT', path: `/${bucket}/asked`, body: 'abc' }

  it('is answered once the signature has been verified', async () => {
    expect(await send(put)).toEqual(['continue', 200])
  })

  it('is refused without the body for a wrong signature, or what is not supported', async () => {
    expect(await send(put, { 'x-amz-date': '20200101T000000Z' })).toEqual([403])
    expect(await send({ ...put, headers: { 'x-amz-tagging': 'a=b' } })).toEqual([501])
  })
})
