import { describe, expect, it } from 'vitest'
import type { Mailer } from './mailer.ts'
import { sendOutbox } from './send-outbox.ts'
import { createMemoryOutbox } from './test/memory-outbox.ts'
import { createVirtualClock } from './test/virtual-clock.ts'

interface Setting {
  readonly messages: number
  readonly maxSendRate: number
  /** How long SES takes to answer. */
  readonly latencyMs: number
  /** Which messages, counted from 1, SES answers with 429. */
  readonly refused?: readonly number[]
  readonly senders?: number
}

/** Sends on a virtual clock: when each message was taken, and how long it all took. */
async function send({ messages, maxSendRate, latencyMs, refused = [], senders = 1 }: Setting) {
  const clock = createVirtualClock()
  const taken: number[] = []
  let [calls, usedUntil] = [0, 0]
  const mailer: Mailer = {
    async send() {
      calls += 1
      const isRefused = refused.includes(calls)
      if (!isRefused) taken.push(clock.now())
      await clock.sleep(latencyMs)
      return isRefused ? { kind: 'refused' } : { kind: 'sent', messageId: String(calls) }
    },
  }
  const takeTurn = async (count: number, perSecond: number) => {
    const start = Math.max(usedUntil, clock.now())
    usedUntil = start + (count * 1000) / perSecond
    return start - clock.now()
  }
  const sending = Array.from({ length: senders }, async (_, sender) => {
    const emails = Array.from({ length: messages / senders }, (_, index) => `u${sender}-${index}@x.jp`)
    const { outbox } = createMemoryOutbox(emails)
    const progress = await sendOutbox({
      outbox: { ...outbox, takeTurn },
      mailer,
      toMessage: ({ email: to }) => ({ from: 'f@x.jp', to, subject: 's', html: 'h', text: 't' }),
      maxSendRate,
      now: clock.now,
      sleep: clock.sleep,
      until: Number.POSITIVE_INFINITY,
      signal: new AbortController().signal,
    })
    expect(progress).toEqual({ kind: 'done' })
  })
  await clock.run(Promise.all(sending))
  expect(taken).toHaveLength(messages)
  const inASecond = taken.map(from => taken.filter(at => at >= from && at < from + 1000).length)
  return { mostInASecond: Math.max(...inASecond), lastMs: Math.max(...taken) }
}

describe('the send rate', () => {
  it.each([
    { messages: 20, maxSendRate: 1, latencyMs: 80 },
    { messages: 100, maxSendRate: 14, latencyMs: 80 },
    { messages: 800, maxSendRate: 100, latencyMs: 80 },
    { messages: 2000, maxSendRate: 200, latencyMs: 120 },
    { messages: 2000, maxSendRate: 200, latencyMs: 3, senders: 4 },
  ])('is kept in every second, and used: %o', async setting => {
    const { mostInASecond, lastMs } = await send(setting)
    expect(mostInASecond).toBeLessThanOrEqual(setting.maxSendRate)
    expect(lastMs / 1000).toBeLessThanOrEqual((1.15 * setting.messages) / setting.maxSendRate)
  })

  it('is half for a moment after SES throttles, and then what it was', async () => {
    const setting = { messages: 1600, maxSendRate: 100, latencyMs: 50, refused: [300] }
    const { mostInASecond, lastMs } = await send(setting)
    expect(mostInASecond).toBeLessThanOrEqual(100)
    expect(lastMs / 1000).toBeLessThanOrEqual(1.15 * 16)
  })
})
