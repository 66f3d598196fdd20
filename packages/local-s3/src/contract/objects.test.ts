import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  type ObjectAttributes,
  PutObjectCommand,
  type PutObjectCommandInput,
  type PutObjectCommandOutput,
  PutObjectTaggingCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, describe, expect, it } from 'vitest'
import { testBucket } from '../vitest/test-bucket.ts'
import { sendRaw, sendSigned, signHeaders } from './raw-request.ts'

const { clientConfig, bucket: Bucket } = await testBucket()
const client = new S3Client({ ...clientConfig, maxAttempts: 1 })
afterAll(() => client.destroy())

type Fields = Omit<PutObjectCommandInput, 'Bucket' | 'Key' | 'Body'>

function put(
  Key: string,
  Body: NonNullable<PutObjectCommandInput['Body']>,
  fields: Fields = {},
): Promise<PutObjectCommandOutput> {
  return client.send(new PutObjectCommand({ Bucket, Key, Body, ...fields }))
}
function get(Key: string): Promise<GetObjectCommandOutput> {
  return client.send(new GetObjectCommand({ Bucket, Key }))
}
async function bytes(Key: string): Promise<Buffer> {
  return Buffer.from((await (await get(Key)).Body?.transformToByteArray()) ?? [])
}
function md5(data: Buffer): string {
  return `"${createHash('md5').update(data).digest('hex')}"`
}

const everyByte = Buffer.from(Array.from({ length: 256 * 300 }, (_, index) => index % 256))

