import { describe, expect, it } from 'vitest'
import { type MailingSnapshot, mailingViolations } from './mailing-violations.ts'
import type { SendState } from './outbox.ts'

const counts = { sending: 1, unconfirmed: 1, sent: 1, bounced: 0, suppressed: 0, complained: 0 }
const states = new Map<string, SendState>([
  ['a', 'sent'],
  ['b', 'sending'],
  ['c', 'unconfirmed'],
  ['d', 'pending'],
])
const messages = new Map([
  ['a', 1],
  ['b', 1],
])
const good: MailingSnapshot = {
  messagesBefore: messages,
  states,
  counts,
  messagesAfter: messages,
  intended: () => 1,
}

describe('mailingViolations', () => {
  it('finds nothing in a mailing that keeps its promises', () => {
    expect(mailingViolations(good)).toEqual([])
  })

  it.each<[string, Partial<MailingSnapshot>]>([
    ['2 recipients are sent', { states: new Map([...states, ['c', 'sent']]) }],
    ['1 recipients are pending or suppressed', { messagesBefore: new Map([...messages, ['d', 1]]) }],
    ['1 recipients are sent and got no message', { messagesAfter: new Map([['b', 1]]) }],
    ['1 recipients got more messages', { messagesAfter: new Map([...messages, ['b', 2]]) }],
    ['1 messages went to addresses', { messagesAfter: new Map([...messages, ['x', 1]]) }],
  ])('finds: %s', (words, change) => {
    expect(mailingViolations({ ...good, ...change }).join()).toContain(words)
  })

  it('takes a second message where a resend chose the recipient', () => {
    const messagesAfter = new Map([...messages, ['b', 2]])
    const intended = (email: string) => (email === 'b' ? 2 : 1)
    expect(mailingViolations({ ...good, messagesAfter, intended })).toEqual([])
  })
})
