import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { assert, asyncProperty, string } from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { testBucket } from '../vitest/test-bucket.ts'

const { clientConfig, bucket: Bucket } = await testBucket()
const client = new S3Client({ ...clientConfig, maxAttempts: 1 })
afterAll(() => client.destroy())

function put(Key: string, Body: string) {
  return client.send(new PutObjectCommand({ Bucket, Key, Body }))
}
async function read(Key: string): Promise<string | undefined> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
  return Body?.transformToString()
}
async function list(): Promise<(string | undefined)[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }))
  return Contents.map(({ Key }) => Key)
}
// XML cannot write every character, and the SDK reads a text of line breaks alone as none; hence `encoding-type`.
async function listEncoded(): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, EncodingType: 'url' }))
  return Contents.map(({ Key = '' }) => decodeURIComponent(Key.replaceAll('+', ' ')))
}

describe('keys', () => {
  it.each([
    '..',
    '../../../../etc/passwd',
    './a',
    'a/../b',
    'a//b',
    '/starts with a slash',
    '//',
    'ends with a slash/',
    ' spaces  inside and around ',
    'a+b',
    'a%2Fb',
    '%',
    '%zz',
    '%2e%2e/',
    'ünïcödé',
    '日本語/テスト',
    '😀',
    'line\nbreak',
    'carriage\rreturn',
    'tab\t',
    `<&>"'`,
    'question?mark=1&more#hash',
    'a=b;c,d:e@f!$(g)*',
    'back\\slash',
    'a|b^c`d{e}[f]~',
    'con',
    'x'.repeat(1024),
    'é'.repeat(512),
  ])('may be %j', async key => {
    await put(key, `value of ${key}`)
    expect(await read(key)).toBe(`value of ${key}`)
    expect(await list()).toEqual([key])
    await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: key }] } }))
    expect(await list()).toEqual([])
  })

  it.each([
    ['case', 'Key', 'key'],
    ['Unicode normal form', 'é', 'e\u0301'],
    ['slashes', 'a/b', 'a//b'],
    ['an escape', 'a b', 'a%20b'],
    ['what hides it on disk', 'x', '.x'],
  ])('that differ in %s are different', async (_, one, other) => {
    await put(one, 'one')
    await put(other, 'other')
    expect([await read(one), await read(other)]).toEqual(['one', 'other'])
    await client.send(new DeleteObjectCommand({ Bucket, Key: one }))
    expect(await list()).toEqual([other])
    await client.send(new DeleteObjectCommand({ Bucket, Key: other }))
  })

  it('may be a prefix of others, as no file could be of a directory', async () => {
    for (const key of ['a', 'a/b', 'a/b/c', 'a/']) await put(key, key)
    for (const key of ['a', 'a/b', 'a/b/c', 'a/']) expect(await read(key)).toBe(key)
    const Objects = ['a', 'a/b', 'a/b/c', 'a/'].map(Key => ({ Key }))
    await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
  })

  it('have 1024 bytes at most', async () => {
    await expect(put(`${'é'.repeat(512)}x`, 'x')).rejects.toMatchObject({ name: 'KeyTooLongError' })
  })

  it('may be any text', async () => {
    await assert(
      asyncProperty(string({ unit: 'binary', minLength: 1, maxLength: 60 }), async key => {
        await put(key, key)
        try {
          expect(await read(key)).toBe(key)
          expect(await listEncoded()).toEqual([key])
        } finally {
          await client.send(new DeleteObjectCommand({ Bucket, Key: key }))
        }
      }),
      { numRuns: 60, examples: [['\n'], ['\0'], ['\ufffe'], ['+ %20']] },
    )
  })
})
