import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompleteMultipartUploadCommandInput,
  type CopyPartResult,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { afterAll, describe, expect, it } from 'vitest'
import { testBucket } from '../vitest/test-bucket.ts'

const { clientConfig, bucket: Bucket } = await testBucket()
const client = new S3Client({ ...clientConfig, maxAttempts: 1 })
afterAll(() => client.destroy())

const mb = 1024 ** 2
const one = Buffer.alloc(5 * mb, 'one ')
const two = Buffer.alloc(5 * mb + 1, 'two ')
const end = Buffer.from('the end')
function md5(data: Buffer): Buffer {
  return createHash('md5').update(data).digest()
}
function multipartEtag(...parts: Buffer[]): string {
  return `"${md5(Buffer.concat(parts.map(md5))).toString('hex')}-${parts.length}"`
}

async function start(Key: string, fields: Partial<CreateMultipartUploadCommandInput> = {}): Promise<string> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...fields }))
  return UploadId ?? ''
}
async function part(Key: string, UploadId: string, PartNumber: number, Body: Buffer) {
  const sent = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }))
  const { ETag, ChecksumCRC32 } = sent
  return { PartNumber, ETag, ChecksumCRC32 }
}
function complete(
  Key: string,
  UploadId: string,
  Parts: { PartNumber: number; ETag?: string | undefined }[],
  fields: Partial<CompleteMultipartUploadCommandInput> = {},
) {
  return client.send(
    new CompleteMultipartUploadCommand({
      Bucket,
      Key,
      UploadId,
      MultipartUpload: { Parts } as never,
      ...fields,
    }),
  )
}
async function bytes(Key: string, fields: object = {}): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, ...fields }))
  return Buffer.from((await Body?.transformToByteArray()) ?? [])
}

