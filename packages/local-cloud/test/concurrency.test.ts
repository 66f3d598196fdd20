import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { App } from '@stepwright/app'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RunningApp, startApp } from '../src/index.ts'
import { anyTask as task } from './app/tasks.ts'
import { createManualClock } from './manual-clock.ts'

const collect = { module: 'triggered-handlers.ts', kind: 'call', export: 'collect', task } as const
const limited: App = {
  name: 'limited',
  root: new URL('app/', import.meta.url),
  resources: { queues: { work: { visibilitySeconds: 30, maxReceives: 9 } } },
  functions: { Work: { ...collect, concurrency: 2 }, Free: collect },
  workflows: { job: { definition: 'limited.asl.json' } },
  routes: { 'GET /work': { function: 'Work', authorized: false } },
  triggers: {
    Orders: { event: { source: ['shop'] }, calls: 'Work' },
    Messages: { queue: 'work', calls: 'Work' },
  },
}

const clock = createManualClock(0)
let running: RunningApp
let begun: unknown[] = []
let release: () => void
beforeAll(async () => {
  running = await startApp(limited, { clock })
}, 60_000)
afterAll(() => running.stop(), 60_000)
beforeEach(() => {
  const held = Promise.withResolvers<void>()
  release = held.resolve
  begun = []
  running.intercept('Work', async (call, event) => {
    begun.push(event)
    await held.promise
    return call()
  })
})

/** Takes all slots of the function; the answers come when they are released. */
async function takeAll(): Promise<Promise<unknown>[]> {
  const calls = [running.invoke('Work', {}), running.invoke('Work', {})]
  await expect.poll(() => begun).toHaveLength(2)
  return calls
}

async function freeAll(calls: readonly Promise<unknown>[]): Promise<void> {
  release()
  await Promise.all(calls)
}

describe('the reserved concurrency of a function', { timeout: 30_000 }, () => {
  it('throttles a direct call, and not those of other functions', async () => {
    const calls = await takeAll()
    await expect(running.invoke('Work', {})).rejects.toMatchObject({ name: 'TooManyRequestsException' })
    await expect(running.invoke('Free', {})).resolves.toMatchObject({ batchItemFailures: [] })
    await freeAll(calls)
    await expect(running.invoke('Work', {})).resolves.toMatchObject({ batchItemFailures: [] })
  })

  it('throttles Invoke of Lambda', async () => {
    const calls = await takeAll()
    const client = new LambdaClient({
      endpoint: running.services.lambda.endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 1,
    })
    await expect(client.send(new InvokeCommand({ FunctionName: 'limited-Work' }))).rejects.toMatchObject({
      name: 'TooManyRequestsException',
      Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
    })
    client.destroy()
    await freeAll(calls)
  })

  it('throttles a state, by the name that Step Functions has for it', async () => {
    const calls = await takeAll()
    await running.start('job', {}, 'throttled')
    const { status, output } = await running.ended('job', 'throttled')
    expect([status, JSON.parse(output ?? '')]).toEqual([
      'SUCCEEDED',
      {
        Error: 'Lambda.TooManyRequestsException',
        Cause: expect.stringMatching(/^Rate Exceeded\. \(Service: Lambda, Status Code: 429, Request ID: /),
      },
    ])
    await freeAll(calls)
  })

  it('throttles a request to the gateway', async () => {
    const calls = await takeAll()
    const response = await fetch(`${running.gateway?.endpoint}/work`)
    expect([response.status, await response.json()]).toEqual([503, { message: 'Service Unavailable' }])
    await freeAll(calls)
  })

  it('lets an event wait until a call has ended', async () => {
    const calls = await takeAll()
    const fired = running.fire('Orders', { late: true })
    await freeAll(calls)
    const done = fired.then(() => true)
    const isDone = (): Promise<boolean> => {
      clock.advance(1)
      return Promise.race([done, new Promise<false>(resolve => setImmediate(() => resolve(false)))])
    }
    await expect.poll(isDone).toBe(true)
    expect(begun).toEqual([{}, {}, { late: true }])
  })

  it('leaves a message in its queue until it is visible again', async () => {
    const calls = await takeAll()
    const client = new SQSClient(running.services.sqs.clientConfig)
    const QueueUrl = running.services.sqs.queueUrl('limited-work')
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'late' }))
    const AttributeNames = ['ApproximateNumberOfMessagesNotVisible'] as const
    const attributes = () =>
      client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }))
    await expect
      .poll(async () => (await attributes()).Attributes)
      .toEqual({ ApproximateNumberOfMessagesNotVisible: '1' })
    client.destroy()
    await freeAll(calls)
    await expect
      .poll(() => {
        clock.advance(30)
        return begun
      })
      .toMatchObject([{}, {}, { Records: [{ body: 'late' }] }])
  })
})
