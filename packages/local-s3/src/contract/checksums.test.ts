import { createHash, createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import {
  type ChecksumAlgorithm,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { createScope, getSigningKey } from '@smithy/signature-v4'
import { afterAll, describe, expect, it } from 'vitest'
import { Sha256 } from '../s3/sha256.ts'
import { testBucket } from '../vitest/test-bucket.ts'
import { type RawResponse, sendRaw, sendSigned, signHeaders } from './raw-request.ts'

const { clientConfig, bucket: Bucket } = await testBucket()
const client = new S3Client({ ...clientConfig, maxAttempts: 1 })
afterAll(() => client.destroy())

function reason({ status, code }: RawResponse): unknown {
  return { status, code }
}
function hash(algorithm: string, text: string): string {
  return createHash(algorithm).update(text).digest('base64')
}
function crc32Of(data: string | Buffer): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(data))
  return bytes.toString('base64')
}
function head(Key: string) {
  return client.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' }))
}
async function text(Key: string): Promise<string | undefined> {
  return (await client.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString()
}
function put(key: string, body: string | Buffer, headers: Record<string, string>): Promise<RawResponse> {
  return sendSigned(clientConfig, { method: 'PUT', path: `/${Bucket}/${key}`, body, headers })
}

// The check values of the CRC catalogue are those of these nine digits.
const digits = '123456789'
const known = {
  CRC32: Buffer.from('cbf43926', 'hex').toString('base64'),
  CRC32C: Buffer.from('e3069283', 'hex').toString('base64'),
  CRC64NVME: Buffer.from('ae8b14860a799888', 'hex').toString('base64'),
  SHA1: hash('sha1', digits),
  SHA256: hash('sha256', digits),
}

describe('checksums', () => {
  it('are CRC32 by default, kept, and verified by the client that reads', async () => {
    const sent = await client.send(new PutObjectCommand({ Bucket, Key: 'default', Body: 'abc' }))
    expect(sent).toMatchObject({ ChecksumCRC32: crc32Of('abc'), ChecksumType: 'FULL_OBJECT' })
    expect(await head('default')).toMatchObject({ ChecksumCRC32: crc32Of('abc') })
    expect(await text('default')).toBe('abc')
  })

  it('follow a stream in a trailer', async () => {
    const pieces = Array.from({ length: 40 }, (_, index) => Buffer.alloc(20_000 + index, index))
    const whole = Buffer.concat(pieces)
    const { ChecksumCRC32 } = await client.send(
      new PutObjectCommand({
        Bucket,
        Key: 'trailer',
        Body: Readable.from(pieces),
        ContentLength: whole.length,
      }),
    )
    expect(ChecksumCRC32).toBe(crc32Of(whole))
  })

  it.each(Object.entries(known))('may be %s', async (algorithm, value) => {
    const name = `x-amz-checksum-${algorithm.toLowerCase()}`
    const sent = await put('chosen', digits, { [name]: value })
    expect([sent.status, sent.headers[name]]).toEqual([200, value])
    expect((await head('chosen'))[`Checksum${algorithm as ChecksumAlgorithm}`]).toBe(value)
    const wrong = await put('chosen', '123456780', { [name]: value })
    expect(reason(wrong)).toEqual({ status: 400, code: 'BadDigest' })
    expect(await text('chosen')).toBe(digits)
  })

  it.each(['CRC32C', 'SHA1', 'SHA256'] as const)('are computed by the SDK as %s', async ChecksumAlgorithm => {
    const sent = await client.send(
      new PutObjectCommand({ Bucket, Key: 'by sdk', Body: digits, ChecksumAlgorithm }),
    )
    expect(sent[`Checksum${ChecksumAlgorithm}`]).toBe(known[ChecksumAlgorithm])
  })

  it('are refused when they are none, or several', async () => {
    const invalid = { status: 400, code: 'InvalidRequest' }
    expect(reason(await put('x', 'abc', { 'x-amz-checksum-crc32': 'no checksum' }))).toEqual(invalid)
    const both = { 'x-amz-checksum-crc32': crc32Of('abc'), 'x-amz-checksum-sha1': hash('sha1', 'abc') }
    expect(reason(await put('x', 'abc', both))).toEqual(invalid)
  })

  it('by Content-MD5 are verified', async () => {
    expect((await put('md5', 'abc', { 'content-md5': hash('md5', 'abc') })).status).toBe(200)
    const wrong = await put('md5', 'abd', { 'content-md5': hash('md5', 'abc') })
    expect(reason(wrong)).toEqual({ status: 400, code: 'BadDigest' })
    const invalid = await put('md5', 'abc', { 'content-md5': 'short' })
    expect(reason(invalid)).toEqual({ status: 400, code: 'InvalidDigest' })
    expect(await text('md5')).toBe('abc')
  })

  it('are needed to delete many objects', async () => {
    const response = await sendSigned(clientConfig, {
      method: 'POST',
      path: `/${Bucket}?delete=`,
      body: '<Delete><Object><Key>md5</Key></Object></Delete>',
    })
    expect(reason(response)).toEqual({ status: 400, code: 'InvalidRequest' })
  })
})

const mb5 = Buffer.alloc(5 * 1024 ** 2, 'part ')

describe('checksums of multipart uploads', () => {
  async function upload(Key: string, fields: object, checksums: boolean) {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...fields }))
    const Parts = []
    for (const [index, Body] of [mb5, Buffer.from('end')].entries()) {
      const target = { Bucket, Key, UploadId: UploadId ?? '', PartNumber: index + 1 }
      const { ETag, ChecksumCRC32 } = await client.send(new UploadPartCommand({ ...target, Body }))
      Parts.push({ PartNumber: index + 1, ETag, ...(checksums ? { ChecksumCRC32 } : {}) })
    }
    const command = { Bucket, Key, UploadId, MultipartUpload: { Parts } }
    return client.send(new CompleteMultipartUploadCommand(command as never))
  }

  it('are made of those of the parts', async () => {
    const completed = await upload('composite', { ChecksumAlgorithm: 'CRC32' }, true)
    const parts = [mb5, 'end'].map(part => Buffer.from(crc32Of(part), 'base64'))
    const value = `${crc32Of(Buffer.concat(parts))}-2`
    expect(completed).toMatchObject({ ChecksumCRC32: value, ChecksumType: 'COMPOSITE' })
    expect(await head('composite')).toMatchObject({ ChecksumCRC32: value, ChecksumType: 'COMPOSITE' })
    expect(await text('composite')).toHaveLength(mb5.length + 3)
  })

  it('or of the whole object', async () => {
    const completed = await upload('whole', { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' }, true)
    const value = crc32Of(Buffer.concat([mb5, Buffer.from('end')]))
    expect(completed).toMatchObject({ ChecksumCRC32: value, ChecksumType: 'FULL_OBJECT' })
    expect(await text('whole')).toHaveLength(mb5.length + 3)
  })

  it.each([
    ['of those of the parts', {}],
    ['of the whole object', { ChecksumType: 'FULL_OBJECT' }],
  ])('are told of a part where it is read, %s', async (type, fields) => {
    const Key = `by part ${type}`
    await upload(Key, { ChecksumAlgorithm: 'CRC32', ...fields }, true)
    for (const [index, part] of [mb5, Buffer.from('end')].entries()) {
      const asked = { Bucket, Key, PartNumber: index + 1, ChecksumMode: 'ENABLED' } as const
      const expected = { ChecksumCRC32: crc32Of(part), PartsCount: 2, ContentLength: part.length }
      expect(await client.send(new HeadObjectCommand(asked))).toMatchObject(expected)
      const got = await client.send(new GetObjectCommand(asked))
      expect(got).toMatchObject(expected)
      expect((await got.Body?.transformToByteArray())?.length).toBe(part.length)
    }
    const range = { Bucket, Key, Range: 'bytes=0-1', ChecksumMode: 'ENABLED' } as const
    expect((await client.send(new HeadObjectCommand(range))).ChecksumCRC32).toBeUndefined()
  })

  it('must be listed for every part if they are made of them', async () => {
    await expect(upload('unlisted', { ChecksumAlgorithm: 'CRC32' }, false)).rejects.toMatchObject({
      name: 'InvalidRequest',
    })
  })
})

