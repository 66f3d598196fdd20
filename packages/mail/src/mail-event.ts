import { ValidationError } from '@stepwright/errors'
import { parseEmailAddress } from './email-address.ts'

/** What SES tells of a message after it was taken. */
export interface MailEvent {
  /**
   * `sent`: SES has it and will try; `delivered`: the recipient's server has it; `bounced`: it never will;
   * `undelivered`: this one did not arrive, the next may; `complained`: the recipient called it
   * spam.
   */
  readonly kind: 'sent' | 'delivered' | 'bounced' | 'undelivered' | 'complained'
  readonly messageId: string
  /** Whom it concerns, as `parseEmailAddress` writes addresses. */
  readonly addresses: readonly string[]
  /** In SES's words, for staff; empty where there is nothing to say. */
  readonly reason: string
  readonly tags: Readonly<Record<string, string>>
}

/** The part of SES's event record that is read; whoever sent it may have left anything out. */
interface SesEvent {
  readonly eventType?: string
  readonly notificationType?: string
  readonly mail?: {
    readonly messageId?: string
    readonly destination?: readonly string[]
    readonly tags?: Readonly<Record<string, readonly string[]>>
  }
  readonly bounce?: {
    readonly bounceType?: string
    readonly bounceSubType?: string
    readonly bouncedRecipients?: readonly Concerned[]
  }
  readonly complaint?: {
    readonly complaintFeedbackType?: string
    readonly complainedRecipients?: readonly Concerned[]
  }
  readonly delivery?: { readonly recipients?: readonly string[] }
  readonly reject?: { readonly reason?: string }
}

interface Concerned {
  readonly emailAddress?: string
  readonly diagnosticCode?: string
}

/**
 * Reads SES's events however they come: by EventBridge, by SNS, by SQS with either of them inside, or as they are.
 * Opens, clicks and whatever else SES may tell are left out.
 * @throws ValidationError if there is no event of SES in it
 */
export function readMailEvents(given: unknown): readonly MailEvent[] {
  return unwrap(given).flatMap(toMailEvent)
}

type Envelope = SesEvent & {
  readonly Records?: readonly { readonly Sns?: { readonly Message?: unknown }; readonly body?: unknown }[]
  readonly detail?: unknown
  readonly Message?: unknown
}

function unwrap(given: unknown, depth = 0): readonly SesEvent[] {
  const value = typeof given === 'string' ? parse(given) : given
  if (typeof value !== 'object' || value === null || depth > 3) throw notAnEvent()
  const event = value as Envelope
  if (Array.isArray(event.Records)) {
    return (event.Records as NonNullable<Envelope['Records']>).flatMap(({ Sns, body }) =>
      unwrap(Sns?.Message ?? body, depth + 1),
    )
  }
  if (event.eventType !== undefined || event.notificationType !== undefined) return [event]
  return unwrap(event.detail ?? event.Message, depth + 1)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notAnEvent()
  }
}

function notAnEvent(): ValidationError {
  return new ValidationError('this is not an event of SES')
}

function toMailEvent(event: SesEvent): readonly MailEvent[] {
  const { mail = {}, bounce = {}, complaint = {}, delivery = {}, reject = {} } = event
  const destination = mail.destination ?? []
  const tags = Object.entries(mail.tags ?? {}).map(([name, [value = ''] = []]) => [name, value])
  const make = (kind: MailEvent['kind'], addresses: readonly string[], reason = ''): readonly MailEvent[] => [
    {
      kind,
      messageId: mail.messageId ?? '',
      addresses: addresses.flatMap(address => bareAddressOf(address) ?? []),
      reason,
      tags: Object.fromEntries(tags),
    },
  ]
  const concerned = (list: readonly Concerned[] = []) => list.map(({ emailAddress = '' }) => emailAddress)
  switch (event.eventType ?? event.notificationType) {
    case 'Send':
      return make('sent', destination)
    case 'Delivery':
      return make('delivered', delivery.recipients ?? destination)
    case 'Bounce': {
      const { bounceType, bounceSubType, bouncedRecipients = [] } = bounce
      const [detail] = bouncedRecipients.flatMap(({ diagnosticCode }) => diagnosticCode ?? [])
      const reason = [bounceType, bounceSubType, detail].filter(Boolean).join(', ')
      // A full mailbox, or somebody who is on holiday: no reason never to write again.
      const kind = bounceType === 'Permanent' ? 'bounced' : 'undelivered'
      return make(kind, concerned(bouncedRecipients), reason)
    }
    case 'Complaint':
      return make('complained', concerned(complaint.complainedRecipients), complaint.complaintFeedbackType)
    case 'Reject':
      return make('undelivered', destination, reject.reason)
    default:
      return []
  }
}

/** SES writes addresses as they were handed in: with a name before them, or quoted. */
function bareAddressOf(text: string): string | undefined {
  const bare = /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text
  return parseEmailAddress(bare.trim().replace(/^"((?:[^"\\]|\\.)*)"(?=@)/, '$1'))
}
