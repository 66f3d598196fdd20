import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type S3, type S3Access, startS3 } from './index.ts'

const secretAccessKey = 'a secret of the caller'
const Bucket = 'uploads'
let s3: S3
let owner: S3Client
let caller: S3Client
let may: (access: S3Access) => boolean = () => true

beforeAll(async () => {
  s3 = await startS3({
    buckets: [Bucket],
    callers: {
      CALLER: {
        secretAccessKey,
        refusalOf: access => (may(access) ? undefined : `is not authorized to perform: ${access.action}`),
      },
    },
  })
  const config = { endpoint: s3.endpoint, region: s3.region, forcePathStyle: true }
  owner = new S3Client({ ...config, credentials: s3.credentials })
  caller = new S3Client({ ...config, credentials: { accessKeyId: 'CALLER', secretAccessKey } })
  for (const Key of ['in/a', 'in/b', 'out/c'])
    await owner.send(new PutObjectCommand({ Bucket, Key, Body: Key }))
})
afterAll(async () => {
  owner.destroy()
  caller.destroy()
  await s3.stop()
})

function below(...allowed: readonly string[]): (access: S3Access) => boolean {
  return ({ action, key, prefix }) =>
    allowed.some(each => `${action} ${key || (prefix ?? '')}`.startsWith(each))
}

describe('callers', () => {
  it('do what they may, and are refused the rest in words', async () => {
    may = below('s3:GetObject in/')
    await expect(caller.send(new GetObjectCommand({ Bucket, Key: 'in/a' }))).resolves.toBeTruthy()
    await expect(caller.send(new GetObjectCommand({ Bucket, Key: 'out/c' }))).rejects.toMatchObject({
      name: 'AccessDenied',
      message: 'is not authorized to perform: s3:GetObject',
    })
    await expect(caller.send(new PutObjectCommand({ Bucket, Key: 'in/a', Body: '' }))).rejects.toThrow(
      's3:PutObject',
    )
  })

  it('are not told of a missing object unless they may list', async () => {
    may = below('s3:GetObject in/')
    const missing = new HeadObjectCommand({ Bucket, Key: 'in/missing' })
    await expect(caller.send(missing)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } })
    may = below('s3:GetObject in/', 's3:ListBucket')
    await expect(caller.send(missing)).rejects.toMatchObject({ name: 'NotFound' })
  })

  it('list by prefix, and need both rights to copy', async () => {
    may = below('s3:ListBucket in/', 's3:GetObject in/')
    await expect(caller.send(new ListObjectsV2Command({ Bucket, Prefix: 'in/' }))).resolves.toMatchObject({
      KeyCount: 2,
    })
    await expect(caller.send(new ListObjectsV2Command({ Bucket }))).rejects.toThrow('s3:ListBucket')
    const copy = new CopyObjectCommand({ Bucket, Key: 'out/a', CopySource: `${Bucket}/in/a` })
    await expect(caller.send(copy)).rejects.toThrow('s3:PutObject')
  })

  it('delete of a list what they may', async () => {
    may = below('s3:DeleteObject in/')
    const answer = await caller.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'in/b' }, { Key: 'out/c' }] } }),
    )
    expect(answer).toMatchObject({
      Deleted: [{ Key: 'in/b' }],
      Errors: [{ Key: 'out/c', Code: 'AccessDenied' }],
    })
  })

  it('give no more by a presigned URL than they have', async () => {
    may = below('s3:GetObject in/')
    const url = (Key: string) => getSignedUrl(caller, new GetObjectCommand({ Bucket, Key }))
    expect((await fetch(await url('in/a'))).status).toBe(200)
    expect((await fetch(await url('out/c'))).status).toBe(403)
  })

  it('must sign with their own secret', async () => {
    const wrong = new S3Client({
      endpoint: s3.endpoint,
      region: s3.region,
      credentials: { accessKeyId: 'CALLER', secretAccessKey: s3.credentials.secretAccessKey },
    })
    await expect(wrong.send(new GetObjectCommand({ Bucket, Key: 'in/a' }))).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    })
    wrong.destroy()
  })

  it('are nobody by a name that every JavaScript object knows', async () => {
    const { endpoint, region } = s3
    const credentials = { accessKeyId: 'constructor', secretAccessKey: 'undefined' }
    const nobody = new S3Client({ endpoint, region, credentials, maxAttempts: 1 })
    await expect(nobody.send(new GetObjectCommand({ Bucket, Key: 'in/a' }))).rejects.toMatchObject({
      name: 'InvalidAccessKeyId',
    })
    nobody.destroy()
  })

  it('copy the object that they asked to, and no other', async () => {
    await owner.send(new PutObjectCommand({ Bucket, Key: 'in/a?secret', Body: 'secret' }))
    may = ({ action, key }) => action === 's3:PutObject' || key === 'in/a'
    const copy = (CopySource: string) =>
      caller.send(new CopyObjectCommand({ Bucket, Key: 'out/copy', CopySource }))
    await expect(copy(`${Bucket}/in/a`)).resolves.toBeTruthy()
    await expect(copy(`${Bucket}/in/a?secret`)).rejects.toThrow('s3:GetObject')
    await expect(copy(`${Bucket}/%zz`)).rejects.toMatchObject({ name: 'InvalidArgument' })
  })
})