describe('multipart uploads', () => {
  it('have the size that was announced, or make no object', async () => {
    const id = await start('sized')
    const parts = [await part('sized', id, 1, end)]
    await expect(complete('sized', id, parts, { MpuObjectSize: end.length + 1 })).rejects.toMatchObject({
      name: 'InvalidRequest',
    })
    await complete('sized', id, parts, { MpuObjectSize: end.length })
    expect(await bytes('sized')).toEqual(end)
  })

  it('make one object of their parts, in the order of their numbers', async () => {
    const id = await start('ordered', { ContentType: 'text/csv', Metadata: { kind: 'parts' } })
    const last = await part('ordered', id, 9, end)
    const first = await part('ordered', id, 2, one)
    const middle = await part('ordered', id, 7, two)
    const completed = await complete('ordered', id, [first, middle, last])
    expect(completed.ETag).toBe(multipartEtag(one, two, end))
    expect(completed).toMatchObject({ Bucket, Key: 'ordered' })
    const whole = Buffer.concat([one, two, end])
    expect((await bytes('ordered')).equals(whole)).toBe(true)
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'ordered' }))
    expect(head).toMatchObject({
      ETag: completed.ETag,
      ContentLength: whole.length,
      ContentType: 'text/csv',
      Metadata: { kind: 'parts' },
    })
  })

  it('answer a completion that is repeated, also at the same time, but no other', async () => {
    const id = await start('repeated')
    const parts = [await part('repeated', id, 1, end)]
    const [first, second] = await Promise.all([
      complete('repeated', id, parts),
      complete('repeated', id, parts),
    ])
    const third = await complete('repeated', id, parts)
    expect([second.ETag, third.ETag]).toEqual([first.ETag, first.ETag])
    const other = [{ PartNumber: 1, ETag: `"${'0'.repeat(32)}"` }]
    await expect(complete('repeated', id, other)).rejects.toMatchObject({ name: 'NoSuchUpload' })
    await client.send(new PutObjectCommand({ Bucket, Key: 'repeated', Body: 'newer' }))
    await expect(complete('repeated', id, parts)).rejects.toMatchObject({ name: 'NoSuchUpload' })
  })

  it('tell about their parts', async () => {
    const id = await start('attributes', { ChecksumAlgorithm: 'CRC32' })
    const parts = [await part('attributes', id, 1, one), await part('attributes', id, 2, end)]
    await complete('attributes', id, parts)
    const ask = (MaxParts: number, PartNumberMarker: string) =>
      client.send(
        new GetObjectAttributesCommand({
          Bucket,
          Key: 'attributes',
          ObjectAttributes: ['ObjectParts'],
          MaxParts,
          PartNumberMarker,
        }),
      )
    expect((await ask(1, '0')).ObjectParts).toMatchObject({
      TotalPartsCount: 2,
      IsTruncated: true,
      NextPartNumberMarker: '1',
      Parts: [{ PartNumber: 1, Size: one.length, ChecksumCRC32: parts[0]?.ChecksumCRC32 }],
    })
    expect((await ask(5, '1')).ObjectParts).toMatchObject({ IsTruncated: false, Parts: [{ PartNumber: 2 }] })
  })

  it('are listed with any key', async () => {
    await start('line\nbreak ä+')
    const { Uploads = [], EncodingType } = await client.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix: 'line', EncodingType: 'url' }),
    )
    expect([EncodingType, Uploads[0]?.Key]).toEqual(['url', 'line%0Abreak+%C3%A4%2B'])
  })

  it('are read in ranges across their parts', async () => {
    const id = await start('ranged')
    await complete('ranged', id, [await part('ranged', id, 1, one), await part('ranged', id, 2, end)])
    const whole = Buffer.concat([one, end])
    for (const [from, to] of [
      [one.length - 3, one.length + 2],
      [one.length, one.length],
      [0, whole.length - 1],
    ] as const) {
      const range = await bytes('ranged', { Range: `bytes=${from}-${to}` })
      expect(range.equals(whole.subarray(from, to + 1))).toBe(true)
    }
    expect((await bytes('ranged', { Range: 'bytes=-3' })).toString()).toBe('end')
  })

  it('are read part by part', async () => {
    const id = await start('by part')
    await complete('by part', id, [await part('by part', id, 1, one), await part('by part', id, 2, end)])
    const object = await client.send(new GetObjectCommand({ Bucket, Key: 'by part', PartNumber: 2 }))
    expect(object).toMatchObject({ PartsCount: 2, ContentLength: end.length })
    expect(await object.Body?.transformToString()).toBe(end.toString())
    await expect(bytes('by part', { PartNumber: 3 })).rejects.toMatchObject({
      $metadata: { httpStatusCode: 416 },
    })
  })

  it('leave parts out that the completion does not name', async () => {
    const id = await start('left out')
    const first = await part('left out', id, 1, one)
    await part('left out', id, 2, two)
    const last = await part('left out', id, 3, end)
    await complete('left out', id, [first, last])
    expect((await bytes('left out')).equals(Buffer.concat([one, end]))).toBe(true)
  })

  it('take the last of a part that is sent twice', async () => {
    const id = await start('twice')
    const old = await part('twice', id, 1, Buffer.from('old'))
    const current = await part('twice', id, 1, Buffer.from('new'))
    await expect(complete('twice', id, [old])).rejects.toMatchObject({ name: 'InvalidPart' })
    await complete('twice', id, [current])
    expect((await bytes('twice')).toString()).toBe('new')
  })

  it('may have a single part, even an empty one', async () => {
    const id = await start('single')
    const { ETag } = await complete('single', id, [await part('single', id, 1, Buffer.alloc(0))])
    expect(ETag).toBe(multipartEtag(Buffer.alloc(0)))
    expect(await bytes('single')).toHaveLength(0)
  })

  it('refuse parts below 5 MiB, except the last', async () => {
    const id = await start('small')
    const parts = [await part('small', id, 1, end), await part('small', id, 2, end)]
    await expect(complete('small', id, parts)).rejects.toMatchObject({
      name: 'EntityTooSmall',
      $metadata: { httpStatusCode: 400 },
    })
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key: 'small', UploadId: id }))
  })

  it('refuse parts out of order, unknown, with another ETag, or none at all', async () => {
    const id = await start('refused')
    const first = await part('refused', id, 1, one)
    const second = await part('refused', id, 2, end)
    const attempt = (...parts: { PartNumber: number; ETag?: string | undefined }[]) =>
      complete('refused', id, parts)
    await expect(attempt(second, first)).rejects.toMatchObject({ name: 'InvalidPartOrder' })
    await expect(attempt(first, { ...second, PartNumber: 3 })).rejects.toMatchObject({ name: 'InvalidPart' })
    await expect(attempt(first, { ...second, ETag: first.ETag })).rejects.toMatchObject({
      name: 'InvalidPart',
    })
    await expect(attempt()).rejects.toMatchObject({ name: 'MalformedXML' })
    await attempt(first, second)
    expect((await bytes('refused')).equals(Buffer.concat([one, end]))).toBe(true)
  })

  it.each([0, 10_001])('have no part %i', async PartNumber => {
    const id = await start('numbers')
    await expect(part('numbers', id, PartNumber, end)).rejects.toMatchObject({ name: 'InvalidArgument' })
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key: 'numbers', UploadId: id }))
  })

  it('are invisible until they are complete, and gone when aborted', async () => {
    await client.send(new PutObjectCommand({ Bucket, Key: 'aborted', Body: 'before' }))
    const id = await start('aborted')
    const sent = await part('aborted', id, 1, end)
    expect((await bytes('aborted')).toString()).toBe('before')
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key: 'aborted', UploadId: id }))
    expect((await bytes('aborted')).toString()).toBe('before')
    const gone = { name: 'NoSuchUpload', $metadata: { httpStatusCode: 404 } }
    await expect(part('aborted', id, 2, end)).rejects.toMatchObject(gone)
    await expect(complete('aborted', id, [sent])).rejects.toMatchObject(gone)
    await expect(
      client.send(new AbortMultipartUploadCommand({ Bucket, Key: 'aborted', UploadId: id })),
    ).rejects.toMatchObject(gone)
  })

  it('belong to one key', async () => {
    const id = await start('mine')
    await expect(part('yours', id, 1, end)).rejects.toMatchObject({ name: 'NoSuchUpload' })
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key: 'mine', UploadId: id }))
  })

  it('create only what is missing with If-None-Match: *', async () => {
    await client.send(new PutObjectCommand({ Bucket, Key: 'taken', Body: 'before' }))
    const id = await start('taken')
    const sent = await part('taken', id, 1, end)
    await expect(complete('taken', id, [sent], { IfNoneMatch: '*' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    })
    expect((await bytes('taken')).toString()).toBe('before')
    await complete('taken', id, [sent])
    expect((await bytes('taken')).toString()).toBe('the end')
  })

  it('list their parts in pages', async () => {
    const id = await start('listed')
    for (const number of [5, 1, 3]) await part('listed', id, number, end)
    const page = (fields: object) =>
      client.send(new ListPartsCommand({ Bucket, Key: 'listed', UploadId: id, ...fields }))
    const first = await page({ MaxParts: 2 })
    expect(first.Parts?.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([
      [1, 7],
      [3, 7],
    ])
    expect(first).toMatchObject({ IsTruncated: true, NextPartNumberMarker: '3' })
    const second = await page({ PartNumberMarker: first.NextPartNumberMarker })
    expect(second.Parts?.map(({ PartNumber }) => PartNumber)).toEqual([5])
    expect(second.IsTruncated).toBe(false)
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key: 'listed', UploadId: id }))
  })

  it('are listed in pages while they are in progress', async () => {
    const ids = [await start('progress/a'), await start('progress/b'), await start('progress/b')]
    const page = (fields: object) =>
      client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: 'progress/', ...fields }))
    const found: (string | undefined)[] = []
    let next = await page({ MaxUploads: 1 })
    for (;;) {
      found.push(...(next.Uploads ?? []).map(({ UploadId }) => UploadId))
      if (!next.IsTruncated) break
      next = await page({
        MaxUploads: 1,
        KeyMarker: next.NextKeyMarker,
        UploadIdMarker: next.NextUploadIdMarker,
      })
    }
    expect(found.sort()).toEqual(ids.sort())
    for (const { Key, UploadId } of (await page({})).Uploads ?? [])
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    expect((await page({})).Uploads ?? []).toEqual([])
  })

  it('copy parts and ranges of other objects', async () => {
    await client.send(new PutObjectCommand({ Bucket, Key: 'source & co', Body: one }))
    const id = await start('copied')
    const CopySource = `${Bucket}/${encodeURIComponent('source & co')}`
    const copy = (PartNumber: number, fields: object = {}) =>
      client.send(
        new UploadPartCopyCommand({ Bucket, Key: 'copied', UploadId: id, PartNumber, CopySource, ...fields }),
      )
    const whole = await copy(1)
    const range = await copy(2, { CopySourceRange: 'bytes=4-11' })
    expect(whole.CopyPartResult?.ETag).toBe(`"${md5(one).toString('hex')}"`)
    await expect(copy(3, { CopySourceRange: `bytes=0-${one.length}` })).rejects.toMatchObject({
      $metadata: { httpStatusCode: expect.toSatisfy((status: number) => status === 400 || status === 416) },
    })
    await complete('copied', id, [
      { PartNumber: 1, ...pick(whole.CopyPartResult) },
      { PartNumber: 2, ...pick(range.CopyPartResult) },
    ])
    expect((await bytes('copied')).equals(Buffer.concat([one, one.subarray(4, 12)]))).toBe(true)
  })
})

