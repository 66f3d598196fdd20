import { randomUUID } from 'node:crypto'
import { bareAddress } from './address.ts'
import type { Mail } from './to-mail.ts'

/** What SES tells EventBridge of a message. */
export interface MailboxEvent {
  readonly version: '0'
  readonly id: string
  readonly source: 'aws.ses'
  readonly 'detail-type': string
  readonly time: string
  readonly detail: Readonly<Record<string, unknown>>
}

/**
 * SES tells only of messages that name a configuration set. A message is delivered at once, but for those to SES's simulator: `bounce@simulator.amazonses.com`,
 * `complaint@…` and `ooto@…` (out of the office) do what their names say.
 */
export function eventsOf(mail: Mail, nowMs: number): readonly MailboxEvent[] {
  if (mail.configurationSet === undefined) return []
  const time = new Date(nowMs).toISOString()
  const destination = [...mail.to, ...mail.cc, ...mail.bcc]
  const tags = {
    ...Object.fromEntries(Object.entries(mail.tags).map(([name, value]) => [name, [value]])),
    'ses:configuration-set': [mail.configurationSet],
  }
  const sent = { timestamp: time, messageId: mail.messageId, source: mail.from, destination, tags }
  const make = (type: string, eventType: string, told: object): MailboxEvent => ({
    version: '0',
    id: randomUUID(),
    source: 'aws.ses',
    'detail-type': `Email ${type}`,
    time,
    detail: { eventType, mail: sent, ...told },
  })
  return destination.flatMap(address => {
    const emailAddress = bareAddress(address)
    const delivered = make('Delivered', 'Delivery', {
      delivery: { timestamp: time, recipients: [emailAddress], smtpResponse: '250 OK' },
    })
    const bounced = (bounceType: string, diagnosticCode: string) =>
      make('Bounced', 'Bounce', {
        bounce: {
          bounceType,
          bounceSubType: 'General',
          bouncedRecipients: [{ emailAddress, diagnosticCode }],
          timestamp: time,
        },
      })
    switch (emailAddress) {
      case 'bounce@simulator.amazonses.com':
        return [bounced('Permanent', 'smtp; 550 5.1.1 user unknown')]
      case 'ooto@simulator.amazonses.com':
        return [delivered, bounced('Transient', 'out of the office')]
      case 'complaint@simulator.amazonses.com': {
        const complaint = { complainedRecipients: [{ emailAddress }], complaintFeedbackType: 'abuse' }
        return [delivered, make('Complaint Received', 'Complaint', { complaint })]
      }
      default:
        return [delivered]
    }
  })
}
