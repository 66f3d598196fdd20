import type { MailEvent } from './mail-event.ts'
import type { SuppressionReason } from './suppressions.ts'

/**
 * Where a recipient is. `pending` and `resend` are to be sent to, the latter since people asked for it; `sending` is
 * handed out to a sender that may be alive; `unconfirmed` may have got the message or not, and gets no second one
 * unless people ask for it.
 */
export type SendState =
  | 'pending'
  | 'resend'
  | 'sending'
  | 'unconfirmed'
  | 'sent'
  | 'bounced'
  | 'suppressed'
  | 'complained'

/** How many recipients of a mailing are in each state; who is in none of these is still to be sent to. */
export type SendCounts = Readonly<Record<Exclude<SendState, 'pending' | 'resend'>, number>>

export const countedStates: readonly (keyof SendCounts)[] = [
  'sending',
  'unconfirmed',
  'sent',
  'bounced',
  'suppressed',
  'complained',
]

/** From which SES's word, or a late answer, can still bring a recipient to its end. */
export const undecidedStates: readonly SendState[] = ['sending', 'unconfirmed', 'resend']

export type SendOutcome =
  | { readonly email: string; readonly sent: string }
  | { readonly email: string; readonly bounced: string }
  /** Nothing was sent, since the address is suppressed. */
  | { readonly email: string; readonly suppressed: string }
  /** Nobody can tell whether it was sent. */
  | { readonly email: string; readonly unconfirmed: true }

export interface OutboxRecipient {
  readonly email: string
  /** Why nothing is to be sent to the address; looked up together with the claim, or a failure in between loses it. */
  readonly suppressed?: SuppressionReason | null | undefined
}

/** Those who are to be sent to: each is handed out once, in the order of their addresses. */
export interface Outbox<Recipient extends OutboxRecipient> {
  /**
   * Hands out up to `limit` recipients after an address, to be handed in within `maxHoldSeconds`: none once the send
   * was paused or replaced.
   */
  claim(after: string, limit: number): Promise<readonly Recipient[]>
  record(outcomes: readonly SendOutcome[]): Promise<void>
  /** Gives recipients back, to whom certainly nothing was sent; not those whom another sender has claimed since. */
  release(emails: readonly string[]): Promise<void>
  /** A turn for some messages, among all who send: how long to wait for it, in milliseconds. */
  takeTurn(messages: number, perSecond: number): Promise<number>
}

/** A sender hands a message in within this time of its claim, or not at all: after it nobody is in flight. */
export const maxHoldSeconds = 30

/** Values of columns that a row must have. */
export type Columns = Readonly<Record<string, string | number>>

/** The recipients of a mailing, and the row that counts them. */
export interface Mailing {
  /** Which recipients are meant. */
  readonly recipients: Columns
  /** Which row of the mailings counts them. */
  readonly mailing: Columns
}

export interface Send extends Mailing {
  /** Recipients are handed out only while the mailing's row says this. */
  readonly while: Columns
  /** Hands out those alone whom `chooseUnconfirmed` has chosen. @default false: everybody who is to be sent to */
  readonly onlyChosen?: boolean
}

/** The recipients of all mailings. Every method may be called twice and does its work once. */
export interface OutboxStore<Recipient extends OutboxRecipient> {
  open(send: Send): Outbox<Recipient>
  /**
   * Chooses those who are unconfirmed to be sent to again, also those in flight with a sender that died. Nobody is
   * chosen while anybody is in flight: a message that is about to be confirmed would be sent twice.
   */
  chooseUnconfirmed(mailing: Mailing): Promise<{ readonly chosen: number; readonly inFlight: number }>
  /** Whoever was chosen and not sent to is unconfirmed again. */
  forgetChosen(mailing: Mailing): Promise<void>
  /** What SES tells of messages that it took: confirms, and counts who bounced or complained. */
  recordEvents(events: readonly (MailEvent & { readonly mailing: Mailing })[]): Promise<void>
}