function pick(result: CopyPartResult | undefined) {
  return { ETag: result?.ETag, ChecksumCRC32: result?.ChecksumCRC32 }
}

describe('lib-storage', () => {
  it('uploads a stream of unknown length in parts', async () => {
    const pieces = Array.from({ length: 130 }, (_, index) => Buffer.alloc(100_000, index))
    const whole = Buffer.concat(pieces)
    const upload = new Upload({
      client,
      params: { Bucket, Key: 'uploaded', Body: Readable.from(pieces), ContentType: 'text/csv' },
    })
    const { ETag } = await upload.done()
    expect(ETag).toMatch(/-3"$/)
    expect((await bytes('uploaded')).equals(whole)).toBe(true)
  })

  it('uploads what is small as a plain object', async () => {
    const { ETag } = await new Upload({ client, params: { Bucket, Key: 'plain', Body: 'small' } }).done()
    expect(ETag).toBe(`"${md5(Buffer.from('small')).toString('hex')}"`)
  })

  it('leaves nothing when its source fails', async () => {
    const upload = new Upload({ client, params: { Bucket, Key: 'given up', Body: failing() }, queueSize: 1 })
    await expect(upload.done()).rejects.toThrow('the source failed')
    await expect(bytes('given up')).rejects.toMatchObject({ name: 'NoSuchKey' })
    const { Uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix: 'given up' }),
    )
    expect(Uploads).toEqual([])
  })
})

function failing(): Readable {
  return Readable.from(
    (async function* () {
      for (let size = 0; size < 11; size += 1) yield Buffer.alloc(mb)
      throw new Error('the source failed')
    })(),
  )
}
