import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type PutObjectCommandOutput,
  S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testBucket } from '../vitest/test-bucket.ts'

const { clientConfig, bucket: Bucket } = await testBucket()
const client = new S3Client({ ...clientConfig, maxAttempts: 1 })
afterAll(() => client.destroy())

function put(
  Key: string,
  Body: string,
  condition: Partial<PutObjectCommandInput> = {},
): Promise<PutObjectCommandOutput> {
  return client.send(new PutObjectCommand({ Bucket, Key, Body, ...condition }))
}
function read(condition: Partial<GetObjectCommandInput>) {
  return client.send(new GetObjectCommand({ Bucket, Key: 'there', ...condition }))
}
async function body(Key: string): Promise<string | undefined> {
  return (await client.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString()
}

const past = new Date(Date.now() - 3_600_000)
const future = new Date(Date.now() + 3_600_000)
const other = '"00000000000000000000000000000000"'
const failed = { name: 'PreconditionFailed', $metadata: { httpStatusCode: 412 } }
let etag = ''

beforeEach(async () => {
  etag = (await put('there', 'there')).ETag ?? ''
})

describe('conditional puts', () => {
  it('create only what is missing with If-None-Match: *', async () => {
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'new' }))
    await put('new', 'first', { IfNoneMatch: '*' })
    await expect(put('new', 'second', { IfNoneMatch: '*' })).rejects.toMatchObject(failed)
    expect(await body('new')).toBe('first')
  })

  it('have one winner among many', async () => {
    const attempts = Array.from({ length: 30 }, (_, index) =>
      put('raced', String(index), { IfNoneMatch: '*' }).then(() => String(index)),
    )
    const results = await Promise.allSettled(attempts)
    const winners = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
    expect(winners).toHaveLength(1)
    expect(await body('raced')).toBe(winners[0])
  })

  it('replace only what is known with If-Match', async () => {
    const next = await put('there', 'next', { IfMatch: etag })
    await expect(put('there', 'lost update', { IfMatch: etag })).rejects.toMatchObject(failed)
    await put('there', 'third', { IfMatch: next.ETag })
    expect(await body('there')).toBe('third')
  })

  it('lose no update among many that read, change and write', async () => {
    await put('counter', '0')
    async function increment(): Promise<void> {
      const object = await client.send(new GetObjectCommand({ Bucket, Key: 'counter' }))
      const count = Number(await object.Body?.transformToString())
      await put('counter', String(count + 1), { IfMatch: object.ETag }).catch(error => {
        if (error.name !== 'PreconditionFailed') throw error
        return increment()
      })
    }
    await Promise.all(Array.from({ length: 10 }, increment))
    expect(await body('counter')).toBe('10')
  })

  it('find nothing to match where there is nothing', async () => {
    await expect(put('absent', 'x', { IfMatch: etag })).rejects.toMatchObject({
      name: 'NoSuchKey',
      $metadata: { httpStatusCode: 404 },
    })
  })
})

describe('conditional reads', () => {
  it.each([
    ['If-Match of the same', () => ({ IfMatch: etag })],
    ['If-Match of any', () => ({ IfMatch: '*' })],
    ['If-Match of one in a list', () => ({ IfMatch: `${other}, ${etag}` })],
    ['If-None-Match of another', () => ({ IfNoneMatch: other })],
    ['If-Modified-Since the past', () => ({ IfModifiedSince: past })],
    ['If-Unmodified-Since the future', () => ({ IfUnmodifiedSince: future })],
    ['If-Match, which outweighs If-Unmodified-Since', () => ({ IfMatch: etag, IfUnmodifiedSince: past })],
    [
      'If-None-Match, which outweighs If-Modified-Since',
      () => ({ IfNoneMatch: other, IfModifiedSince: new Date() }),
    ],
  ])('are answered for %s', async (_, condition) => {
    expect(await (await read(condition())).Body?.transformToString()).toBe('there')
  })

  it.each([
    ['If-Match of another', () => ({ IfMatch: other })],
    ['If-Unmodified-Since the past', () => ({ IfUnmodifiedSince: past })],
  ])('are refused with 412 for %s', async (_, condition) => {
    await expect(read(condition())).rejects.toMatchObject(failed)
  })

  it.each([
    ['If-None-Match of the same', () => ({ IfNoneMatch: etag })],
    ['If-None-Match of any', () => ({ IfNoneMatch: '*' })],
    ['If-Modified-Since its time', async () => ({ IfModifiedSince: (await read({})).LastModified })],
  ])('are answered with 304 for %s', async (_, condition) => {
    await expect(read(await condition())).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } })
  })

  it('apply to head as well', async () => {
    const head = (condition: object) =>
      client.send(new HeadObjectCommand({ Bucket, Key: 'there', ...condition }))
    await expect(head({ IfMatch: other })).rejects.toMatchObject({ $metadata: { httpStatusCode: 412 } })
    await expect(head({ IfNoneMatch: etag })).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } })
    expect((await head({ IfMatch: etag })).ETag).toBe(etag)
  })
})

describe('conditional deletes', () => {
  it('delete only what is known', async () => {
    await expect(
      client.send(new DeleteObjectCommand({ Bucket, Key: 'there', IfMatch: other })),
    ).rejects.toMatchObject(failed)
    expect(await body('there')).toBe('there')
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'there', IfMatch: etag }))
    await expect(body('there')).rejects.toMatchObject({ name: 'NoSuchKey' })
  })
})

describe('conditional copies', () => {
  const copy = (condition: object) =>
    client.send(new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/there`, ...condition }))

  it.each([
    ['the same ETag', () => ({ CopySourceIfMatch: etag })],
    ['another than an ETag', () => ({ CopySourceIfNoneMatch: other })],
    ['changed since', () => ({ CopySourceIfModifiedSince: past })],
    ['unchanged since', () => ({ CopySourceIfUnmodifiedSince: future })],
  ])('copy a source that is %s', async (_, condition) => {
    expect((await copy(condition())).CopyObjectResult?.ETag).toBe(etag)
  })

  it.each([
    ['not the same ETag', () => ({ CopySourceIfMatch: other })],
    ['that very ETag', () => ({ CopySourceIfNoneMatch: etag })],
    ['changed since', () => ({ CopySourceIfUnmodifiedSince: past })],
  ])('refuse a source that is %s', async (_, condition) => {
    await expect(copy(condition())).rejects.toMatchObject(failed)
  })
})
