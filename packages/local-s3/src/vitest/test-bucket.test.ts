import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, expect, it } from 'vitest'
import { testBucket } from './test-bucket.ts'

const { clientConfig, bucket } = await testBucket()
const other = await testBucket()
const client = new S3Client(clientConfig)
afterAll(() => client.destroy())

it('gives a bucket of its own to each caller', async () => {
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'only here', Body: 'x' }))
  const here = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
  const there = await client.send(new ListObjectsV2Command({ Bucket: other.bucket }))
  expect([here.KeyCount, there.KeyCount]).toEqual([1, 0])
})
