import { setTimeout as wait } from 'node:timers/promises'
import { callJsonService, ServiceError } from '@stepwright/local-server'
import { doneOf, type ReceivedMessage, toRecord } from './sqs-event.ts'

export interface QueuePollerOptions {
  readonly endpoint: string
  readonly queueUrl: string
  readonly queueArn: string
  readonly batchSize: number
  /** How many batches are worked on at once. */
  readonly concurrency: number
  /** Works on the records of messages; its answer may name those that failed. */
  readonly handle: (records: readonly object[]) => Promise<unknown>
}

const waitSeconds = 20
/** After a call that failed. */
const pauseMs = 100

/**
 * Hands messages of a queue to a function, in batches, as Lambda does; what fails becomes visible again by itself.
 * Disposing of it waits for nobody: a message that is being worked on then stays in the queue.
 */
export function startQueuePoller(options: QueuePollerOptions): Disposable {
  const { endpoint, queueUrl: QueueUrl, queueArn, batchSize, concurrency, handle } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const call = (operation: string, input: object, abort?: AbortSignal): Promise<unknown> =>
    callJsonService({
      endpoint,
      target: `AmazonSQS.${operation}`,
      version: '1.0',
      input: { QueueUrl, ...input },
      ...(abort && { signal: abort }),
    })

  async function nextBatch(): Promise<readonly ReceivedMessage[]> {
    const input = {
      MaxNumberOfMessages: batchSize,
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    }
    const answer = await call('ReceiveMessage', input, signal)
    return (answer as { Messages?: readonly ReceivedMessage[] }).Messages ?? []
  }

  async function work(batch: readonly ReceivedMessage[]): Promise<void> {
    let done: readonly ReceivedMessage[]
    try {
      done = doneOf(batch, await handle(batch.map(message => toRecord(message, queueArn))))
    } catch {
      // The queue remembers how often they were received, and lets them go in the end.
      return
    }
    if (done.length === 0) return
    const Entries = done.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
    await call('DeleteMessageBatch', { Entries })
  }

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      try {
        const batch = await nextBatch()
        if (batch.length > 0) await work(batch)
      } catch (error) {
        if (signal.aborted) return
        // The queue has gone, so that there is nothing to wait for.
        if (error instanceof ServiceError && error.code === 'QueueDoesNotExist') return
        await wait(pauseMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }
  for (let each = 0; each < concurrency; each += 1) void poll()
  return { [Symbol.dispose]: () => stopping.abort() }
}
