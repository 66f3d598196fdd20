import {
  aBoolean,
  aFunction,
  anObject,
  aSignal,
  assertOptions,
  numberAbove,
  numberFrom,
  type OptionChecks,
} from '@stepwright/errors/options'
import { sleep as sleepFor } from '@stepwright/errors/retry'
import { type HandedIn, handIn } from './hand-in.ts'
import type { Mailer, Message } from './mailer.ts'
import type { Outbox, OutboxRecipient, SendOutcome } from './outbox.ts'

export interface SendOutboxOptions<Recipient extends OutboxRecipient> {
  readonly outbox: Outbox<Recipient>
  readonly toMessage: (recipient: Recipient) => Message
  readonly mailer: Mailer
  /** Messages handed in within any second, at most. */
  readonly maxSendRate: number
  /** Where the call before ended. @default '' */
  readonly after?: string
  /** Whether any message was ever taken: if not, and all are rejected, then it is not their addresses. @default false */
  readonly hasSent?: boolean
  /** @default a timer */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  readonly now: () => number
  /** Until when, on the clock of `now`. */
  readonly until: number
  readonly signal: AbortSignal
}

const optionChecks: OptionChecks = {
  outbox: anObject,
  toMessage: aFunction,
  mailer: anObject,
  maxSendRate: numberAbove(0),
  after: value => (typeof value === 'string' ? undefined : ' must be a text'),
  hasSent: aBoolean,
  sleep: aFunction,
  now: aFunction,
  until: numberFrom(0),
  signal: aSignal,
}

export type SendProgress =
  | { readonly kind: 'more'; readonly after: string }
  | { readonly kind: 'done' }
  /** Nothing more can be sent: the reason is the sender, the content or the account. Nobody is recorded for it. */
  | { readonly kind: 'stopped'; readonly reason: string }

/** Trouble is waited out, twice as long each time. */
const maxPauseMs = 60_000
/** What a sender that dies loses sight of: as many steps as may be in flight, of as many messages. */
const maxStep = 16
const maxStepsInFlight = 3
/** Of a single address nobody can tell whether it is the sender's fault. */
const minRejected = 2
/** So many rejected in a row are no matter of single addresses. */
const maxRejectedInRow = 20
/** Timers are late by a few milliseconds: messages are handed in a little slower than they may be. */
const pace = 0.95

/**
 * Sends as many messages as the time allows, in small steps: what a step takes is claimed before and recorded after
 * it, and the messages of a step are spread evenly. The next step begins when the last message of one is handed in,
 * not when it is answered. Whoever was claimed when a sender died gets no second message.
 */
export async function sendOutbox<Recipient extends OutboxRecipient>(
  options: SendOutboxOptions<Recipient>,
): Promise<SendProgress> {
  assertOptions('sendOutbox', options, optionChecks)
  const { outbox, after = '', sleep = sleepFor, now, until, signal } = options
  const perSecond = options.maxSendRate * pace
  const biggestStep = Math.min(maxStep, Math.max(1, Math.ceil(options.maxSendRate / 8)))
  let { hasSent = false } = options
  let rejected: readonly string[] = []
  let stopped: string | undefined
  /** The era ends with a trouble: what was handed in before it was noticed says nothing about the time since. */
  let [last, step, troubles, era] = [after, 1, 0, 0]
  let inFlight: readonly Promise<void>[] = []

  async function settle(from: string, results: Promise<readonly HandedIn[]>): Promise<void> {
    const ownEra = era
    const settled = await results
    const emailsOf = (...kinds: HandedIn['kind'][]) =>
      settled.flatMap(({ email, kind }) => (kinds.includes(kind) ? [email] : []))
    const givenBack = emailsOf('refused', 'stopped')
    const isTrouble = givenBack.length + emailsOf('unknown').length > 0
    if (ownEra === era) {
      // Half as many at a time are tried soon; one at a time is the least, and waits longer each time.
      troubles = !isTrouble ? 0 : step > 1 ? 1 : troubles + 1
      step = isTrouble ? Math.ceil(step / 2) : Math.min(biggestStep, step * 2)
      if (isTrouble) era += 1
    }
    const sent = emailsOf('sent')
    hasSent ||= sent.length > 0
    rejected = sent.length > 0 ? [] : [...rejected, ...emailsOf('bounced')]
    const why = settled.find(({ kind }) => kind === 'stopped')
    if (why || rejected.length >= maxRejectedInRow) {
      const told = why ?? settled.find(({ kind }) => kind === 'bounced')
      stopped ??= told && 'reason' in told ? told.reason : ''
    }
    await outbox.record(settled.flatMap(toOutcome))
    await outbox.release(givenBack)
    if (givenBack.length > 0 && from < last) last = from
  }

  /** At most so many steps are not settled yet. The first failure of any of them ends the send. */
  async function settleDownTo(count: number): Promise<void> {
    while (inFlight.length > count) {
      const [first, ...rest] = inFlight
      inFlight = rest
      await first
    }
  }

  try {
    while (now() < until && stopped === undefined) {
      const pause = troubles === 0 ? 0 : Math.min(maxPauseMs, 500 * 2 ** troubles)
      const [size, turnEra] = [step, era]
      const waitMs = pause + (await outbox.takeTurn(size, perSecond))
      if (now() + waitMs >= until) break
      await sleep(waitMs, signal)
      if (turnEra !== era) continue
      const from = last
      const claimed = await outbox.claim(from, size)
      if (claimed.length === 0) {
        const before = inFlight.length
        await settleDownTo(0)
        if (before > 0 || last !== from) continue
        if (last === '') {
          if (hasSent || rejected.length < minRejected) return { kind: 'done' }
          stopped = 'all were rejected'
          break
        }
        last = '' // those who were given back lie before
        continue
      }
      last = claimed.at(-1)?.email ?? last
      const { results } = await handIn(claimed, { ...options, sleep, gapMs: 1000 / perSecond })
      const settling = settle(from, results)
      settling.catch(() => {}) // it is awaited later
      inFlight = [...inFlight, settling]
      // Before anything was taken, and in trouble, one step at a time.
      await settleDownTo(troubles > 0 || !hasSent ? 0 : maxStepsInFlight - 1)
    }
  } finally {
    await Promise.allSettled(inFlight)
  }
  await settleDownTo(0)
  if (stopped === undefined) return { kind: 'more', after: last }
  // Whoever was rejected for everybody's reason stays to be sent to.
  await outbox.release(rejected)
  return { kind: 'stopped', reason: stopped }
}

function toOutcome({ email, ...result }: HandedIn): readonly SendOutcome[] {
  if (result.kind === 'sent') return [{ email, sent: result.messageId }]
  if (result.kind === 'bounced') return [{ email, bounced: result.reason }]
  if (result.kind === 'suppressed') return [{ email, suppressed: result.reason }]
  return result.kind === 'unknown' ? [{ email, unconfirmed: true }] : []
}