describe('without a checksum of the client', () => {
  const quiet = new S3Client({
    ...clientConfig,
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  afterAll(() => quiet.destroy())
  const expected = { ChecksumCRC64NVME: known.CRC64NVME, ChecksumType: 'FULL_OBJECT' }

  it('an object has one in CRC64NVME, and a copy keeps it', async () => {
    expect(await quiet.send(new PutObjectCommand({ Bucket, Key: 'bare', Body: digits }))).toMatchObject(
      expected,
    )
    expect(await head('bare')).toMatchObject(expected)
    const asked = { Bucket, Key: 'bare', PartNumber: 1, ChecksumMode: 'ENABLED' } as const
    expect(await quiet.send(new HeadObjectCommand(asked))).toMatchObject(expected)
    const CopySource = `${Bucket}/bare`
    const { CopyObjectResult } = await quiet.send(
      new CopyObjectCommand({ Bucket, Key: 'bare copy', CopySource }),
    )
    expect(CopyObjectResult).toMatchObject(expected)
  })

  it('an object of parts has one of all its bytes', async () => {
    const Key = 'bare parts'
    const { UploadId } = await quiet.send(new CreateMultipartUploadCommand({ Bucket, Key }))
    const Parts = []
    for (const [index, Body] of [mb5, mb5, Buffer.from('end')].entries()) {
      const target = { Bucket, Key, UploadId, PartNumber: index + 1 }
      const { ETag } = await quiet.send(new UploadPartCommand({ ...target, Body }))
      Parts.push({ PartNumber: index + 1, ETag })
    }
    const completed = await quiet.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
    )
    const whole = Buffer.concat([mb5, mb5, Buffer.from('end')])
    await quiet.send(new PutObjectCommand({ Bucket, Key: 'bare whole', Body: whole }))
    const { ChecksumCRC64NVME } = await head('bare whole')
    expect(completed).toMatchObject({ ChecksumCRC64NVME, ChecksumType: 'FULL_OBJECT' })
    expect(await head(Key)).toMatchObject({ ChecksumCRC64NVME, ChecksumType: 'FULL_OBJECT' })
  })
})

describe('aws-chunked bodies', () => {
  const chunked = (chunks: string[], trailer = ''): string =>
    `${[...chunks, ''].map(chunk => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}${chunk === '' ? '' : '\r\n'}`).join('')}${trailer}\r\n`
  const trailerHeaders = (length: number): Record<string, string> => ({
    'content-encoding': 'aws-chunked',
    'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'x-amz-decoded-content-length': String(length),
    'x-amz-trailer': 'x-amz-checksum-crc32',
  })

  it('are decoded', async () => {
    const body = chunked(['abc', 'd', 'e\r\nf'], `x-amz-checksum-crc32:${crc32Of('abcde\r\nf')}\r\n`)
    expect((await put('chunked', body, trailerHeaders(8))).status).toBe(200)
    expect(await text('chunked')).toBe('abcde\r\nf')
    expect((await head('chunked')).ContentEncoding).toBeUndefined()
  })

  it.each([
    ['a wrong checksum', chunked(['abc'], `x-amz-checksum-crc32:${crc32Of('abd')}\r\n`), 'BadDigest'],
    ['no checksum though announced', chunked(['abc']), 'MalformedTrailerError'],
    ['less than announced', chunked(['ab'], `x-amz-checksum-crc32:${crc32Of('ab')}\r\n`), 'IncompleteBody'],
    [
      'more than announced',
      chunked(['abcd'], `x-amz-checksum-crc32:${crc32Of('abcd')}\r\n`),
      'IncompleteBody',
    ],
    ['an end in the middle', '3\r\nab', 'IncompleteBody'],
    ['no sizes', 'abc', 'IncompleteBody'],
    [
      'more behind its end',
      `${chunked(['abc'], `x-amz-checksum-crc32:${crc32Of('abc')}\r\n`)}x`,
      'InvalidRequest',
    ],
    ['sizes that are none', 'xyz\r\nabc\r\n0\r\n\r\n', 'InvalidRequest'],
  ])('are refused with %s', async (_, body, code) => {
    expect(reason(await put('refused', body, trailerHeaders(3)))).toEqual({ status: 400, code })
    await expect(text('refused')).rejects.toMatchObject({ name: 'NoSuchKey' })
  })

  describe('with signed chunks', () => {
    async function signed(chunks: string[], checksum?: string, tamper = (body: string) => body) {
      const path = `/${Bucket}/signed`
      const kind = `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${checksum === undefined ? '' : '-TRAILER'}`
      const signingDate = new Date()
      const headers = await signHeaders(clientConfig, {
        method: 'PUT',
        path,
        signingDate,
        headers: {
          'x-amz-content-sha256': kind,
          'x-amz-decoded-content-length': String(chunks.join('').length),
          ...(checksum === undefined ? {} : { 'x-amz-trailer': 'x-amz-checksum-crc32' }),
        },
      })
      const day = (headers['x-amz-date'] ?? '').slice(0, 8)
      const { credentials, region, endpoint } = clientConfig
      const key = await getSigningKey(Sha256, credentials, day, region, 's3')
      const sign = (...lines: string[]): string =>
        createHmac('sha256', key)
          .update(
            [lines[0], headers['x-amz-date'], createScope(day, region, 's3'), ...lines.slice(1)].join('\n'),
          )
          .digest('hex')
      const sha256 = (data: string): string => createHash('sha256').update(data).digest('hex')
      let previous = /Signature=(\w+)/.exec(headers['authorization'] ?? '')?.[1] ?? ''
      let body = ''
      for (const chunk of [...chunks, '']) {
        previous = sign('AWS4-HMAC-SHA256-PAYLOAD', previous, sha256(''), sha256(chunk))
        body += `${chunk.length.toString(16)};chunk-signature=${previous}\r\n${chunk}${chunk === '' ? '' : '\r\n'}`
      }
      if (checksum !== undefined) {
        const line = `x-amz-checksum-crc32:${checksum}`
        const signature = sign('AWS4-HMAC-SHA256-TRAILER', previous, sha256(`${line}\n`))
        body += `${line}\r\nx-amz-trailer-signature:${signature}\r\n`
      }
      body = tamper(`${body}\r\n`)
      return sendRaw(endpoint, {
        method: 'PUT',
        path,
        body,
        headers: { ...headers, 'content-length': String(body.length) },
      })
    }
    const mismatch = { status: 403, code: 'SignatureDoesNotMatch' }

    it('are verified and decoded', async () => {
      expect((await signed(['first ', 'second'])).status).toBe(200)
      expect(await text('signed')).toBe('first second')
    })

    it('are refused when a chunk was changed, moved or its signature exchanged', async () => {
      expect(reason(await signed(['abc', 'def'], undefined, body => body.replace('abc', 'abd')))).toEqual(
        mismatch,
      )
      const swapped = (body: string): string => {
        const [first = '', second = '', ...rest] = body.split(/(?=\b3;)/)
        return [second, first, ...rest].join('')
      }
      expect(reason(await signed(['abc', 'def'], undefined, swapped))).toEqual(mismatch)
      const exchanged = (body: string): string =>
        body.replace(/(chunk-signature=)\w{64}/, `$1${'0'.repeat(64)}`)
      expect(reason(await signed(['abc', 'def'], undefined, exchanged))).toEqual(mismatch)
      expect(await text('signed')).toBe('first second')
    })

    it('have a signed trailer', async () => {
      expect((await signed(['third'], crc32Of('third'))).status).toBe(200)
      expect(await text('signed')).toBe('third')
      expect(reason(await signed(['third'], crc32Of('other')))).toEqual({ status: 400, code: 'BadDigest' })
      const exchanged = (body: string): string => body.replace(crc32Of('third'), crc32Of('other'))
      expect(reason(await signed(['third'], crc32Of('third'), exchanged))).toEqual(mismatch)
    })
  })
})
