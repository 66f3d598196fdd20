import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { createMessage } from './create-message.ts'
import { formatSender, parseSender } from './email-address.ts'
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

/** What a parser that others wrote reads in the header of a message. */
async function parseBack({ from, to, headers = {} }: ReturnType<typeof createMessage>) {
  const fields = Object.entries({ From: from, To: to, ...headers })
  return PostalMime.parse(`${fields.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`)
}

describe('the header of a message', () => {
  const name = fc
    .string({
      unit: fc.constantFrom('a', 'Z', '会', '社', 'é', '😀', ' ', ',', '"', '<', '>', '@', ';', '(', '=?'),
    })
    .map(text => text.trim().replaceAll(/\s+/g, ' '))
    .filter(text => text !== '')
  const local = fc.constantFrom('a', 'a.b', 'a..b', 'a.', 'a+tag', '_x-1', "o'neil")
  const value = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 }).map(text => `<${text}>`)

  it('is read back as it was meant by a parser that others wrote, whatever the names', async () => {
    await fc.assert(
      fc.asyncProperty(name, local, local, value, async (who, sender, recipient, unsubscribe) => {
        const from = formatSender({
          from_name: who,
          from_address: `${sender.replaceAll(/\.+$|\.(?=\.)/g, '')}@example.jp`,
        })
        const made = createMessage({
          ...message,
          from,
          to: `${recipient}@example.jp`,
          headers: { 'List-Unsubscribe': unsubscribe },
        })
        const parsed = await parseBack(made)
        expect(parsed.from).toMatchObject({ name: who, address: parseSender(from)?.from_address })
        expect(parsed.to).toHaveLength(1)
        expect(parsed.to?.[0]?.address).toBe(`${recipient}@example.jp`)
        expect(parsed.headers.map(({ key }) => key)).toEqual(['from', 'to', 'list-unsubscribe'])
      }),
    )
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
