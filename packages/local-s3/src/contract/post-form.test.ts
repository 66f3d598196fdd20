import { createHmac } from 'node:crypto'
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { afterAll, describe, expect, it } from 'vitest'
import { testBucket } from '../vitest/test-bucket.ts'

const { clientConfig, bucket } = await testBucket()
const client = new S3Client({ ...clientConfig, maxAttempts: 1 })
afterAll(() => client.destroy())

const { accessKeyId, secretAccessKey } = clientConfig.credentials
const amzDate = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
const day = amzDate.slice(0, 8)
function sign(policy: string, secret = secretAccessKey): string {
  const key = [day, clientConfig.region, 's3', 'aws4_request'].reduce(
    (before: string | Buffer, part) => createHmac('sha256', before).update(part).digest(),
    `AWS4${secret}`,
  )
  return createHmac('sha256', key).update(policy).digest('hex')
}

interface Upload {
  readonly fields?: Readonly<Record<string, string>>
  readonly conditions?: readonly unknown[]
  readonly expiresInMs?: number
  readonly secret?: string
  readonly content?: string | Uint8Array<ArrayBuffer>
  /** Fields that the policy does not name. */
  readonly unnamed?: Readonly<Record<string, string>>
}

async function post({
  fields = {},
  conditions = [],
  expiresInMs = 60_000,
  secret,
  content = 'x',
  unnamed,
}: Upload) {
  const signed: Record<string, string> = {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: S3 puts the name of the file there
    key: 'form/${filename}',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${accessKeyId}/${day}/${clientConfig.region}/s3/aws4_request`,
    'X-Amz-Date': amzDate,
    ...fields,
  }
  const expiration = new Date(Date.now() + expiresInMs).toISOString()
  const exact = Object.entries(signed).map(([name, value]) => ({ [name]: value }))
  const document = { expiration, conditions: [{ bucket }, ...exact, ...conditions] }
  const policy = Buffer.from(JSON.stringify(document)).toString('base64')
  const form = new FormData()
  const all = { ...signed, ...unnamed, Policy: policy, 'X-Amz-Signature': sign(policy, secret) }
  for (const [name, value] of Object.entries(all)) form.append(name, value)
  form.append('file', new Blob([content]), 'a ü.csv')
  form.append('submit', 'Upload')
  const response = await fetch(`${clientConfig.endpoint}/${bucket}`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    code: /<Code>(.*?)<\/Code>/.exec(text)?.[1],
  }
}

describe('uploads by a form', () => {
  it('store the file, with its type and metadata', async () => {
    const content = new Uint8Array(300_000).map((_, index) => index % 251)
    const fields = { 'Content-Type': 'text/csv', 'x-amz-meta-a': '1' }
    expect((await post({ fields, content })).status).toBe(204)
    const stored = await client.send(new GetObjectCommand({ Bucket: bucket, Key: 'form/a ü.csv' }))
    expect(stored).toMatchObject({ ContentType: 'text/csv', Metadata: { a: '1' } })
    expect(Buffer.from((await stored.Body?.transformToByteArray()) ?? []).equals(content)).toBe(true)
  })

  it('keep metadata that is not ASCII, as a header has it', async () => {
    const fields = { key: 'titled', 'x-amz-meta-title': '日本' }
    expect((await post({ fields })).status).toBe(204)
    const { Metadata } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: 'titled' }))
    expect(Buffer.from(Metadata?.['title'] ?? '', 'latin1').toString()).toBe('日本')
  })

  it('answer as they are asked to', async () => {
    const created = await post({ fields: { key: 'b', success_action_status: '201' } })
    expect([created.status, created.text]).toEqual([201, expect.stringContaining('<Key>b</Key>')])
    const redirected = await post({
      fields: { key: 'b', success_action_redirect: 'http://localhost:1/done?a=1' },
    })
    expect([redirected.status, redirected.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^http:\/\/localhost:1\/done\?a=1&bucket=.*&key=b&etag=%22/),
    ])
  })

  it.each<[string, Upload, number, string]>([
    ['another signature', { secret: 'guessed' }, 403, 'SignatureDoesNotMatch'],
    ['an old policy', { expiresInMs: -1 }, 403, 'AccessDenied'],
    ['a field that is not in the policy', { unnamed: { 'x-amz-meta-b': '2' } }, 403, 'AccessDenied'],
    ['another value', { conditions: [['eq', '$key', 'other']] }, 403, 'AccessDenied'],
    ['another start', { conditions: [['starts-with', '$key', 'other/']] }, 403, 'AccessDenied'],
    ['too much', { conditions: [['content-length-range', 0, 2]], content: 'abc' }, 400, 'EntityTooLarge'],
    ['too little', { conditions: [['content-length-range', 9, 99]], content: 'abc' }, 400, 'EntityTooSmall'],
    ['a key that is too long', { fields: { key: `refused${'x'.repeat(1024)}` } }, 400, 'KeyTooLongError'],
    [
      'a header within a header',
      { fields: { 'x-amz-meta-a': 'x\r\nset-cookie: a' } },
      400,
      'InvalidArgument',
    ],
    ['an ACL', { fields: { acl: 'public-read' } }, 400, 'AccessControlListNotSupported'],
  ])('are refused with %s', async (_, upload, status, code) => {
    const refused = await post({ ...upload, fields: { key: 'refused', ...upload.fields } })
    expect(refused).toMatchObject({ status, code })
    const { KeyCount } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'refused' }))
    expect(KeyCount).toBe(0)
  })

  it('are refused when the form breaks off or has no file', async () => {
    const send = (body: string) =>
      fetch(`${clientConfig.endpoint}/${bucket}`, {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        body,
      })
    const field = '--b\r\ncontent-disposition: form-data; name="key"\r\n\r\nx\r\n--b'
    expect(await (await send(field)).text()).toContain('MalformedPOSTRequest')
    expect(await (await send(`${field}--\r\n\r\n`)).text()).toContain('exactly one file upload')
    expect(await (await send('x'.repeat(100_000))).text()).toContain('MaxMessageLengthExceeded')
  })
})
