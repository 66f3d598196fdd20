import { describe, expect, it } from 'vitest'
import { createQueues } from '../queue/queues.ts'
import { memoryLog } from '../storage/queue-log.ts'
import { receiveMessages } from './receive.ts'
import { createReceiveAttempts } from './receive-attempts.ts'

const maxInFlight = 120_000
let nowMs = Date.UTC(2026, 0, 1)

/** A queue with so many messages that somebody works on, and some that nobody does. */
function busyQueue(name: string, attributes: Record<string, string>, visible: number) {
  const queues = createQueues({
    log: memoryLog,
    region: 'us-east-1',
    account: '000000000000',
    now: () => nowMs,
  })
  const queue = queues.create(name, attributes, {})
  const put = (id: number, visibleMs: number, receives: number): void =>
    queue.put({
      id: String(id),
      body: String(id),
      attributes: {},
      sentMs: nowMs,
      groupId: String(id),
      delivery: { visibleMs, receives },
    })
  for (let id = 0; id < maxInFlight - 3; id += 1) put(id, nowMs + 1000, 1)
  for (let id = 0; id < visible; id += 1) put(maxInFlight + id, nowMs, 0)
  return { queues, queue }
}

async function receive({ queues, queue }: ReturnType<typeof busyQueue>, input: object = {}) {
  const { signal } = new AbortController()
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms
  }
  const answer = await receiveMessages(
    queues,
    queue,
    { MaxNumberOfMessages: 10, ...input },
    signal,
    sleep,
    createReceiveAttempts(),
  )
  return (answer as { readonly Messages?: readonly unknown[] }).Messages?.length ?? 0
}

describe('receiveMessages', () => {
  it('lets no more than 120,000 messages be in flight', async () => {
    const busy = busyQueue('busy', {}, 5)
    expect(await receive(busy)).toBe(3)
    await expect(receive(busy)).rejects.toMatchObject({ code: 'OverLimit' })
    // Who waits is not told, and gets what becomes visible meanwhile.
    expect(await receive(busy, { WaitTimeSeconds: 20 })).toBe(10)
  })

  it('says nothing of the limit for a FIFO queue', async () => {
    const busy = busyQueue('busy.fifo', { FifoQueue: 'true' }, 5)
    expect(await receive(busy)).toBe(3)
    expect(await receive(busy)).toBe(0)
  })
})
