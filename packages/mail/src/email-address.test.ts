import { describe, expect, it } from 'vitest'
import {
  formatRecipient,
  formatSender,
  parseEmailAddress,
  parseSender,
  writeSender,
} from './email-address.ts'

describe('parseEmailAddress', () => {
  it.each([
    ['a@example.jp', 'a@example.jp'],
    ['  Ann.Lee+news@Mail.Example.CO.JP ', 'ann.lee+news@mail.example.co.jp'],
    ["o'neil@xn--r8jz45g.jp", "o'neil@xn--r8jz45g.jp"],
    [`${'a'.repeat(64)}@example.jp`, `${'a'.repeat(64)}@example.jp`],
    ['a..b@docomo.ne.jp', 'a..b@docomo.ne.jp'],
    ['a.@ezweb.ne.jp', 'a.@ezweb.ne.jp'],
    ['Taro@日本語.jp', 'taro@xn--wgv71a119e.jp'],
    ['a@Ｅxample。ÄB.jp', 'a@example.xn--b-zfa.jp'],
  ])('takes %s', (given, address) => {
    expect(parseEmailAddress(given)).toBe(address)
  })

  it.each([
    '',
    'nobody',
    '@example.jp',
    'a@',
    'a@b@example.jp',
    'a@example',
    'a@-example.jp',
    'a@example..jp',
    '.a@example.jp',
    '太郎@example.jp',
    'a@日本 語.jp',
    'a b@example.jp',
    'ａ@example.jp',
    'mi\u212ae@example.jp',
    'a@日本.jp/example.jp',
    'a@日本.jp?example.jp',
    'a@日本.jp\\example.jp',
    'a@日本%2eexample.jp',
    'a@日\t本.jp',
    'a@example.jp\nbcc:x@example.jp',
    `${'a'.repeat(65)}@example.jp`,
    `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.jp`,
  ])('refuses %j', given => {
    expect(parseEmailAddress(given)).toBeUndefined()
  })

  it('takes no longer for a text that almost matches', () => {
    expect(parseEmailAddress(`${'a.'.repeat(100_000)}@`)).toBeUndefined()
  })
})

describe('parseSender', () => {
  it.each([
    ['news@example.jp', null, 'news@example.jp'],
    ['お店 <News@example.jp>', 'お店', 'news@example.jp'],
    ['<news@example.jp>', null, 'news@example.jp'],
    ['"Shop, Ltd. @ Tokyo \\"T\\"" <news@example.jp>', 'Shop, Ltd. @ Tokyo "T"', 'news@example.jp'],
    ['お店 <news@日本語.jp>', 'お店', 'news@xn--wgv71a119e.jp'],
  ])('parses %s', (text, from_name, from_address) => {
    expect(parseSender(text)).toEqual({ from_name, from_address })
  })

  it.each([
    'news',
    'A <a@example.jp>, B <b@example.jp>',
    'A\r\nBcc: <b@example.jp>',
    'A\tB <a@example.jp>',
    'A, B <a@example.jp>',
    'boss@bank.jp <a@example.jp>',
    '"A <a@example.jp>',
    '"A\nB" <a@example.jp>',
    'A\ud800 <a@example.jp>',
  ])('refuses %j', text => {
    expect(parseSender(text)).toBeUndefined()
  })

  it('takes no longer for blanks without an end', () => {
    const before = process.cpuUsage()
    expect(parseSender(`a${' '.repeat(100_000)}b`)).toBeUndefined()
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
  })
})

describe('formatSender', () => {
  it.each([
    [null, 'a@example.jp'],
    ['Shop', '"Shop" <a@example.jp>'],
    ['A "B", C', '"A \\"B\\", C" <a@example.jp>'],
    ['お店', '=?UTF-8?B?44GK5bqX?= <a@example.jp>'],
  ])('writes the name %j in ASCII', (from_name, header) => {
    expect(formatSender({ from_name, from_address: 'a@example.jp' })).toBe(header)
  })

  it('cuts long names between characters, into words of at most 75', () => {
    const name = '株式会社🍣'.repeat(20)
    const words = formatSender({ from_name: name, from_address: 'a@example.jp' }).split(' ').slice(0, -1)
    expect(words.every(word => word.length <= 75)).toBe(true)
    const texts = words.map(word => Buffer.from(word.slice(10, -2), 'base64').toString())
    expect(texts.join('')).toBe(name)
  })
})

describe('formatRecipient', () => {
  it('quotes what RFC 5322 has no other way to write', () => {
    expect(['a..b@docomo.ne.jp', 'a.@ezweb.ne.jp', 'a.b@x.jp'].map(formatRecipient)).toEqual([
      '"a..b"@docomo.ne.jp',
      '"a."@ezweb.ne.jp',
      'a.b@x.jp',
    ])
  })
})

describe('writeSender', () => {
  it.each([null, 'お店', 'Shop', 'Shop, Ltd.', 'a "b" \\c', ' blank ', 'me@home'])(
    'writes the name %j so that it is read back',
    from_name => {
      const sender = { from_address: 'news@example.jp', from_name }
      expect(parseSender(writeSender(sender))).toEqual(sender)
    },
  )

  it('adds quotes only where they are needed', () => {
    expect(writeSender({ from_address: 'news@example.jp', from_name: 'お店' })).toBe('お店 <news@example.jp>')
  })
})
