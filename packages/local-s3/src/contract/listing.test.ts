import { createHash } from 'node:crypto'
import {
  ListObjectsCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testBucket } from '../vitest/test-bucket.ts'

const { clientConfig, bucket: Bucket } = await testBucket()
const client = new S3Client({ ...clientConfig, maxAttempts: 1 })
afterAll(() => client.destroy())

// In the order of their UTF-8 bytes, which is neither that of UTF-16 nor that of any language.
const keys = [
  'A',
  'a',
  'a b',
  'a/1',
  'a/2',
  'a/b/1',
  'a/b/2',
  'a0',
  'b/1',
  'b//2',
  'c',
  'é',
  '\uffee',
  '😀',
].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))

beforeAll(async () => {
  await Promise.all(
    keys.toReversed().map(Key => client.send(new PutObjectCommand({ Bucket, Key, Body: Key }))),
  )
})

function list(input: Partial<ListObjectsV2CommandInput> = {}): Promise<ListObjectsV2CommandOutput> {
  return client.send(new ListObjectsV2Command({ Bucket, ...input }))
}
function keysOf({ Contents = [] }: { Contents?: { Key?: string | undefined }[] | undefined }) {
  return Contents.map(({ Key }) => Key)
}
function prefixesOf({
  CommonPrefixes = [],
}: {
  CommonPrefixes?: { Prefix?: string | undefined }[] | undefined
}) {
  return CommonPrefixes.map(({ Prefix }) => Prefix)
}

describe('listing', () => {
  it('has all keys in the order of their bytes', async () => {
    const page = await list()
    expect(keysOf(page)).toEqual(keys)
    expect(page).toMatchObject({ KeyCount: keys.length, IsTruncated: false, MaxKeys: 1000, Name: Bucket })
    expect(page.NextContinuationToken).toBeUndefined()
  })

  it('tells size, ETag, time and storage class', async () => {
    const { Contents } = await list({ Prefix: 'é' })
    expect(Contents).toMatchObject([
      {
        Key: 'é',
        Size: 2,
        ETag: `"${createHash('md5').update('é').digest('hex')}"`,
        StorageClass: 'STANDARD',
      },
    ])
    expect(Contents?.[0]?.LastModified).toBeInstanceOf(Date)
    expect(Contents?.[0]?.Owner).toBeUndefined()
  })

  it('names the owner when asked', async () => {
    const { Contents } = await list({ Prefix: 'é', FetchOwner: true })
    expect(Contents?.[0]?.Owner?.ID).toBeTruthy()
  })

  it.each([
    ['a', ['a', 'a b', 'a/1', 'a/2', 'a/b/1', 'a/b/2', 'a0']],
    ['a/', ['a/1', 'a/2', 'a/b/1', 'a/b/2']],
    ['a/b/1', ['a/b/1']],
    ['😀', ['😀']],
    ['nothing', []],
  ])('keeps to the prefix %s', async (Prefix, expected) => {
    expect(keysOf(await list({ Prefix }))).toEqual(expected)
  })

  it('rolls keys up to the delimiter', async () => {
    const page = await list({ Delimiter: '/' })
    expect(keysOf(page)).toEqual(['A', 'a', 'a b', 'a0', 'c', 'é', '\uffee', '😀'])
    expect(prefixesOf(page)).toEqual(['a/', 'b/'])
    expect(page.KeyCount).toBe(10)
  })

  it('rolls keys up to the delimiter behind the prefix', async () => {
    const page = await list({ Delimiter: '/', Prefix: 'a/' })
    expect(keysOf(page)).toEqual(['a/1', 'a/2'])
    expect(prefixesOf(page)).toEqual(['a/b/'])
    expect(prefixesOf(await list({ Delimiter: '/', Prefix: 'b/' }))).toEqual(['b//'])
  })

  it('takes any text as a delimiter', async () => {
    expect(prefixesOf(await list({ Delimiter: '/b/' }))).toEqual(['a/b/'])
    expect(prefixesOf(await list({ Delimiter: 'b', Prefix: 'a' }))).toEqual(['a b', 'a/b'])
  })

  it.each([1, 2, 3, 5, 13, 14])('gives the same in pages of %i', async MaxKeys => {
    const found: (string | undefined)[] = []
    for await (const page of paginateListObjectsV2({ client, pageSize: MaxKeys }, { Bucket })) {
      expect(page.KeyCount).toBeLessThanOrEqual(MaxKeys)
      found.push(...keysOf(page))
    }
    expect(found).toEqual(keys)
  })

  it.each([1, 2, 3, 4])('gives the same in pages of %i with a delimiter', async pageSize => {
    const found: (string | undefined)[] = []
    for await (const page of paginateListObjectsV2({ client, pageSize }, { Bucket, Delimiter: '/' })) {
      found.push(...keysOf(page), ...prefixesOf(page))
    }
    const whole = await list({ Delimiter: '/' })
    expect(found.sort()).toEqual([...keysOf(whole), ...prefixesOf(whole)].sort())
  })

  it('says whether there is more, exactly', async () => {
    expect((await list({ MaxKeys: keys.length })).IsTruncated).toBe(false)
    expect((await list({ MaxKeys: keys.length - 1 })).IsTruncated).toBe(true)
    expect((await list({ MaxKeys: 2, Prefix: 'a/', Delimiter: '/' })).IsTruncated).toBe(true)
    expect((await list({ MaxKeys: 3, Prefix: 'a/', Delimiter: '/' })).IsTruncated).toBe(false)
  })

  it('gives nothing when asked for nothing', async () => {
    expect(await list({ MaxKeys: 0 })).toMatchObject({ KeyCount: 0, IsTruncated: false })
  })

  it('starts behind a key, whether it exists or not', async () => {
    expect(keysOf(await list({ StartAfter: 'b/1' }))).toEqual(['c', 'é', '\uffee', '😀'])
    expect(keysOf(await list({ StartAfter: 'b/0' }))[0]).toBe('b/1')
    expect(keysOf(await list({ StartAfter: '😀' }))).toEqual([])
    expect(keysOf(await list({ StartAfter: 'a', Prefix: 'b' }))).toEqual(['b//2', 'b/1'])
  })

  it('escapes keys when asked', async () => {
    const page = await list({ EncodingType: 'url', Prefix: 'a' })
    expect(page.EncodingType).toBe('url')
    expect(keysOf(page).map(key => decodeURIComponent((key ?? '').replaceAll('+', ' ')))).toEqual(
      keysOf(await list({ Prefix: 'a' })),
    )
    expect(keysOf(await list({ EncodingType: 'url', Prefix: 'é' }))).toEqual(['%C3%A9'])
  })

  it('refuses a token that it did not give', async () => {
    await expect(list({ ContinuationToken: 'no token' })).rejects.toMatchObject({ name: 'InvalidArgument' })
  })

  it('works in its first version, with markers', async () => {
    const first = await client.send(new ListObjectsCommand({ Bucket, MaxKeys: 4, Delimiter: '/' }))
    expect(keysOf(first)).toEqual(['A', 'a', 'a b'])
    expect(prefixesOf(first)).toEqual(['a/'])
    expect(first.NextMarker).toBe('a/')
    const second = await client.send(new ListObjectsCommand({ Bucket, Marker: 'a/', Delimiter: '/' }))
    expect(keysOf(second)[0]).toBe('a0')
    expect(prefixesOf(second)).toEqual(['b/'])
  })
})
