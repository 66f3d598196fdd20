import * as eb from '@aws-sdk/client-eventbridge'
import { type LoopbackServer, startLoopbackServer } from '@stepwright/local-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EventBridge, startEventBridge } from './index.ts'

let nowMs: number
let wake: () => void
let slept: Promise<void>
let release: () => void
let begun: number
let delivered: number
let asked: Promise<void>
let queues: LoopbackServer
let bridge: EventBridge
let client: eb.EventBridgeClient

/** A queue that answers when it is told to, and a schedule that runs when it is woken. */
beforeEach(async () => {
  nowMs = Date.parse('2026-11-16T09:00:30Z')
  begun = 0
  delivered = 0
  const { promise: released, resolve } = Promise.withResolvers<void>()
  release = resolve
  const ask = Promise.withResolvers<void>()
  asked = ask.promise
  queues = await startLoopbackServer(async (_request, response) => {
    ask.resolve()
    await released
    delivered += 1
    response.end('{}')
  })
  const sleeping = Promise.withResolvers<void>()
  slept = sleeping.promise
  bridge = await startEventBridge({
    targets: {
      get sqs() {
        begun += 1
        return queues.endpoint
      },
    },
    now: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((done, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        wake = () => {
          nowMs += ms
          done()
        }
        sleeping.resolve()
      }),
  })
  client = new eb.EventBridgeClient(bridge.clientConfig)
})
afterEach(async () => {
  release()
  client.destroy()
  await bridge.stop()
  await queues.close()
})

async function schedule(Name: string): Promise<void> {
  await client.send(new eb.PutRuleCommand({ Name, ScheduleExpression: 'rate(1 minute)' }))
  const Targets = [{ Id: 'one', Arn: 'arn:aws:sqs:us-east-1:000000000000:q' }]
  await client.send(new eb.PutTargetsCommand({ Rule: Name, Targets }))
  await slept
}

describe('stop', () => {
  it('waits for what a schedule is delivering', async () => {
    await schedule('due')
    wake()
    await asked
    let stopped = false
    const stopping = bridge.stop().then(() => {
      stopped = true
    })
    // It still answers, as a target may ask it something.
    await client.send(new eb.ListRulesCommand())
    expect([stopped, delivered]).toEqual([false, 0])
    release()
    await stopping
    expect(delivered).toBe(1)
  })

  it('lets nothing begin that was due at the same moment', async () => {
    await schedule('due')
    wake()
    await bridge.stop()
    expect(begun).toBe(0)
  })

  it('ends a schedule that was put while it waited', async () => {
    await schedule('due')
    wake()
    await asked
    const stopping = bridge.stop()
    await schedule('late')
    const wakeLate = wake
    release()
    await stopping
    wakeLate()
    await queues.close()
    expect(begun).toBe(1)
  })
})
