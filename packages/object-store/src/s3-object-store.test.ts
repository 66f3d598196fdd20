import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { CreateBucketCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { startS3 } from '@stepwright/local-s3'
import { describe, expect, it } from 'vitest'
import { createS3ObjectStore } from './s3-object-store.ts'
import { testObjectStore } from './testing.ts'

testObjectStore('S3 of the local cloud', async () => {
  const s3 = await startS3({ buckets: ['contract'] })
  const config = toConfig(s3.endpoint, s3.credentials)
  const { requestHandler } = new S3Client(config).config
  let isLosing = false
  const losing = {
    async handle(request: HttpRequest, options: object) {
      const answer = await requestHandler.handle(request as never, options)
      if (!isLosing) return answer
      isLosing = false
      answer.response.body?.destroy()
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    },
  }
  const store = createS3ObjectStore({
    bucket: 'contract',
    client: () => new S3Client({ ...config, requestHandler: losing as never }),
  })
  return {
    store,
    loseAnswer() {
      isLosing = true
    },
    async close() {
      store.close()
      requestHandler.destroy?.()
      await s3.stop()
    },
  }
})

const endpoint = process.env['S3_CONTRACT_ENDPOINT']

if (endpoint === undefined) {
  it.skip('an S3 that others wrote: give S3_CONTRACT_ENDPOINT to run the contract against it')
} else {
  testObjectStore(`S3 at ${endpoint}`, async () => {
    const config = toConfig(endpoint, {
      accessKeyId: process.env['S3_CONTRACT_ACCESS_KEY_ID'] ?? 'local',
      secretAccessKey: process.env['S3_CONTRACT_SECRET_ACCESS_KEY'] ?? 'local-secret',
    })
    const bucket = `object-store-contract-${process.pid}`
    const client = new S3Client(config)
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
    client.destroy()
    const store = createS3ObjectStore({ bucket, client: () => new S3Client(config) })
    return { store, close: () => store.close() }
  })
}

describe('createS3ObjectStore', () => {
  it('takes a server that cannot be reached as trouble of the network', async () => {
    const s3 = await startS3()
    await s3.stop()
    const store = createS3ObjectStore({
      bucket: 'gone',
      client: () => new S3Client({ ...toConfig(s3.endpoint, s3.credentials), maxAttempts: 1 }),
    })
    await expect(store.head('key')).rejects.toMatchObject({ name: 'NetworkError', kind: 'retryable' })
    store.close()
  })

  it('takes a bucket that is not there as a business error', async () => {
    const s3 = await startS3()
    const store = createS3ObjectStore({
      bucket: 'missing',
      client: () => new S3Client(toConfig(s3.endpoint, s3.credentials)),
    })
    await expect(store.put('key', 'x')).rejects.toMatchObject({ name: 'NotFoundError', kind: 'business' })
    store.close()
    await s3.stop()
  })

  it('ends a client that was made for it, and leaves open one that it was given', () => {
    let ended = 0
    const config = toConfig('http://127.0.0.1:1', { accessKeyId: 'a', secretAccessKey: 's' })
    const requestHandler = { handle: () => Promise.reject(new Error()), destroy: () => (ended += 1) }
    const client = new S3Client({ ...config, requestHandler: requestHandler as never })
    createS3ObjectStore({ bucket: 'b', client }).close()
    expect(ended).toBe(0)
    createS3ObjectStore({ bucket: 'b', client: () => client }).close()
    expect(ended).toBe(1)
  })

  it('asks S3 for the version that it is told', async () => {
    const asked: unknown[] = []
    const config = toConfig('http://127.0.0.1:1', { accessKeyId: 'a', secretAccessKey: 's' })
    const requestHandler = {
      async handle({ method, path, query }: { method: string; path: string; query: object }) {
        asked.push([method, path, query])
        throw Object.assign(new Error('no network here'), { code: 'ECONNREFUSED' })
      },
    }
    const store = createS3ObjectStore({
      bucket: 'b',
      client: () => new S3Client({ ...config, maxAttempts: 1, requestHandler: requestHandler as never }),
    })
    const version = { versionId: 'v7' }
    for (const read of [store.head('k', version), store.get('k', version)]) {
      await expect(read).rejects.toMatchObject({ name: 'NetworkError' })
    }
    expect(asked).toMatchObject([
      ['HEAD', '/b/k', version],
      ['GET', '/b/k', version],
    ])
  })

  it('says which objects S3 did not delete', async () => {
    const answer = '<DeleteResult><Error><Key>b</Key><Code>AccessDenied</Code></Error></DeleteResult>'
    const server = createServer((_, response) => response.end(answer)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const config = toConfig(`http://127.0.0.1:${port}`, { accessKeyId: 'a', secretAccessKey: 's' })
    const store = createS3ObjectStore({ bucket: 'bucket', client: () => new S3Client(config) })
    await expect(store.deleteMany(['a', 'b'])).rejects.toMatchObject({
      name: 'ForbiddenError',
      message: 'S3 denies access to the object b (DeleteObjects)',
    })
    store.close()
    server.close()
  })

  it.each([
    ['a put', 'PUT', 1],
    ['an upload', 'POST', 9 * 1024 * 1024],
  ])("takes its own object for nobody else's if the answer to %s is lost", async (_, lost, size) => {
    const s3 = await startS3({ buckets: ['claims'] })
    const config = toConfig(s3.endpoint, s3.credentials)
    const { requestHandler } = new S3Client(config).config
    let losses = 0
    const losing = {
      async handle(request: HttpRequest, options: object) {
        const isLast = request.method === lost && !('uploads' in request.query)
        // An upload that is complete may be forgotten already.
        if (isLast && losses > 0 && lost === 'POST') return { response: noSuchUpload() }
        const answer = await requestHandler.handle(request as never, options)
        if (!isLast || losses > 0) return answer
        losses += 1
        answer.response.body.destroy()
        throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
      },
    }
    const store = createS3ObjectStore({
      bucket: 'claims',
      client: () => new S3Client({ ...config, requestHandler: losing as never }),
    })
    const write = async (condition: object) =>
      size === 1
        ? store.put('key', 'x', condition)
        : store.upload('key', Readable.from([new Uint8Array(size)]), condition)
    const { etag } = await write({ ifNoneMatch: '*' })
    expect([losses, (await store.head('key')).etag]).toEqual([1, etag])
    await expect(write({ ifNoneMatch: '*' })).rejects.toMatchObject({ name: 'ConflictError' })
    losses = 0
    await expect(write({ ifNoneMatch: '*' })).rejects.toMatchObject({ name: 'ConflictError' })
    losses = 0
    await expect(write({ ifMatch: etag })).resolves.toMatchObject({ etag })
    store.close()
    requestHandler.destroy?.()
    await s3.stop()
  })

  it('lets go of the source of an upload that S3 does not begin', async () => {
    const s3 = await startS3()
    const store = createS3ObjectStore({
      bucket: 'missing',
      client: () => new S3Client(toConfig(s3.endpoint, s3.credentials)),
    })
    let isClosed = false
    const source = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(1024 * 1024)
      } finally {
        isClosed = true
      }
    }
    await expect(store.upload('key', source())).rejects.toMatchObject({ name: 'NotFoundError' })
    expect(isClosed).toBe(true)
    store.close()
    await s3.stop()
  })
})

function noSuchUpload() {
  const body = Readable.from([Buffer.from('<Error><Code>NoSuchUpload</Code></Error>')])
  return { statusCode: 404, headers: { 'content-type': 'application/xml' }, body }
}

interface HttpRequest {
  readonly method: string
  readonly query: object
}

function toConfig(
  endpoint: string,
  credentials: { accessKeyId: string; secretAccessKey: string },
): S3ClientConfig {
  return { endpoint, credentials, region: 'us-east-1', forcePathStyle: true }
}
