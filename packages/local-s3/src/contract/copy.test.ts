import { createHash } from 'node:crypto'
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  type CopyObjectCommandInput,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testBucket } from '../vitest/test-bucket.ts'

const { clientConfig, bucket: Bucket } = await testBucket()
const { bucket: elsewhere } = await testBucket()
const client = new S3Client({ ...clientConfig, maxAttempts: 1 })
afterAll(() => client.destroy())

beforeAll(async () => {
  await client.send(
    new PutObjectCommand({
      Bucket,
      Key: 'source',
      Body: 'source',
      ContentType: 'text/plain',
      Metadata: { a: '1' },
    }),
  )
})

function copy(Key: string, fields: Partial<CopyObjectCommandInput> = {}) {
  return client.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/source`, ...fields }))
}
function get(Key: string, from = Bucket) {
  return client.send(new GetObjectCommand({ Bucket: from, Key }))
}

describe('copying', () => {
  it('onto itself changes the storage class', async () => {
    await client.send(new PutObjectCommand({ Bucket, Key: 'cold', Body: 'x', Metadata: { a: '1' } }))
    const move = (StorageClass: 'STANDARD_IA' | 'STANDARD') =>
      copy('cold', { CopySource: `${Bucket}/cold`, StorageClass })
    await move('STANDARD_IA')
    expect(await get('cold')).toMatchObject({ StorageClass: 'STANDARD_IA', Metadata: { a: '1' } })
    await expect(move('STANDARD_IA')).rejects.toMatchObject({ name: 'InvalidRequest' })
    await move('STANDARD')
    expect((await get('cold')).StorageClass).toBeUndefined()
  })

  it('does not take the storage class along', async () => {
    await client.send(
      new PutObjectCommand({
        Bucket,
        Key: 'rare',
        Body: 'x',
        StorageClass: 'GLACIER_IR',
        CacheControl: 'no',
      }),
    )
    await copy('often', { CopySource: `${Bucket}/rare` })
    const copied = await get('often')
    expect([copied.StorageClass, copied.CacheControl]).toEqual([undefined, 'no'])
  })

  it.each([
    [
      { CopySourceSSECustomerKey: 'a'.repeat(32), CopySourceSSECustomerAlgorithm: 'AES256' },
      'NotImplemented',
    ],
    [{ ExpectedSourceBucketOwner: '111122223333' }, 'AccessDenied'],
    [{ Tagging: 'a=1', TaggingDirective: 'REPLACE' as const }, 'NotImplemented'],
    [{ ACL: 'public-read' as const }, 'AccessControlListNotSupported'],
    [{ ObjectLockLegalHoldStatus: 'ON' as const }, 'NotImplemented'],
    [{ StorageClass: 'COLDEST' as never }, 'InvalidStorageClass'],
  ])('is refused with %j', async (fields, name) => {
    await expect(copy('refused', fields)).rejects.toMatchObject({ name })
  })

  it('takes content, type and metadata along', async () => {
    const { CopyObjectResult } = await copy('copy')
    const object = await get('copy')
    expect(object).toMatchObject({ ContentType: 'text/plain', Metadata: { a: '1' } })
    expect(object.ETag).toBe(CopyObjectResult?.ETag)
    expect(CopyObjectResult?.LastModified).toBeInstanceOf(Date)
    expect(await object.Body?.transformToString()).toBe('source')
  })

  it('replaces type and metadata when told to', async () => {
    await copy('other metadata', {
      MetadataDirective: 'REPLACE',
      ContentType: 'text/csv',
      Metadata: { b: '2' },
    })
    expect(await get('other metadata')).toMatchObject({ ContentType: 'text/csv', Metadata: { b: '2' } })
  })

  it('works across buckets and outlives its source', async () => {
    await client.send(new PutObjectCommand({ Bucket, Key: 'short-lived', Body: 'first' }))
    await client.send(
      new CopyObjectCommand({ Bucket: elsewhere, Key: 'x', CopySource: `${Bucket}/short-lived` }),
    )
    await client.send(new PutObjectCommand({ Bucket, Key: 'short-lived', Body: 'second' }))
    expect(await (await get('x', elsewhere)).Body?.transformToString()).toBe('first')
  })

  it.each(['a b+c', 'ü/ö//😀', '100%', 'q?a=b&c#d'])('finds a source named %s', async key => {
    await client.send(new PutObjectCommand({ Bucket, Key: key, Body: key }))
    await copy('odd', { CopySource: `/${Bucket}/${encodeURIComponent(key)}` })
    expect(await (await get('odd')).Body?.transformToString()).toBe(key)
  })

  it('gives the ETag of a plain object to what was uploaded in parts', async () => {
    const Key = 'parts'
    const parts = [Buffer.alloc(5 * 1024 ** 2, 'a'), Buffer.from('b')]
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
    const sent = await Promise.all(
      parts.map(async (Body, index) => {
        const PartNumber = index + 1
        const { ETag } = await client.send(
          new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body } as never),
        )
        return { PartNumber, ETag }
      }),
    )
    await client.send(
      new CompleteMultipartUploadCommand({
        Bucket,
        Key,
        UploadId,
        MultipartUpload: { Parts: sent },
      } as never),
    )
    const { CopyObjectResult } = await copy('of parts', { CopySource: `${Bucket}/parts` })
    const whole = Buffer.concat(parts)
    expect(CopyObjectResult?.ETag).toBe(`"${createHash('md5').update(whole).digest('hex')}"`)
    const { Body } = await get('of parts')
    expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(whole)).toBe(true)
  })

  it('onto itself needs a change', async () => {
    await expect(copy('source')).rejects.toMatchObject({ name: 'InvalidRequest' })
    await copy('source', { MetadataDirective: 'REPLACE', ContentType: 'text/plain', Metadata: { a: '1' } })
    expect(await (await get('source')).Body?.transformToString()).toBe('source')
  })

  it('fails where there is nothing to copy', async () => {
    await expect(copy('x', { CopySource: `${Bucket}/missing` })).rejects.toMatchObject({ name: 'NoSuchKey' })
    await expect(copy('x', { CopySource: 'no-such-bucket/source' })).rejects.toMatchObject({
      name: 'NoSuchBucket',
    })
  })
})