describe('objects', () => {
  it.each([
    ['text', 'grüße', Buffer.from('grüße')],
    ['nothing', '', Buffer.alloc(0)],
    ['every byte', everyByte, everyByte],
    ['one byte', Buffer.from([13]), Buffer.from([13])],
    [
      'what looks like a chunked body',
      Buffer.from('5\r\nhello\r\n0\r\n\r\n'),
      Buffer.from('5\r\nhello\r\n0\r\n\r\n'),
    ],
  ])('come back as they went in: %s', async (name, body, expected) => {
    const { ETag } = await put(name, body)
    expect(ETag).toBe(md5(expected))
    expect((await bytes(name)).equals(expected)).toBe(true)
  })

  it('come back as they went in: a stream of known length', async () => {
    const parts = Array.from({ length: 50 }, (_, index) => Buffer.alloc(64 * 1024 + index, index))
    const whole = Buffer.concat(parts)
    const { ETag } = await put('stream', Readable.from(parts), { ContentLength: whole.length })
    expect(ETag).toBe(md5(whole))
    expect((await bytes('stream')).equals(whole)).toBe(true)
  })

  it('come back as they went in: large enough for Expect: 100-continue', async () => {
    const body = Buffer.alloc(9 * 1024 ** 2, 'large ')
    await put('large', body)
    expect((await bytes('large')).equals(body)).toBe(true)
  })

  it('are replaced as a whole', async () => {
    await put('replaced', 'a long first version', { Metadata: { first: 'yes' }, ContentType: 'text/a' })
    await put('replaced', 'second')
    const object = await get('replaced')
    expect(await object.Body?.transformToString()).toBe('second')
    expect(object.Metadata).toEqual({})
    expect(object.ContentType).not.toBe('text/a')
    expect(object.ContentLength).toBe(6)
  })

  it('are read to the end in the version that was opened', async () => {
    const first = Buffer.alloc(5 * 1024 ** 2, 1)
    await put('moving', first)
    const { Body } = await get('moving')
    await put('moving', 'second')
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'moving' }))
    expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(first)).toBe(true)
  })

  it('are there for every reader while they are replaced', async () => {
    await put('busy', 'x'.repeat(1000))
    const writers = Array.from({ length: 60 }, (_, index) => put('busy', String(index % 10).repeat(1000)))
    const readers = Array.from({ length: 240 }, () => bytes('busy'))
    for (const read of await Promise.all(readers)) expect(read.toString()).toMatch(/^(.)\1{999}$/)
    await Promise.all(writers)
  })

  it('have a content type of bytes unless told otherwise', async () => {
    const { status } = await sendSigned(clientConfig, {
      method: 'PUT',
      path: `/${Bucket}/untyped`,
      body: 'x',
    })
    expect(status).toBe(200)
    expect((await get('untyped')).ContentType).toBe('binary/octet-stream')
    await put('typed', '{}', { ContentType: 'application/json; charset=utf-8' })
    expect((await get('typed')).ContentType).toBe('application/json; charset=utf-8')
  })

  it('keep their headers', async () => {
    const headers = {
      CacheControl: 'max-age=60, public',
      ContentDisposition: 'attachment; filename="a b.csv"',
      ContentEncoding: 'gzip',
      ContentLanguage: 'de-DE',
      ContentType: 'text/csv',
      Expires: new Date('2031-02-03T04:05:06Z'),
    }
    await put('headers', 'x', headers)
    const { Expires, ...rest } = headers
    expect(await client.send(new HeadObjectCommand({ Bucket, Key: 'headers' }))).toMatchObject(rest)
    expect((await get('headers')).ExpiresString).toBe(Expires.toUTCString())
  })

  it('do not keep the encoding of the transfer as their own', async () => {
    const body = Readable.from([Buffer.from('plain')])
    await put('transfer', body, { ContentLength: 5, ContentEncoding: 'gzip' })
    expect((await get('transfer')).ContentEncoding).toBe('gzip')
    await put('transfer', Readable.from([Buffer.from('plain')]), { ContentLength: 5 })
    expect((await get('transfer')).ContentEncoding).toBeUndefined()
  })

  it.each([
    ['gzip', 'gzip'],
    ['gzip, deflate', 'gzip, deflate'],
    ['deflate,gzip', 'deflate,gzip'],
    ['aws-chunked, gzip', 'gzip'],
    ['gzip, aws-chunked', 'gzip'],
    ['aws-chunked', undefined],
  ])('keep the encoding %j as %j', async (sent, kept) => {
    const path = `/${Bucket}/encoded`
    await sendSigned(clientConfig, { method: 'PUT', path, headers: { 'content-encoding': sent }, body: 'x' })
    expect((await sendSigned(clientConfig, { method: 'GET', path })).headers['content-encoding']).toBe(kept)
  })

  it('have no tags', async () => {
    await put('untagged', 'x')
    const tags = (Key: string) => client.send(new GetObjectTaggingCommand({ Bucket, Key }))
    expect((await tags('untagged')).TagSet).toEqual([])
    await expect(tags('missing')).rejects.toMatchObject({ name: 'NoSuchKey' })
    await expect(
      client.send(new PutObjectTaggingCommand({ Bucket, Key: 'untagged', Tagging: { TagSet: [] } })),
    ).rejects.toMatchObject({ name: 'NotImplemented' })
  })

  it('tell the attributes that are asked for', async () => {
    await put('attributes', 'hello', { ChecksumAlgorithm: 'SHA256', StorageClass: 'STANDARD_IA' })
    const ask = (...ObjectAttributes: ObjectAttributes[]) =>
      client.send(new GetObjectAttributesCommand({ Bucket, Key: 'attributes', ObjectAttributes }))
    expect(await ask('ETag', 'Checksum', 'ObjectSize', 'StorageClass', 'ObjectParts')).toMatchObject({
      ETag: createHash('md5').update('hello').digest('hex'),
      Checksum: {
        ChecksumSHA256: createHash('sha256').update('hello').digest('base64'),
        ChecksumType: 'FULL_OBJECT',
      },
      ObjectSize: 5,
      StorageClass: 'STANDARD_IA',
      LastModified: expect.any(Date),
    })
    expect((await ask('ETag')).ObjectSize).toBeUndefined()
    await expect(ask('Colour' as never)).rejects.toMatchObject({ name: 'InvalidArgument' })
    await expect(ask()).rejects.toMatchObject({ name: 'InvalidRequest' })
  })

  it.each([
    ['ACLs', { ACL: 'public-read' as const }, 'AccessControlListNotSupported'],
    ['locks', { ObjectLockMode: 'GOVERNANCE' as const }, 'NotImplemented'],
    [
      'keys of their own',
      { SSECustomerKey: 'a'.repeat(32), SSECustomerAlgorithm: 'AES256' },
      'NotImplemented',
    ],
    ['another owner', { ExpectedBucketOwner: '111122223333' }, 'AccessDenied'],
  ])('are not written with %s', async (_, fields, name) => {
    await expect(put('refused', 'x', fields)).rejects.toMatchObject({ name })
  })

  it('are not deleted by versions or under conditions that are not known', async () => {
    await put('stays', 'x')
    const Objects = [{ Key: 'stays' }, { Key: 'other', VersionId: 'abc' }]
    await expect(
      client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } })),
    ).rejects.toMatchObject({ name: 'NotImplemented' })
    await expect(
      client.send(new DeleteObjectCommand({ Bucket, Key: 'stays', IfMatchSize: 7 })),
    ).rejects.toMatchObject({ name: 'NotImplemented' })
    expect((await get('stays')).ContentLength).toBe(1)
  })

  it('keep their metadata, with names in lower case', async () => {
    await put('metadata', 'x', { Metadata: { Colour: 'red, green', empty: '', 'with-dash': '  x  y ' } })
    expect((await get('metadata')).Metadata).toMatchObject({ colour: 'red, green', 'with-dash': 'x  y' })
  })

  it('have 2 KB of metadata at most', async () => {
    await put('metadata-full', 'x', { Metadata: { a: 'x'.repeat(2047) } })
    await expect(put('metadata-over', 'x', { Metadata: { a: 'x'.repeat(2048) } })).rejects.toMatchObject({
      name: 'MetadataTooLarge',
    })
  })

  it('tell their size, ETag and time without being read', async () => {
    const { ETag } = await put('head', 'twelve bytes')
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'head' }))
    expect(head).toMatchObject({ ETag, ContentLength: 12, AcceptRanges: 'bytes' })
    expect(Math.abs(Number(head.LastModified) - Date.now())).toBeLessThan(60_000)
    expect((await get('head')).LastModified).toEqual(head.LastModified)
  })

  it('that are missing are NoSuchKey to get and NotFound to head', async () => {
    await expect(get('missing')).rejects.toMatchObject({
      name: 'NoSuchKey',
      $metadata: { httpStatusCode: 404 },
    })
    await expect(client.send(new HeadObjectCommand({ Bucket, Key: 'missing' }))).rejects.toMatchObject({
      name: 'NotFound',
      $metadata: { httpStatusCode: 404 },
    })
  })

  it('are gone when deleted, and deleting them again is no error', async () => {
    await put('deleted', 'x')
    for (let round = 0; round < 2; round += 1) {
      const { $metadata } = await client.send(new DeleteObjectCommand({ Bucket, Key: 'deleted' }))
      expect($metadata.httpStatusCode).toBe(204)
    }
    await expect(get('deleted')).rejects.toMatchObject({ name: 'NoSuchKey' })
  })

  it('are deleted many at a time, missing ones included', async () => {
    await Promise.all(['many/1', 'many/2', 'many/&<3>'].map(key => put(key, 'x')))
    const Objects = ['many/1', 'many/2', 'many/&<3>', 'many/missing'].map(Key => ({ Key }))
    const { Deleted, Errors } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
    expect(Deleted?.map(({ Key }) => Key)).toEqual(Objects.map(({ Key }) => Key))
    expect(Errors ?? []).toEqual([])
    await expect(get('many/&<3>')).rejects.toMatchObject({ name: 'NoSuchKey' })
  })

  it('are deleted quietly', async () => {
    await put('quiet', 'x')
    const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'quiet' }], Quiet: true } })
    expect((await client.send(command)).Deleted ?? []).toEqual([])
    await expect(get('quiet')).rejects.toMatchObject({ name: 'NoSuchKey' })
  })

  it('are deleted a thousand at a time, not more', async () => {
    const Objects = Array.from({ length: 1001 }, (_, index) => ({ Key: `n/${index}` }))
    await expect(
      client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } })),
    ).rejects.toMatchObject({ name: 'MalformedXML' })
    const { Deleted } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects: Objects.slice(1) } }),
    )
    expect(Deleted).toHaveLength(1000)
  })

  it('answer with other headers where a request asks for them', async () => {
    await put('overridden', 'x', { ContentType: 'text/plain' })
    const object = await client.send(
      new GetObjectCommand({
        Bucket,
        Key: 'overridden',
        ResponseContentType: 'text/csv',
        ResponseContentDisposition: 'attachment; filename="x.csv"',
        ResponseCacheControl: 'no-store',
      }),
    )
    expect(object).toMatchObject({
      ContentType: 'text/csv',
      ContentDisposition: 'attachment; filename="x.csv"',
      CacheControl: 'no-store',
    })
  })

  it('do not answer with headers that HTTP cannot carry', async () => {
    await put('overridden', 'x')
    for (const value of ['attachment; filename="😀.csv"', 'a\r\nset-cookie: b']) {
      const command = new GetObjectCommand({ Bucket, Key: 'overridden', ResponseContentDisposition: value })
      await expect(client.send(command)).rejects.toMatchObject({ name: 'InvalidArgument' })
    }
  })

  it('are refused with a reason, not a broken connection, however large they are', async () => {
    const body = Buffer.alloc(30 * 1024 ** 2)
    const headers = { 'content-length': String(body.length), authorization: 'AWS4-HMAC-SHA256 wrong' }
    for (let round = 0; round < 3; round += 1) {
      const refused = await sendRaw(clientConfig.endpoint, {
        method: 'PUT',
        path: `/${Bucket}/large`,
        body,
        headers,
      })
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(refused.code).toBeTruthy()
    }
  })

  it('are not touched by an upload that breaks off', async () => {
    await put('broken', 'whole')
    const headers = { 'content-length': '200000' }
    const path = `/${Bucket}/broken`
    const signed = await signHeaders(clientConfig, { method: 'PUT', path, headers })
    const { hostname, port } = new URL(clientConfig.endpoint)
    const upload = request({ hostname, port, method: 'PUT', path, headers: signed })
    const closed = new Promise(resolve => upload.on('error', resolve))
    upload.write(Buffer.alloc(100_000), () => upload.destroy(new Error('broken off')))
    await closed
    expect(await (await get('broken')).Body?.transformToString()).toBe('whole')
  })

  it('need to say how long they are', async () => {
    const { status, code } = await sendSigned(clientConfig, {
      method: 'PUT',
      path: `/${Bucket}/lengthless`,
      headers: { 'transfer-encoding': 'chunked' },
    })
    expect({ status, code }).toEqual({ status: 411, code: 'MissingContentLength' })
  })

  it('have 5 GiB at most', async () => {
    const { code } = await sendSigned(clientConfig, {
      method: 'PUT',
      path: `/${Bucket}/huge`,
      headers: {
        'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        'x-amz-decoded-content-length': String(5 * 1024 ** 3 + 1),
        'x-amz-trailer': 'x-amz-checksum-crc32',
      },
      body: '0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n',
    })
    expect(code).toBe('EntityTooLarge')
  })

  it('report errors as XML with a code and a request id', async () => {
    const { status, headers, text } = await sendSigned(clientConfig, {
      method: 'GET',
      path: `/${Bucket}/missing`,
    })
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('application/xml')
    expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\s*<Error><Code>NoSuchKey<\/Code>/)
    expect(text).toContain(`<RequestId>${headers['x-amz-request-id']}</RequestId>`)
  })
})
