import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { chaosRounds } from '@stepwright/bench/chaos'
import { expect, it } from 'vitest'

const mb = 1024 ** 2

async function peakMemory(sizeMb: number): Promise<number> {
  const server = spawn(process.execPath, [join(import.meta.dirname, '../test/serve-s3.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  const clientConfig = JSON.parse((await lines.next()).value ?? '')
  const client = new S3Client(clientConfig)
  const target = { Bucket: 'files', Key: 'large' }

  const sent = createHash('md5')
  async function* content(): AsyncGenerator<Buffer> {
    for (let index = 0; index < sizeMb; index += 1) {
      const chunk = Buffer.alloc(mb, `${index} `)
      sent.update(chunk)
      yield chunk
    }
  }
  const Body = Readable.from(content())
  const { ETag } = await client.send(new PutObjectCommand({ ...target, Body, ContentLength: sizeMb * mb }))
  expect(ETag).toBe(`"${sent.digest('hex')}"`)

  const received = createHash('md5')
  const object = await client.send(new GetObjectCommand(target))
  for await (const chunk of object.Body as Readable) received.update(chunk)
  expect(`"${received.digest('hex')}"`).toBe(ETag)

  client.destroy()
  server.stdin.end()
  const { value: kilobytes } = await lines.next()
  return Number(kilobytes) / 1024
}

it('takes no more memory for a large object than for a small one', { timeout: 0 }, async () => {
  const small = await peakMemory(16)
  const large = await peakMemory(chaosRounds(256))
  expect(large).toBeLessThan(small + 64)
})
