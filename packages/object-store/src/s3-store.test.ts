import { CreateBucketCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { startS3 } from '@stepwright/local-s3'
import { describe, expect, it } from 'vitest'
import { createS3Store } from './s3-store.ts'
import { testObjectStore } from './testing.ts'

testObjectStore('S3 of the local cloud', async () => {
  const s3 = await startS3({ buckets: ['contract'] })
  const config = toConfig(s3.endpoint, s3.credentials)
  const store = createS3Store({ bucket: 'contract', config })
  return {
    store,
    async close() {
      store.close()
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
    const store = createS3Store({ bucket, config })
    return { store, close: () => store.close() }
  })
}

describe('createS3Store', () => {
  it('takes a server that cannot be reached as trouble of the network', async () => {
    const s3 = await startS3()
    await s3.stop()
    const store = createS3Store({
      bucket: 'gone',
      config: { ...toConfig(s3.endpoint, s3.credentials), maxAttempts: 1 },
    })
    await expect(store.head('key')).rejects.toMatchObject({ name: 'NetworkError', kind: 'retryable' })
    store.close()
  })

  it('takes a bucket that is not there as a business error', async () => {
    const s3 = await startS3()
    const store = createS3Store({ bucket: 'missing', config: toConfig(s3.endpoint, s3.credentials) })
    await expect(store.put('key', 'x')).rejects.toMatchObject({ name: 'NotFoundError', kind: 'business' })
    store.close()
    await s3.stop()
  })

  it('refuses parts that S3 would refuse', () => {
    expect(() => createS3Store({ bucket: 'b', partBytes: 1024 })).toThrow('below S3')
  })
})

function toConfig(
  endpoint: string,
  credentials: { accessKeyId: string; secretAccessKey: string },
): S3ClientConfig {
  return { endpoint, credentials, region: 'us-east-1', forcePathStyle: true }
}
