import { describe, expect, it } from 'vitest'
import { readMailEvents } from './mail-event.ts'

// The shapes are those of SES's developer guide, shortened.
const mail = {
  timestamp: '2026-11-17T09:00:00.000Z',
  messageId: 'm-1',
  source: 'news@example.jp',
  destination: ['Ann <ann@example.jp>', '"b..b"@docomo.ne.jp'],
  tags: { campaign_id: ['c-1'], 'ses:configuration-set': ['campaigns'] },
}
const tags = { campaign_id: 'c-1', 'ses:configuration-set': 'campaigns' }
const bounce = {
  eventType: 'Bounce',
  mail,
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [
      {
        emailAddress: 'ANN@example.jp',
        action: 'failed',
        status: '5.1.1',
        diagnosticCode: 'smtp; 550 unknown',
      },
    ],
  },
}
const bounced = {
  kind: 'bounced',
  messageId: 'm-1',
  addresses: ['ann@example.jp'],
  reason: 'Permanent, General, smtp; 550 unknown',
  tags,
}
const byEventBridge = { version: '0', source: 'aws.ses', 'detail-type': 'Email Bounced', detail: bounce }
const byLambdaOfSns = { Records: [{ EventSource: 'aws:sns', Sns: { Message: JSON.stringify(bounce) } }] }
const bySqsOfSns = {
  Records: [
    { messageId: 'q', body: JSON.stringify({ Type: 'Notification', Message: JSON.stringify(bounce) }) },
  ],
}

describe('readMailEvents', () => {
  it.each([
    ['as it is', bounce],
    ['as text', JSON.stringify(bounce)],
    ['by EventBridge', byEventBridge],
    ['by SNS', byLambdaOfSns],
    ['by SQS behind SNS', bySqsOfSns],
    ['by SQS behind SNS, raw', { Records: [{ body: JSON.stringify(bounce) }] }],
    ['by SQS behind EventBridge', { Records: [{ body: JSON.stringify(byEventBridge) }] }],
    ['as a notification of an identity', { ...bounce, eventType: undefined, notificationType: 'Bounce' }],
  ])('reads an event %s', (_, event) => {
    expect(readMailEvents(event)).toEqual([bounced])
  })

  it.each([
    ['Send', {}, { kind: 'sent', addresses: ['ann@example.jp', 'b..b@docomo.ne.jp'] }],
    [
      'Delivery',
      { delivery: { recipients: ['ann@example.jp'] } },
      { kind: 'delivered', addresses: ['ann@example.jp'] },
    ],
    [
      'Bounce',
      {
        bounce: {
          bounceType: 'Transient',
          bounceSubType: 'MailboxFull',
          bouncedRecipients: [{ emailAddress: 'a@b.jp' }],
        },
      },
      { kind: 'undelivered', addresses: ['a@b.jp'], reason: 'Transient, MailboxFull' },
    ],
    [
      'Complaint',
      { complaint: { complainedRecipients: [{ emailAddress: 'a@b.jp' }], complaintFeedbackType: 'abuse' } },
      { kind: 'complained', addresses: ['a@b.jp'], reason: 'abuse' },
    ],
    ['Reject', { reject: { reason: 'Bad content' } }, { kind: 'undelivered', reason: 'Bad content' }],
  ])('reads %s', (eventType, rest, expected) => {
    expect(readMailEvents({ eventType, mail, ...rest })).toMatchObject([expected])
  })

  it('leaves out what it does not know, and addresses that are none', () => {
    expect(readMailEvents({ eventType: 'Open', mail, open: {} })).toEqual([])
    // Somebody took the message out of the spam.
    const complaint = {
      complainedRecipients: [{ emailAddress: 'a@b.jp' }],
      complaintFeedbackType: 'not-spam',
    }
    expect(readMailEvents({ eventType: 'Complaint', mail, complaint })).toEqual([])
    const odd = { eventType: 'Delivery', mail: {}, delivery: { recipients: ['nobody'] } }
    expect(readMailEvents(odd)).toMatchObject([{ addresses: [], messageId: '', tags: {} }])
  })

  it.each([[undefined], ['{'], [7], [{}], [{ detail: {} }], [{ Records: [{}] }], [{ Message: '"x"' }]])(
    'refuses %j',
    event => {
      expect(() => readMailEvents(event)).toThrow('this is not an event of SES')
    },
  )
})
