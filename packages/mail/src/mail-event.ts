import { ValidationError } from '@stepwright/errors'
import * as z from 'zod/mini'
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

const text = z.optional(z.string())
const texts = z.optional(z.array(z.string()))
const concerned = z.optional(z.array(z.object({ emailAddress: text, diagnosticCode: text })))

/** The part of SES's event record that is read. */
const sesEvent = z.object({
  eventType: text,
  notificationType: text,
  mail: z.optional(
    z.object({
      messageId: text,
      destination: texts,
      tags: z.optional(z.record(z.string(), z.array(z.string()))),
    }),
  ),
  bounce: z.optional(z.object({ bounceType: text, bounceSubType: text, bouncedRecipients: concerned })),
  complaint: z.optional(z.object({ complaintFeedbackType: text, complainedRecipients: concerned })),
  delivery: z.optional(z.object({ recipients: texts })),
  reject: z.optional(z.object({ reason: text })),
})

type SesEvent = z.infer<typeof sesEvent>

/**
 * Reads SES's events however they come: by EventBridge, by SNS, by SQS with either of them inside, or as they are.
 * Opens, clicks and whatever else SES may tell are left out.
 * @throws ValidationError if there is no event of SES in it
 */
export function readMailEvents(given: unknown): readonly MailEvent[] {
  return unwrap(given).flatMap(toMailEvent)
}

interface Envelope {
  readonly Records?: readonly ({
    readonly Sns?: { readonly Message?: unknown }
    readonly body?: unknown
  } | null)[]
  readonly detail?: unknown
  readonly Message?: unknown
  readonly eventType?: unknown
  readonly notificationType?: unknown
}

function unwrap(given: unknown, depth = 0): readonly SesEvent[] {
  const value = typeof given === 'string' ? parse(given) : given
  if (typeof value !== 'object' || value === null || depth > 3) throw notAnEvent()
  const event = value as Envelope
  if (Array.isArray(event.Records)) {
    return event.Records.flatMap(record => unwrap(record?.Sns?.Message ?? record?.body, depth + 1))
  }
  if (event.eventType !== undefined || event.notificationType !== undefined) {
    const { data } = sesEvent.safeParse(event)
    if (data === undefined) throw notAnEvent()
    return [data]
  }
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
  const addressesOf = (list: z.infer<typeof concerned> = []) =>
    list.map(({ emailAddress = '' }) => emailAddress)
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
      return make(kind, addressesOf(bouncedRecipients), reason)
    }
    case 'Complaint':
      // Somebody took it out of the spam: the opposite of a complaint.
      if (complaint.complaintFeedbackType === 'not-spam') return []
      return make('complained', addressesOf(complaint.complainedRecipients), complaint.complaintFeedbackType)
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
