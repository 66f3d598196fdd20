import { sleep as sleepFor } from '@stepwright/errors/retry'
import type { Delivery, Mailer, Message } from './mailer.ts'
import type { SuppressionReason } from './suppressions.ts'

export type SendOutcome =
  | { readonly email: string; readonly sent: string }
  | { readonly email: string; readonly bounced: string }
  /** Nothing was sent, since the address is suppressed. */
  | { readonly email: string; readonly suppressed: string }

export interface OutboxRecipient {
  readonly email: string
  /** Why nothing is to be sent to the address; looked up together with the claim, or a failure in between loses it. */
  readonly suppressed?: SuppressionReason | null | undefined
}

/** Those who are to be sent to: each is handed out once, in the order of their addresses. */
export interface Outbox<Recipient extends OutboxRecipient> {
  /** Takes up to `limit` recipients after an address whom nobody has taken yet. */
  claim(after: string, limit: number): Promise<readonly Recipient[]>
  record(outcomes: readonly SendOutcome[]): Promise<void>
  /** Gives recipients back, to whom certainly nothing was sent. */
  release(emails: readonly string[]): Promise<void>
  /** A turn for so many messages, among all who send: how long to wait for it, in milliseconds. */
  takeTurn(messages: number, perSecond: number): Promise<number>
}

export interface SendOutboxOptions<Recipient extends OutboxRecipient> {
  readonly outbox: Outbox<Recipient>
  readonly toMessage: (recipient: Recipient) => Message
  readonly mailer: Mailer
  /** Messages handed in each second, at most. */
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

export type SendProgress =
  | { readonly kind: 'more'; readonly after: string }
  | { readonly kind: 'done' }
  /** Nothing more can be sent: the reason is the sender, the content or the account. Nobody is recorded for it. */
  | { readonly kind: 'stopped'; readonly reason: string }

/** Trouble is waited out, twice as long each time. */
const maxPauseMs = 60_000
const maxStep = 50
/** So many rejected in a row are no matter of single addresses. */
const maxRejectedInRow = 20

/**
 * Sends as many messages as the time allows, in small steps: what a step takes is claimed before and recorded after
 * it. Whoever was claimed when a sender died stays claimed, and gets no second message.
 */
export async function sendOutbox<Recipient extends OutboxRecipient>(
  options: SendOutboxOptions<Recipient>,
): Promise<SendProgress> {
  const { outbox, maxSendRate, after = '', sleep = sleepFor, now, until, signal } = options
  const biggestStep = Math.min(maxStep, Math.max(1, Math.ceil(maxSendRate / 4)))
  let { hasSent = false } = options
  let rejected: readonly string[] = []
  let [last, step, troubles] = [after, 1, 0]
  while (now() < until) {
    const pause = troubles === 0 ? 0 : Math.min(maxPauseMs, 1000 * 2 ** troubles)
    const waitMs = pause + (await outbox.takeTurn(step, maxSendRate))
    if (now() + waitMs >= until) break
    await sleep(waitMs, signal)
    const claimed = await outbox.claim(last, step)
    if (claimed.length === 0) {
      if (last === '') {
        if (hasSent || rejected.length === 0) return { kind: 'done' }
        return stop(outbox, rejected, 'all were rejected')
      }
      last = '' // those who were given back lie before
      continue
    }
    const results = await sendStep(await prepare(claimed, options), options)
    const emailsOf = (...kinds: Result['kind'][]) =>
      results.flatMap(({ email, kind }) => (kinds.includes(kind) ? [email] : []))
    await outbox.record(results.flatMap(toOutcome))
    const givenBack = emailsOf('refused', 'stopped')
    await outbox.release(givenBack)
    const sent = emailsOf('sent')
    hasSent ||= sent.length > 0
    rejected = sent.length > 0 ? [] : [...rejected, ...emailsOf('bounced')]
    const stopped = results.find(({ kind }) => kind === 'stopped')
    if (stopped || rejected.length >= maxRejectedInRow) {
      const told = stopped ?? results.find(({ kind }) => kind === 'bounced')
      return stop(outbox, rejected, told && 'reason' in told ? told.reason : '')
    }
    if (givenBack.length === 0) last = claimed.at(-1)?.email ?? last
    troubles = givenBack.length + emailsOf('unknown').length > 0 ? troubles + 1 : 0
    step = troubles > 0 ? 1 : Math.min(biggestStep, step * 2)
  }
  return { kind: 'more', after: last }
}

type Result = { readonly email: string } & (
  | Delivery
  | { readonly kind: 'suppressed'; readonly reason: string }
)

interface Prepared {
  readonly recipient: OutboxRecipient
  /** Missing where the address is suppressed. */
  readonly message?: Message | undefined
}

/** All messages before the first is handed in: whoever was claimed in vain is given back. */
async function prepare<Recipient extends OutboxRecipient>(
  claimed: readonly Recipient[],
  { outbox, toMessage, signal }: SendOutboxOptions<Recipient>,
): Promise<readonly Prepared[]> {
  try {
    signal.throwIfAborted()
    return claimed.map(recipient => ({
      recipient,
      ...(!recipient.suppressed && { message: toMessage(recipient) }),
    }))
  } catch (error) {
    await outbox.release(claimed.map(({ email }) => email))
    throw error
  }
}

function sendStep(
  prepared: readonly Prepared[],
  { mailer, signal }: Pick<SendOutboxOptions<never>, 'mailer' | 'signal'>,
): Promise<readonly Result[]> {
  return Promise.all(
    prepared.map(async ({ recipient: { email, suppressed }, message }) => {
      if (message) return { email, ...(await mailer.send(message, signal)) }
      return { email, kind: 'suppressed' as const, reason: suppressed ?? '' }
    }),
  )
}

/** Whoever was rejected for everybody's reason stays to be sent to. */
async function stop(
  outbox: Pick<Outbox<never>, 'release'>,
  rejected: readonly string[],
  reason: string,
): Promise<SendProgress> {
  await outbox.release(rejected)
  return { kind: 'stopped', reason }
}

function toOutcome({ email, ...result }: Result): readonly SendOutcome[] {
  if (result.kind === 'sent') return [{ email, sent: result.messageId }]
  if (result.kind === 'bounced') return [{ email, bounced: result.reason }]
  return result.kind === 'suppressed' ? [{ email, suppressed: result.reason }] : []
}
