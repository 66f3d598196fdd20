import { describe, expect, it } from 'vitest'
import { createMessage } from './create-message.ts'
import { createSesMailer } from './ses-mailer.ts'

const message = {
  from: 'news@example.jp',
  to: 'a@example.jp',
  subject: '件名',
  html: '<p>本文</p>',
  text: '本文',
}
const refused = [
  ['from', 'news@example.jp\r\nBcc: b@example.jp'],
  ['from', 'nobody'],
  ['from', 'News <news@example.jp>, <b@example.jp>'],
  ['to', 'a@example.jp, b@example.jp'],
  ['subject', 'Hello\r\nBcc: b@example.jp'],
  ['subject', 'Hello\nagain'],
  ['subject', 'half \ud800'],
] as const

describe('createMessage', () => {
  it.each(refused)('refuses a %s of %j', (field, value) => {
    expect(() => createMessage({ ...message, [field]: value })).toThrow(
      expect.objectContaining({ name: 'DataValidationError', details: { field } }),
    )
  })

  it.each([
    ['X-A', 'a\r\nBcc: b@example.jp'],
    ['X-A', '件名'],
    ['X A', 'a'],
    ['X:A', 'a'],
  ])('refuses the header field %j with %j', (name, value) => {
    expect(() => createMessage({ ...message, headers: { [name]: value } })).toThrow('must')
  })

  it('encodes a name that is not ASCII, and leaves one alone that is encoded', () => {
    const { from } = createMessage({ ...message, from: '会社 <news@example.jp>' })
    expect(from).toBe('=?UTF-8?B?5Lya56S+?= <news@example.jp>')
    expect(createMessage({ ...message, from })).toEqual({ ...message, from })
  })
})

it.each(refused)('createSesMailer sends nothing with a %s of %j', async (field, value) => {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  // Nobody listens there: a message that were sent would be refused by the network.
  const mailer = createSesMailer({
    config: { endpoint: 'http://127.0.0.1:1', region: 'us-east-1', credentials },
  })
  const delivery = await mailer.send({ ...message, [field]: value }, new AbortController().signal)
  expect(delivery.kind).toBe(field === 'to' ? 'bounced' : 'stopped')
})
