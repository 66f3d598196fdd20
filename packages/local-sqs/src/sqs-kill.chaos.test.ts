import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as sqs from '@aws-sdk/client-sqs'
import { chaosRounds } from '@stepwright/bench/chaos'
import { exitOf } from '@stepwright/local-server'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Sqs, startSqs } from './index.ts'

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'stepwright sqs kill '))
})
afterEach(() => rm(home, { recursive: true, force: true }))

interface Told {
  readonly sent: Set<string>
  readonly deleted: Set<string>
}

function connect(clientConfig: Sqs['clientConfig']): sqs.SQSClient {
  return new sqs.SQSClient({ ...clientConfig, maxAttempts: 1 })
}

/** Sends and deletes until the server dies; remembers what it was told. */
async function workUntilKilled(clientConfig: Sqs['clientConfig'], told: Told, round: number): Promise<void> {
  const client = connect(clientConfig)
  const { QueueUrl } = await client.send(new sqs.CreateQueueCommand({ QueueName: 'work' }))
  const taken = new Set<string>()
  const send = async (sender: string): Promise<void> => {
    for (let n = 0; ; n += 1) {
      const body = `${round}-${sender}${n}-${'x'.repeat(1000)}`
      await client.send(new sqs.SendMessageCommand({ QueueUrl, MessageBody: body }))
      // It may have been received before we hear that it was sent.
      if (!taken.has(body)) told.sent.add(body)
    }
  }
  const remove = async (): Promise<void> => {
    for (;;) {
      const { Messages = [] } = await client.send(new sqs.ReceiveMessageCommand({ QueueUrl }))
      for (const { Body = '', ReceiptHandle } of Messages) {
        // Whether a deletion that was not answered took effect is not known.
        taken.add(Body)
        told.sent.delete(Body)
        await client.send(new sqs.DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
        told.deleted.add(Body)
      }
    }
  }
  await Promise.allSettled([send('a'), send('b'), remove()])
  client.destroy()
}

it('keeps what it acknowledged, and gives back nothing that was deleted, when it is killed', {
  timeout: 0,
}, async () => {
  const told: Told = { sent: new Set(), deleted: new Set() }
  for (let round = 1; round <= chaosRounds(1); round += 1) {
    const script = join(import.meta.dirname, '../test/serve-sqs.ts')
    const server = spawn(process.execPath, [script, home], { stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
    const clientConfig = JSON.parse((await lines.next()).value ?? '')
    const before = told.deleted.size
    const working = workUntilKilled(clientConfig, told, round)
    await expect.poll(() => told.deleted.size - before, { timeout: 20_000 }).toBeGreaterThan(10)
    server.kill('SIGKILL')
    await exitOf(server)
    await working

    // Everything is visible again a day later.
    await using kept = await startSqs({ dataDirectory: home, now: () => Date.now() + 86_400_000 })
    const client = connect(kept.clientConfig)
    const found = new Set<string>()
    for (;;) {
      const { Messages = [] } = await client.send(
        new sqs.ReceiveMessageCommand({ QueueUrl: kept.queueUrl('work'), MaxNumberOfMessages: 10 }),
      )
      if (Messages.length === 0) break
      for (const { Body = '' } of Messages) found.add(Body)
    }
    client.destroy()
    expect([...told.sent].filter(body => !found.has(body))).toEqual([])
    expect([...told.deleted].filter(body => found.has(body))).toEqual([])
    // The next round's server receives by the real clock, to which those are in flight.
    told.sent.clear()
  }
})
