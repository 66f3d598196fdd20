import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, describe, expect, it } from 'vitest'
import { testBucket } from '../vitest/test-bucket.ts'

const { clientConfig, bucket: Bucket } = await testBucket()
const client = new S3Client({ ...clientConfig, maxAttempts: 1 })
afterAll(() => client.destroy())

const digits = '0123456789'
await client.send(new PutObjectCommand({ Bucket, Key: 'digits', Body: digits }))
await client.send(new PutObjectCommand({ Bucket, Key: 'empty', Body: '' }))

describe('ranges', () => {
  it.each([
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=2-5', '2345', 'bytes 2-5/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=0-', digits, 'bytes 0-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
    ['bytes=9-9', '9', 'bytes 9-9/10'],
    ['bytes=-1', '9', 'bytes 9-9/10'],
    ['bytes=-4', '6789', 'bytes 6-9/10'],
    ['bytes=-10', digits, 'bytes 0-9/10'],
    ['bytes=-100', digits, 'bytes 0-9/10'],
  ])('of %s are answered with 206', async (Range, expected, ContentRange) => {
    const object = await client.send(new GetObjectCommand({ Bucket, Key: 'digits', Range }))
    expect(await object.Body?.transformToString()).toBe(expected)
    expect(object).toMatchObject({ ContentRange, ContentLength: expected.length })
    expect(object.$metadata.httpStatusCode).toBe(206)
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'digits', Range }))
    expect(head.ContentLength).toBe(expected.length)
  })

  it.each([
    ['digits', 'bytes=10-'],
    ['digits', 'bytes=10-20'],
    ['digits', 'bytes=-0'],
    ['empty', 'bytes=0-'],
    ['empty', 'bytes=0-0'],
    ['empty', 'bytes=-1'],
  ])('outside of %s are refused: %s', async (Key, Range) => {
    await expect(client.send(new GetObjectCommand({ Bucket, Key, Range }))).rejects.toMatchObject({
      name: 'InvalidRange',
      $metadata: { httpStatusCode: 416 },
    })
  })

  it.each(['bytes=5-2', 'bytes=a-b', 'bytes=', 'items=0-1', 'bytes=0-1,3-4'])(
    'that make no sense or are several are ignored: %s',
    async Range => {
      const object = await client.send(new GetObjectCommand({ Bucket, Key: 'digits', Range }))
      expect(await object.Body?.transformToString()).toBe(digits)
      expect(object.$metadata.httpStatusCode).toBe(200)
    },
  )
})
