import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sendRaw, signHeaders } from './contract/raw-request.ts'
import { type ObjectCreatedEvent, type S3, startS3 } from './s3.ts'

const Bucket = 'files'
let home = ''
let now = Date.now()
const opened: { destroy(): void }[] = []

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'stepwright s3 test '))
  now = Date.now()
})
afterEach(async () => {
  for (const client of opened.splice(0)) client.destroy()
  await rm(home, { recursive: true, force: true })
})

function start(): Promise<S3> {
  return startS3({ dataDirectory: home, buckets: [Bucket], now: () => now })
}

function connect({ endpoint, region, credentials }: S3): S3Client {
  const client = new S3Client({ endpoint, region, credentials, maxAttempts: 1 })
  opened.push(client)
  return client
}
async function text(client: S3Client, Key: string): Promise<string | undefined> {
  return (await client.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString()
}
async function storedBytes(): Promise<number> {
  const files = await dataFiles()
  const sizes = await Promise.all(
    files.map(file => stat(join(home, 'buckets', Bucket, 'data', file)).then(({ size }) => size)),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
function dataFiles(): Promise<string[]> {
  return readdir(join(home, 'buckets', Bucket, 'data'))
}

describe('startS3', () => {
  it('clears away a record that was never finished', async () => {
    await (await start()).stop()
    const objects = join(home, 'buckets', Bucket, 'objects')
    await writeFile(join(objects, 'abc.json.new'), '{"key":')
    await using _ = await start()
    expect(await readdir(objects)).toEqual([])
  })

  it('keeps a data directory over stop and start', async () => {
    const first = await start()
    const client = connect(first)
    const fields = { ContentType: 'text/csv', Metadata: { a: '1' } }
    await client.send(new PutObjectCommand({ Bucket, Key: 'a/ü', Body: 'kept', ...fields }))
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'parts' }))
    const part = { Bucket, Key: 'parts', UploadId, PartNumber: 1 } as const
    const { ETag } = await client.send(new UploadPartCommand({ ...part, Body: 'part' } as never))
    await first.stop()

    await using second = await start()
    const again = connect(second)
    expect(await again.send(new GetObjectCommand({ Bucket, Key: 'a/ü' }))).toMatchObject(fields)
    expect(await text(again, 'a/ü')).toBe('kept')
    const { Contents } = await again.send(new ListObjectsV2Command({ Bucket }))
    expect(Contents?.map(({ Key }) => Key)).toEqual(['a/ü'])
    const { Parts } = await again.send(new ListPartsCommand({ Bucket, Key: 'parts', UploadId } as never))
    expect(Parts).toMatchObject([{ ETag, PartNumber: 1 }])
    await again.send(
      new CompleteMultipartUploadCommand({
        Bucket,
        Key: 'parts',
        UploadId,
        MultipartUpload: { Parts },
      } as never),
    )
    expect(await text(again, 'parts')).toBe('part')
  })

  it('leaves no data behind that no object uses', async () => {
    await using s3 = await start()
    const client = connect(s3)
    for (let round = 0; round < 3; round += 1)
      await client.send(new PutObjectCommand({ Bucket, Key: 'replaced', Body: `${round}` }))
    await client.send(new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/replaced` }))
    expect(await dataFiles()).toHaveLength(2)
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'aborted' }))
    const upload = { Bucket, Key: 'aborted', UploadId } as { Bucket: string; Key: string; UploadId: string }
    await client.send(new UploadPartCommand({ ...upload, PartNumber: 1, Body: 'a' }))
    await client.send(new UploadPartCommand({ ...upload, PartNumber: 1, Body: 'b' }))
    expect(await dataFiles()).toHaveLength(3)
    await client.send(new AbortMultipartUploadCommand(upload))
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'replaced' }))
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'copy' }))
    await expect(
      client.send(
        new PutObjectCommand({ Bucket, Key: 'bad', Body: 'x', ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' }),
      ),
    ).rejects.toMatchObject({ name: 'BadDigest' })
    expect(await dataFiles()).toEqual([])
  })

  it('deletes what an upload that broke off had sent', async () => {
    await using s3 = await start()
    const path = `/${Bucket}/broken`
    const headers = await signHeaders(s3, { method: 'PUT', path, headers: { 'content-length': '200000' } })
    const { hostname, port } = new URL(s3.endpoint)
    const upload = request({ hostname, port, method: 'PUT', path, headers })
    upload.on('error', () => {})
    upload.write(Buffer.alloc(100_000))
    await expect.poll(dataFiles).toHaveLength(1)
    upload.destroy()
    await expect.poll(dataFiles).toEqual([])
  })

  it('answers when the end of a request comes later than that of its content', async () => {
    await using s3 = await start()
    const path = `/${Bucket}/late`
    const signed = await signHeaders(s3, {
      method: 'PUT',
      path,
      headers: {
        'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        'x-amz-decoded-content-length': '5',
        'x-amz-trailer': 'x-amz-checksum-crc32',
      },
    })
    const { hostname, port } = new URL(s3.endpoint)
    const headers = { ...signed, 'transfer-encoding': 'chunked' }
    const upload = request({ hostname, port, method: 'PUT', path, headers })
    const answered = once(upload, 'response')
    upload.write('5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n')
    await expect.poll(storedBytes).toBe(5)
    // All of the content is stored; the end of HTTP's own chunks is still to come.
    await text(connect(s3), 'late').catch(() => {})
    upload.end()
    const [response] = await answered
    response.resume()
    expect(response.statusCode).toBe(200)
  })

  it('deletes what a killed process had begun to write, and nothing else', async () => {
    const first = await start()
    await connect(first).send(new PutObjectCommand({ Bucket, Key: 'whole', Body: 'whole' }))
    await first.stop()
    await writeFile(join(home, 'buckets', Bucket, 'data', 'unfinished'), 'half of')
    await using second = await start()
    expect(await dataFiles()).toHaveLength(1)
    expect(await text(connect(second), 'whole')).toBe('whole')
  })

  it('forgets a bucket that a killed process had begun to create or to delete', async () => {
    await mkdir(join(home, 'buckets', 'half', 'objects'), { recursive: true })
    await using s3 = await start()
    const { Buckets } = await connect(s3).send(new ListBucketsCommand())
    expect(Buckets?.map(({ Name }) => Name)).toEqual([Bucket])
    expect(await readdir(join(home, 'buckets'))).toEqual([Bucket])
  })

  it('forgets an upload that a killed process had completed, and keeps its object', async () => {
    const first = await start()
    const client = connect(first)
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'parts' }))
    const upload = { Bucket, Key: 'parts', UploadId } as { Bucket: string; Key: string; UploadId: string }
    const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber: 1, Body: 'part' }))
    const uploads = join(home, 'buckets', Bucket, 'uploads')
    await cp(uploads, join(home, 'before'), { recursive: true })
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag: ETag ?? '' }] }
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }))
    await first.stop()
    await cp(join(home, 'before'), uploads, { recursive: true })

    await using second = await start()
    const again = connect(second)
    await expect(again.send(new AbortMultipartUploadCommand(upload))).rejects.toMatchObject({
      name: 'NoSuchUpload',
    })
    expect(await text(again, 'parts')).toBe('part')
    expect(await readdir(uploads)).toEqual([])
  })

  it('answers InternalError, and warns, when the data of an object is gone from the disk', async () => {
    await using s3 = await start()
    const client = connect(s3)
    await client.send(new PutObjectCommand({ Bucket, Key: 'lost', Body: 'lost' }))
    for (const file of await dataFiles()) await rm(join(home, 'buckets', Bucket, 'data', file))
    const warned = new Promise<Error>(resolve => process.once('warning', resolve))
    await expect(text(client, 'lost')).rejects.toMatchObject({
      name: 'InternalError',
      $metadata: { httpStatusCode: 500 },
    })
    expect((await warned).message).toContain('ENOENT')
  })

  it('removes a temporary directory and its port when stopped', async () => {
    const s3 = await startS3({ buckets: [Bucket] })
    const client = connect(s3)
    await client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a' }))
    const before = (await readdir(tmpdir())).filter(name => name.startsWith('stepwright-s3-'))
    await s3.stop()
    await s3.stop()
    const after = (await readdir(tmpdir())).filter(name => name.startsWith('stepwright-s3-'))
    expect(before.length - after.length).toBeGreaterThanOrEqual(1)
    await expect(fetch(s3.endpoint)).rejects.toThrow()
    expect(existsSync(home)).toBe(true)
  })

  it('answers only to its own credentials and region', async () => {
    await using s3 = await startS3({
      buckets: [Bucket],
      region: 'eu-central-1',
      credentials: { accessKeyId: 'me', secretAccessKey: 'mine' },
    })
    expect(await connect(s3).send(new ListObjectsV2Command({ Bucket }))).toMatchObject({ KeyCount: 0 })
    const stranger = connect({ ...s3, credentials: { accessKeyId: 'me', secretAccessKey: 'yours' } })
    await expect(stranger.send(new ListObjectsV2Command({ Bucket }))).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    })
  })

  it('has another secret at every start', async () => {
    await using one = await startS3()
    await using other = await startS3()
    expect(one.credentials.secretAccessKey).not.toBe(other.credentials.secretAccessKey)
  })

  it('refuses to be called by another name', async () => {
    await using s3 = await start()
    const url = new URL(s3.endpoint)
    const { status } = await sendRaw(s3.endpoint, {
      method: 'GET',
      path: '/',
      headers: { host: `evil.example:${url.port}` },
    })
    expect(status).toBe(403)
  })

  it('keeps objects in files that nobody else may read', async () => {
    await using s3 = await start()
    await connect(s3).send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a' }))
    const found = await readdir(home, { recursive: true, withFileTypes: true })
    const modes = found.map(async entry => {
      const { mode } = await stat(join(entry.parentPath, entry.name))
      return `${entry.isDirectory() ? 'directory' : 'file'} ${(mode & 0o777).toString(8)}`
    })
    expect(new Set(await Promise.all(modes))).toEqual(new Set(['directory 700', 'file 600']))
  })

  it('lets presigned URLs expire by its own clock', async () => {
    await using s3 = await start()
    const client = connect(s3)
    await client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a' }))
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: 'a' }), { expiresIn: 60 })
    now += 59_000
    expect((await fetch(url)).status).toBe(200)
    now += 3_000
    const expired = await fetch(url)
    expect(expired.status).toBe(403)
    expect(await expired.text()).toContain('Request has expired')
  })

  it('tells the time of its clock', async () => {
    now = Date.parse('2031-02-03T04:05:06.789Z')
    await using s3 = await start()
    const client = connect(s3)
    const { endpoint, region, credentials } = s3
    const skewed = new S3Client({
      endpoint,
      region,
      credentials,
      systemClockOffset: now - Date.now(),
    })
    opened.push(skewed)
    await skewed.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a' }))
    const { LastModified } = await skewed.send(new HeadObjectCommand({ Bucket, Key: 'a' }))
    expect(LastModified?.toISOString()).toBe('2031-02-03T04:05:06.000Z')
    await expect(client.send(new ListMultipartUploadsCommand({ Bucket }))).rejects.toMatchObject({
      name: 'RequestTimeTooSkewed',
    })
  })
})

describe('onObjectCreated', () => {
  it('tells of puts, copies and completed uploads, before their writer knows', async () => {
    await using s3 = await start()
    const client = connect(s3)
    const events: ObjectCreatedEvent[] = []
    s3.onObjectCreated(event => {
      events.push(event)
    })
    const put = await client.send(new PutObjectCommand({ Bucket, Key: 'ä b', Body: 'abc' }))
    expect(events).toMatchObject([
      {
        'detail-type': 'Object Created',
        source: 'aws.s3',
        region: 'us-east-1',
        resources: ['arn:aws:s3:::files'],
        detail: {
          bucket: { name: Bucket },
          object: { key: 'ä b', size: 3, etag: put.ETag?.replaceAll('"', '') },
          reason: 'PutObject',
        },
      },
    ])
    await client.send(new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: encodeURI(`${Bucket}/ä b`) }))
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'parts' }))
    const upload = { Bucket, Key: 'parts', UploadId } as { Bucket: string; Key: string; UploadId: string }
    const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber: 1, Body: 'a' }))
    await client.send(
      new CompleteMultipartUploadCommand({
        ...upload,
        MultipartUpload: { Parts: [{ PartNumber: 1, ETag: ETag ?? '' }] },
      }),
    )
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'copy' }))
    expect(events.map(({ detail }) => [detail.reason, detail.object.key])).toEqual([
      ['PutObject', 'ä b'],
      ['CopyObject', 'copy'],
      ['CompleteMultipartUpload', 'parts'],
    ])
    const sequencers = events.map(({ detail }) => detail.object.sequencer)
    expect(sequencers).toEqual([...new Set(sequencers)].sort())
  })

  it('tells nothing of writes that fail, nor after unsubscribing', async () => {
    await using s3 = await start()
    const client = connect(s3)
    const keys: string[] = []
    const unsubscribe = s3.onObjectCreated(({ detail }) => {
      keys.push(detail.object.key)
    })
    await client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a' }))
    const again = new PutObjectCommand({ Bucket, Key: 'a', Body: 'b', IfNoneMatch: '*' })
    await expect(client.send(again)).rejects.toMatchObject({ name: 'PreconditionFailed' })
    unsubscribe()
    await client.send(new PutObjectCommand({ Bucket, Key: 'b', Body: 'b' }))
    expect(keys).toEqual(['a'])
  })

  it('tells again of an upload whose completion is repeated after a restart, as a kill may have come between', async () => {
    const keys: string[] = []
    const listen = (s3: S3) =>
      s3.onObjectCreated(({ detail }) => {
        keys.push(detail.object.key)
      })
    const Key = 'parts'
    let complete: CompleteMultipartUploadCommand | undefined
    for (const expected of [['parts'], ['parts', 'parts']]) {
      await using s3 = await start()
      listen(s3)
      const client = connect(s3)
      if (complete === undefined) {
        const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
        const target = { Bucket, Key, UploadId }
        const { ETag } = await client.send(new UploadPartCommand({ ...target, PartNumber: 1, Body: 'a' }))
        complete = new CompleteMultipartUploadCommand({
          ...target,
          MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
        })
      }
      await client.send(complete)
      await client.send(complete)
      expect(keys).toEqual(expected)
    }
  })

  it('warns of a listener that fails, and stores the object nevertheless', async () => {
    await using s3 = await start()
    const client = connect(s3)
    const warned = new Promise<Error>(resolve => process.once('warning', resolve))
    s3.onObjectCreated(async () => {
      throw new Error('the listener failed')
    })
    await client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a' }))
    expect((await warned).message).toContain('the listener failed')
    expect(await text(client, 'a')).toBe('a')
  })

  it('finishes its listeners before it stops', async () => {
    const s3 = await start()
    let release = (): void => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    let finished = false
    s3.onObjectCreated(async () => {
      await held
      finished = true
    })
    await connect(s3).send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a' }))
    const stopped = s3.stop().then(() => finished)
    release()
    expect(await stopped).toBe(true)
  })
})
