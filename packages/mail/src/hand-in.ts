import type { Delivery, Mailer, Message } from './mailer.ts'
import { maxHoldSeconds, type Outbox, type OutboxRecipient } from './outbox.ts'

export type HandedIn = { readonly email: string } & (
  | Delivery
  | { readonly kind: 'suppressed'; readonly reason: string }
)

export interface HandInOptions<Recipient extends OutboxRecipient> {
  readonly outbox: Pick<Outbox<Recipient>, 'release'>
  readonly toMessage: (recipient: Recipient) => Message
  readonly mailer: Mailer
  /** From one message to the next. */
  readonly gapMs: number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly now: () => number
  readonly signal: AbortSignal
}

/** Waits shorter than this are not worth a timer. */
const minSleepMs = 2

/** The answers to the messages of a step, which are all handed in. */
export interface Step {
  readonly results: Promise<readonly HandedIn[]>
}

/** Hands in the messages of a step, one after the other, and does not wait for their answers. */
export async function handIn<Recipient extends OutboxRecipient>(
  claimed: readonly Recipient[],
  options: HandInOptions<Recipient>,
): Promise<Step> {
  const { mailer, gapMs, sleep, now, signal } = options
  const begun = now()
  const prepared = await prepare(claimed, options)
  const results: (HandedIn | Promise<HandedIn>)[] = []
  let due = begun
  for (const { recipient, message } of prepared) {
    const { email, suppressed } = recipient
    if (message === undefined) {
      results.push({ email, kind: 'suppressed', reason: suppressed ?? '' })
      continue
    }
    if (due - now() >= minSleepMs && !signal.aborted) await sleep(due - now(), signal).catch(() => {})
    due += gapMs
    // Whoever was held too long, or is left when the send is aborted, was certainly not sent to.
    const isLate = now() - begun > (maxHoldSeconds * 1000) / 2
    results.push(
      isLate || signal.aborted
        ? { email, kind: 'refused' }
        : mailer.send(message, signal).then(delivery => ({ email, ...delivery })),
    )
  }
  return { results: Promise.all(results) }
}

interface Prepared {
  readonly recipient: OutboxRecipient
  /** Missing where the address is suppressed. */
  readonly message?: Message
}

/** All messages before the first is handed in: whoever was claimed in vain is given back. */
async function prepare<Recipient extends OutboxRecipient>(
  claimed: readonly Recipient[],
  { outbox, toMessage, signal }: HandInOptions<Recipient>,
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
