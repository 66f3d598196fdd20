import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { chaosRounds } from '@stepwright/bench/chaos'
import { exitOf } from '@stepwright/local-server'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type S3, startS3 } from './s3.ts'

const Bucket = 'files'
let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'stepwright s3 kill '))
})
afterEach(() => rm(home, { recursive: true, force: true }))

type ClientConfig = Pick<S3, 'endpoint' | 'region' | 'credentials'>

function connect({ endpoint, region, credentials }: ClientConfig): S3Client {
  return new S3Client({ endpoint, region, credentials, maxAttempts: 1 })
}

/** Replaces a few keys over and over until the server dies; the versions it was told are stored. */
async function writeUntilKilled(
  clientConfig: ClientConfig,
  acknowledged: Map<string, number>,
  round: number,
): Promise<void> {
  const client = connect(clientConfig)
  const writer = async (Key: string): Promise<void> => {
    for (let version = round * 10_000; ; version += 1) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body: `${version} `.repeat(20_000) }))
      acknowledged.set(Key, version)
    }
  }
  await Promise.allSettled(['a', 'b', 'c', 'd'].map(writer))
  client.destroy()
}

it('keeps what it acknowledged, whole, when it is killed', { timeout: 0 }, async () => {
  const acknowledged = new Map<string, number>()
  for (let round = 1; round <= chaosRounds(3); round += 1) {
    const script = join(import.meta.dirname, '../test/serve-s3.ts')
    const server = spawn(process.execPath, [script, home], { stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
    const clientConfig = JSON.parse((await lines.next()).value ?? '') as ClientConfig
    const writing = writeUntilKilled(clientConfig, acknowledged, round)
    // Somewhere in the midst of a write, after a few.
    await expect.poll(() => (acknowledged.get('a') ?? 0) - round * 10_000).toBeGreaterThan(round % 7)
    server.kill('SIGKILL')
    await exitOf(server)
    await writing

    await using s3 = await startS3({ dataDirectory: home })
    const client = connect(s3)
    for (const [Key, version] of acknowledged) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
      const text = (await Body?.transformToString()) ?? ''
      const stored = Number.parseInt(text, 10)
      expect(text).toBe(`${stored} `.repeat(20_000))
      // A write may have taken effect whose answer was lost.
      expect([version, version + 1]).toContain(round * 10_000 <= version ? stored : version)
    }
    // Of what was replaced, or half written, nothing is left; that of a first write without an answer may be.
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }))
    client.destroy()
    expect(await readdir(join(home, 'buckets', Bucket, 'data'))).toHaveLength(Contents.length)
  }
})
