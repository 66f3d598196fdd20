import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetBucketLocationCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  paginateListBuckets,
  S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, describe, expect, it } from 'vitest'
import { testBucket } from '../vitest/test-bucket.ts'
import { sendSigned } from './raw-request.ts'

const { clientConfig, bucket } = await testBucket()
const client = new S3Client({ ...clientConfig, maxAttempts: 1 })
afterAll(() => client.destroy())

describe('buckets', () => {
  it('are created, found, listed and deleted', async () => {
    const Bucket = `${bucket}-new`
    await client.send(new CreateBucketCommand({ Bucket }))
    expect((await client.send(new HeadBucketCommand({ Bucket }))).$metadata.httpStatusCode).toBe(200)
    const { Buckets } = await client.send(new ListBucketsCommand())
    const listed = Buckets?.find(({ Name }) => Name === Bucket)
    expect(listed?.CreationDate).toBeInstanceOf(Date)
    await client.send(new DeleteBucketCommand({ Bucket }))
    await expect(client.send(new HeadBucketCommand({ Bucket }))).rejects.toMatchObject({ name: 'NotFound' })
    expect((await client.send(new ListBucketsCommand())).Buckets?.map(({ Name }) => Name)).not.toContain(
      Bucket,
    )
  })

  it('may have dots in their names', async () => {
    const pathStyle = new S3Client({ ...clientConfig, forcePathStyle: true })
    const Bucket = `${bucket}.with.dots`
    await pathStyle.send(new CreateBucketCommand({ Bucket }))
    expect((await pathStyle.send(new ListObjectsV2Command({ Bucket }))).Name).toBe(Bucket)
    await pathStyle.send(new DeleteBucketCommand({ Bucket }))
    pathStyle.destroy()
  })

  it('are listed in the order of their names', async () => {
    const names = (await client.send(new ListBucketsCommand())).Buckets?.map(({ Name }) => Name) ?? []
    expect(names).toEqual([...names].sort())
    expect(names).toContain(bucket)
  })

  it('are listed in pages, and by prefix', async () => {
    const prefix = `${bucket}-page`
    const made = ['a', 'b', 'c'].map(letter => `${prefix}-${letter}`)
    for (const Bucket of made) await client.send(new CreateBucketCommand({ Bucket }))
    const pages: (string | undefined)[][] = []
    for await (const page of paginateListBuckets({ client, pageSize: 2 }, { Prefix: prefix })) {
      expect(page.Prefix).toBe(prefix)
      pages.push(page.Buckets?.map(({ Name }) => Name) ?? [])
    }
    expect(pages).toEqual([made.slice(0, 2), made.slice(2)])
    const elsewhere = await client.send(new ListBucketsCommand({ BucketRegion: 'eu-west-1' }))
    expect(elsewhere.Buckets ?? []).toEqual([])
    for (const MaxBuckets of [0, 10_001]) {
      await expect(client.send(new ListBucketsCommand({ MaxBuckets }))).rejects.toMatchObject({
        name: 'InvalidArgument',
      })
    }
    for (const Bucket of made) await client.send(new DeleteBucketCommand({ Bucket }))
  })

  it('cannot be deleted with objects in them', async () => {
    const Bucket = `${bucket}-full`
    await client.send(new CreateBucketCommand({ Bucket }))
    await client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a' }))
    await expect(client.send(new DeleteBucketCommand({ Bucket }))).rejects.toMatchObject({
      name: 'BucketNotEmpty',
      $metadata: { httpStatusCode: 409 },
    })
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }))
    await client.send(new DeleteBucketCommand({ Bucket }))
  })

  it('are empty when they are created again', async () => {
    const Bucket = `${bucket}-again`
    await client.send(new CreateBucketCommand({ Bucket }))
    await client.send(new DeleteBucketCommand({ Bucket }))
    await client.send(new CreateBucketCommand({ Bucket }))
    expect((await client.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0)
    await client.send(new DeleteBucketCommand({ Bucket }))
  })

  it.each([
    ['deleting', () => new DeleteBucketCommand({ Bucket: 'no-such-bucket' })],
    ['listing', () => new ListObjectsV2Command({ Bucket: 'no-such-bucket' })],
    ['locating', () => new GetBucketLocationCommand({ Bucket: 'no-such-bucket' })],
    ['writing to', () => new PutObjectCommand({ Bucket: 'no-such-bucket', Key: 'a', Body: 'a' })],
  ])('that are missing are reported when %s them', async (_, command) => {
    await expect(client.send(command() as PutObjectCommand)).rejects.toMatchObject({
      name: 'NoSuchBucket',
      $metadata: { httpStatusCode: 404 },
    })
  })

  it.each([
    'Upper',
    'ab',
    '-starts-with-dash',
    'ends-with-dash-',
    'two..dots',
    '192.168.0.1',
    'x'.repeat(64),
  ])('cannot be named %s', async name => {
    const { status, code } = await sendSigned(clientConfig, { method: 'PUT', path: `/${name}` })
    expect({ status, code }).toEqual({ status: 400, code: 'InvalidBucketName' })
  })

  it('have the location of the server', async () => {
    const { LocationConstraint } = await client.send(new GetBucketLocationCommand({ Bucket: bucket }))
    expect(LocationConstraint).toBeUndefined()
  })

  it('may be created again by their owner in the first region, and stay as they are', async () => {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'kept', Body: 'x' }))
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
    expect((await client.send(new ListObjectsV2Command({ Bucket: bucket }))).KeyCount).toBe(1)
  })

  it.each([
    ['an object lock', 501, 'NotImplemented', { 'x-amz-bucket-object-lock-enabled': 'true' }],
    ['an ACL', 400, 'AccessControlListNotSupported', { 'x-amz-acl': 'public-read' }],
    ['grants', 400, 'AccessControlListNotSupported', { 'x-amz-grant-read': 'id=1' }],
    ['other owners of objects', 501, 'NotImplemented', { 'x-amz-object-ownership': 'ObjectWriter' }],
  ])('are not created with %s', async (_, status, code, headers) => {
    const response = await sendSigned(clientConfig, { method: 'PUT', path: `/${bucket}-other`, headers })
    expect(response).toMatchObject({ status, code })
    await expect(client.send(new HeadBucketCommand({ Bucket: `${bucket}-other` }))).rejects.toThrow()
  })

  it('answer to their owner only', async () => {
    const head = (ExpectedBucketOwner: string) =>
      client.send(new HeadBucketCommand({ Bucket: bucket, ExpectedBucketOwner }))
    await head('000000000000')
    await expect(head('111122223333')).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } })
  })

  it('do not pretend to have features that they lack', async () => {
    const { status, code } = await sendSigned(clientConfig, {
      method: 'PUT',
      path: `/${bucket}/key?legal-hold=`,
      body: '<LegalHold/>',
    })
    expect({ status, code }).toEqual({ status: 501, code: 'NotImplemented' })
  })
})
