import { describe, expect, it } from 'vitest'
import type { Delivery } from './mailer.ts'
import type { Outbox } from './outbox.ts'
import { type SendOutboxOptions, sendOutbox } from './send-outbox.ts'
import { createMemoryMailer, createMemoryOutbox, type TestRecipient } from './test/memory-outbox.ts'

const bounced: Delivery = { kind: 'bounced', reason: 'unknown user' }
const notVerified: Delivery = { kind: 'stopped', reason: 'not verified' }

async function send(
  emails: readonly string[],
  answers: Readonly<Record<string, Delivery[]>> = {},
  options: Partial<SendOutboxOptions<TestRecipient>> = {},
) {
  const { outbox, states } = createMemoryOutbox(emails)
  const { mailer, messages } = createMemoryMailer(answers)
  const waits: number[] = []
  let time = 0
  const progress = await sendOutbox({
    outbox,
    mailer,
    toMessage: ({ email: to }) => ({ from: 'f@example.jp', to, subject: 's', html: 'h', text: 't' }),
    maxSendRate: 40,
    now: () => time,
    until: 1_000_000,
    async sleep(ms) {
      time += ms
      if (ms > 0) waits.push(ms)
    },
    signal: new AbortController().signal,
    ...options,
  })
  return { progress, states: states(), sentTo: messages.map(({ to }) => to), waits }
}

const four = ['a', 'b', 'c', 'd']

/** An outbox in which `b` has unsubscribed; that must be recorded. */
function suppressing(emails: readonly string[]): Outbox<TestRecipient> {
  const { outbox } = createMemoryOutbox(emails)
  return {
    ...outbox,
    claim: async (after, limit) =>
      (await outbox.claim(after, limit)).map(({ email }) => ({
        email,
        suppressed: email === 'b' ? ('unsubscribed' as const) : null,
      })),
    async record(outcomes) {
      expect(outcomes.some(({ email }) => email === 'b')).toBe(
        outcomes.some(outcome => 'suppressed' in outcome),
      )
      await outbox.record(outcomes)
    },
  }
}

describe('sendOutbox', () => {
  it('sends to each once, in growing steps', async () => {
    const steps: number[] = []
    const emails = Array.from({ length: 40 }, (_, index) => `u${String(index).padStart(2, '0')}`)
    const takeTurn = async (messages: number) => {
      steps.push(messages)
      return 0
    }
    const { outbox } = createMemoryOutbox(emails)
    const { progress, sentTo } = await send(emails, {}, { outbox: { ...outbox, takeTurn } })
    expect([progress, sentTo]).toEqual([{ kind: 'done' }, emails])
    expect([steps[0], Math.max(...steps)]).toEqual([1, 5])
  })

  it('leaves out who is suppressed, also if that is everybody', async () => {
    const some = await send(four, {}, { outbox: suppressing(four) })
    expect(some).toMatchObject({ progress: { kind: 'done' }, sentTo: ['a', 'c', 'd'] })
    expect((await send(['b'], {}, { outbox: suppressing(['b']) })).progress).toEqual({ kind: 'done' })
  })

  it('goes on after a bounce, and never repeats what may have been sent', async () => {
    const { progress, states } = await send(four, { b: [bounced], c: [{ kind: 'unknown' }] })
    expect(progress).toEqual({ kind: 'done' })
    expect(states).toEqual({ a: 'sent', b: 'bounced', c: 'unconfirmed', d: 'sent' })
  })

  it('waits longer each time while it is refused', async () => {
    const { states, waits } = await send(four, { b: Array(3).fill({ kind: 'refused' }) })
    expect(new Set(Object.values(states))).toEqual(new Set(['sent']))
    expect(waits.filter(ms => ms >= 1000)).toEqual([1000, 2000, 4000])
  })

  it('stops for a reason that concerns all, and records nobody for it', async () => {
    const { progress, states } = await send(four, { b: [notVerified], d: [notVerified] })
    expect(progress).toEqual({ kind: 'stopped', reason: 'not verified' })
    expect(states).toMatchObject({ a: 'sent', b: 'pending', d: 'pending' })
  })

  it('stops if all were rejected, or twenty in a row', async () => {
    const all = Object.fromEntries(four.map(email => [email, [bounced]]))
    const rejected = await send(four, all)
    expect(rejected.progress).toEqual({ kind: 'stopped', reason: 'all were rejected' })
    expect(new Set(Object.values(rejected.states))).toEqual(new Set(['pending']))
    const emails = Array.from({ length: 60 }, (_, index) => `u${String(index + 100)}`)
    const most = Object.fromEntries(emails.slice(1).map(email => [email, [bounced]]))
    const many = await send(emails, most)
    expect(many.progress).toEqual({ kind: 'stopped', reason: 'unknown user' })
    expect(Object.values(many.states).filter(state => state === 'bounced')).toEqual([])
  })

  it('ends with the only address that is rejected', async () => {
    const { progress, states } = await send(['a'], { a: [bounced] })
    expect([progress, states]).toEqual([{ kind: 'done' }, { a: 'bounced' }])
  })

  it('gives a whole step back if one of its messages cannot be written', async () => {
    const { outbox, states } = createMemoryOutbox(four)
    const toMessage = ({ email: to }: TestRecipient) => {
      if (to === 'c') throw new Error('no name')
      return { from: 'f@example.jp', to, subject: 's', html: 'h', text: 't' }
    }
    await expect(send(four, {}, { outbox, toMessage })).rejects.toThrow('no name')
    expect(states()).toEqual({ a: 'sent', b: 'pending', c: 'pending', d: 'pending' })
  })

  it('gives back who was claimed while it was stopped', async () => {
    const stopping = new AbortController()
    const { outbox, states } = createMemoryOutbox(four)
    const claim: typeof outbox.claim = (after, limit) => {
      if (after !== '') stopping.abort()
      return outbox.claim(after, limit)
    }
    const sending = send(four, {}, { outbox: { ...outbox, claim }, signal: stopping.signal })
    await expect(sending).rejects.toMatchObject({ name: 'AbortError' })
    expect(states()).toEqual({ a: 'sent', b: 'pending', c: 'pending', d: 'pending' })
  })

  it('ends in time, and says where to go on', async () => {
    const { progress, sentTo } = await send(four, {}, { until: 0 })
    expect([progress, sentTo]).toEqual([{ kind: 'more', after: '' }, []])
    const later = await send(four, {}, { after: 'b', hasSent: true })
    expect(later.sentTo).toEqual(['c', 'd', 'a', 'b'])
  })
})
