import { type TestRunner, testRunner } from '@stepwright/task/testing'
import type { MailEvent } from './mail-event.ts'
import type { OutboxRecipient, OutboxStore, Send, SendCounts } from './outbox.ts'
import type { Suppression } from './suppressions.ts'

export interface OutboxUnderTest {
  readonly store: OutboxStore<OutboxRecipient>
  /** A send that is open. */
  readonly send: Send
  /** Adds recipients to it who are to be sent to. */
  add(emails: readonly string[]): Promise<void>
  /** Pauses it: its mailing's row no longer says what `send.while` says. */
  pause(): Promise<void>
  /** The send of the same mailing that follows, open again. */
  resume(options: { readonly onlyChosen: boolean }): Promise<Send>
  counts(): Promise<SendCounts>
  suppress(suppression: Suppression): Promise<void>
  /** Lets so many seconds pass for what was handed out. */
  wait(seconds: number): Promise<void>
}

const nobody: SendCounts = { sending: 0, unconfirmed: 0, sent: 0, bounced: 0, suppressed: 0, complained: 0 }

/** The contract of `OutboxStore`; `create` gives an empty mailing each time. */
export function testOutboxStore(
  name: string,
  create: () => Promise<OutboxUnderTest>,
  runner: TestRunner = testRunner,
): void {
  const { describe, expect, it } = runner
  const [a, b, c, d] = ['a@x.jp', 'b@x.jp', 'c@x.jp', 'd@x.jp']
  async function open(emails: readonly string[] = [c, a, d, b]) {
    const world = await create()
    await world.add(emails)
    const outbox = world.store.open(world.send)
    const claim = async (after: string, limit: number, from = outbox) =>
      (await from.claim(after, limit)).map(({ email }) => email)
    const tell = (kind: MailEvent['kind'], ...addresses: string[]) =>
      world.store.recordEvents([
        { kind, addresses, messageId: 'm', reason: 'told', tags: {}, mailing: world.send },
      ])
    return { ...world, outbox, claim, tell }
  }

  describe(`${name} as an outbox`, () => {
    it('hands out each recipient once, in the order of the addresses, also to many at once', async () => {
      const { claim, counts } = await open()
      expect(await claim('', 1)).toEqual([a])
      const both = await Promise.all([claim('', 2), claim('', 2)])
      expect(both.flat().toSorted()).toEqual([b, c, d])
      expect(await claim('', 9)).toEqual([])
      expect(await counts()).toEqual({ ...nobody, sending: 4 })
    })

    it('goes on after an address, and hands out again who was given back', async () => {
      const { outbox, claim, counts } = await open()
      expect(await claim(b, 9)).toEqual([c, d])
      await outbox.release([c])
      expect(await claim(b, 9)).toEqual([c])
      expect(await claim('', 9)).toEqual([a, b])
      expect(await counts()).toEqual({ ...nobody, sending: 4 })
    })

    it('records what became of each, once', async () => {
      const { outbox, claim, counts } = await open()
      await claim('', 9)
      const outcomes = [
        { email: a, sent: 'm-1' },
        { email: b, bounced: 'unknown user' },
        { email: c, suppressed: 'unsubscribed' },
        { email: d, unconfirmed: true },
      ] as const
      await outbox.record(outcomes)
      await outbox.record(outcomes)
      expect(await counts()).toEqual({ ...nobody, sent: 1, bounced: 1, suppressed: 1, unconfirmed: 1 })
      await outbox.release([a, b, c, d])
      expect(await claim('', 9)).toEqual([b])
    })

    it('says with the claim who is suppressed', async () => {
      const { outbox, suppress } = await open([a, b])
      await suppress({ address: b, reason: 'complained', source: 'c-1' })
      const claimed = await outbox.claim('', 9)
      expect(claimed.map(({ suppressed = null }) => suppressed)).toEqual([null, 'complained'])
    })

    it('hands out nobody once the send is paused, and keeps what was in flight', async () => {
      const { outbox, claim, counts, pause, resume, store } = await open()
      await claim('', 1)
      await pause()
      expect(await claim('', 9)).toEqual([])
      await outbox.record([{ email: a, sent: 'm-1' }])
      expect(await counts()).toEqual({ ...nobody, sent: 1 })
      const again = store.open(await resume({ onlyChosen: false }))
      expect(await claim('', 9, again)).toEqual([b, c, d])
    })

    it('chooses nobody while anybody is in flight, and who was in flight when that is over', async () => {
      const { claim, counts, pause, wait, store, send } = await open()
      await claim('', 2)
      await pause()
      expect(await store.chooseUnconfirmed(send)).toEqual({ chosen: 0, inFlight: 2 })
      expect(await counts()).toEqual({ ...nobody, sending: 2 })
      await wait(60)
      expect(await store.chooseUnconfirmed(send)).toEqual({ chosen: 2, inFlight: 0 })
      expect(await store.chooseUnconfirmed(send)).toEqual({ chosen: 0, inFlight: 0 })
      expect(await counts()).toEqual(nobody)
    })

    it('sends again to those alone who were chosen', async () => {
      const { outbox, claim, counts, pause, resume, store, send } = await open()
      await claim('', 2)
      await outbox.record([
        { email: a, sent: 'm-1' },
        { email: b, unconfirmed: true },
      ])
      await pause()
      expect(await store.chooseUnconfirmed(send)).toEqual({ chosen: 1, inFlight: 0 })
      const again = store.open(await resume({ onlyChosen: true }))
      expect(await claim('', 9, again)).toEqual([b])
      await again.release([b])
      expect(await claim('', 9, again)).toEqual([b])
      await again.record([{ email: b, sent: 'm-2' }])
      expect(await claim('', 9, again)).toEqual([])
      expect(await counts()).toEqual({ ...nobody, sent: 2 })
    })

    it('takes back nobody from a sender whom another has replaced', async () => {
      const { outbox, claim, counts, pause, resume, wait, store, send } = await open([a])
      await claim('', 1)
      await pause()
      await wait(60)
      await store.chooseUnconfirmed(send)
      const again = store.open(await resume({ onlyChosen: true }))
      expect(await claim('', 1, again)).toEqual([a])
      await outbox.release([a])
      expect(await counts()).toEqual({ ...nobody, sending: 1 })
      expect(await claim('', 1, again)).toEqual([])
      await again.release([a])
      expect(await claim('', 1, again)).toEqual([a])
    })

    it('forgets whom it chose, and hands those who were chosen out with the rest', async () => {
      const { outbox, claim, counts, pause, resume, store, send } = await open([a, b])
      await claim('', 1)
      await outbox.record([{ email: a, unconfirmed: true }])
      await pause()
      await store.chooseUnconfirmed(send)
      await store.forgetChosen(send)
      expect(await counts()).toEqual({ ...nobody, unconfirmed: 1 })
      await store.chooseUnconfirmed(send)
      const rest = store.open(await resume({ onlyChosen: false }))
      expect(await claim('', 9, rest)).toEqual([a, b])
    })

    it('confirms and counts as SES tells, once however often it does', async () => {
      const { outbox, claim, counts, tell } = await open()
      await claim('', 9)
      await outbox.record([
        { email: a, sent: 'm-1' },
        { email: d, suppressed: 'unsubscribed' },
      ])
      for (const kind of ['delivered', 'undelivered', 'complained', 'complained'] as const) {
        await tell(kind, a, d, 'stranger@x.jp')
      }
      await tell('bounced', b)
      await tell('delivered', b, c)
      expect(await counts()).toEqual({ ...nobody, sent: 1, bounced: 1, suppressed: 1, complained: 1 })
    })

    it('shares one rate among all who send', async () => {
      const { store, send } = await open()
      const waits = [await store.open(send).takeTurn(1, 1), await store.open(send).takeTurn(1, 1)]
      expect(waits.every(wait => Number.isInteger(wait) && wait >= 0)).toBe(true)
    })
  })
}
