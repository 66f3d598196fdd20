import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { chaosRounds } from '@stepwright/bench/chaos'
import { expect, it } from 'vitest'

const mb = 1024 ** 2

interface Memory {
  readonly peakMb: number
  /** What the process holds when the work is done, freed memory that the allocator keeps aside. */
  readonly heldMb: number
}

/** What a server needs for some work. */
async function memoryOf(work: (client: S3Client) => Promise<void>): Promise<Memory> {
  const server = spawn(process.execPath, [join(import.meta.dirname, '../test/serve-s3.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  const client = new S3Client(JSON.parse((await lines.next()).value ?? ''))
  await work(client)
  client.destroy()
  server.stdin.end()
  const { peak, held } = JSON.parse((await lines.next()).value ?? '')
  return { peakMb: peak / 1024, heldMb: held / 1024 }
}

async function moveLarge(client: S3Client, sizeMb: number): Promise<void> {
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
}

/** Many clients at once, each of which replaces and reads its own objects. */
async function moveMany(client: S3Client, count: number): Promise<void> {
  const Body = Buffer.alloc(100_000, 'x')
  let begun = 0
  const one = async (_: unknown, index: number): Promise<void> => {
    while (begun < count) {
      begun += 1
      const target = { Bucket: 'files', Key: `${index}-${begun % 50}` }
      await client.send(new PutObjectCommand({ ...target, Body }))
      const { Body: stream } = await client.send(new GetObjectCommand(target))
      expect(await stream?.transformToByteArray()).toHaveLength(Body.length)
    }
  }
  await Promise.all(Array.from({ length: 16 }, one))
}

it('takes no more memory for a large object than for a small one', { timeout: 0 }, async () => {
  const small = await memoryOf(client => moveLarge(client, 16))
  const large = await memoryOf(client => moveLarge(client, chaosRounds(256)))
  expect(large.peakMb).toBeLessThan(small.peakMb + 64)
})

it('takes no more memory for many requests than for some, and holds little of it afterwards', {
  timeout: 0,
}, async () => {
  const some = 500
  const few = await memoryOf(client => moveMany(client, some))
  const many = await memoryOf(client => moveMany(client, some + chaosRounds(1500)))
  expect(many.peakMb).toBeLessThan(few.peakMb + 96)
  expect(many.heldMb).toBeLessThan(64)
})
