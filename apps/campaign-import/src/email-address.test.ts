import { describe, expect, it } from 'vitest'
import { isSender, parseEmailAddress } from './email-address.ts'

describe('parseEmailAddress', () => {
  it.each([
    ['a@example.jp', 'a@example.jp'],
    ['  Ann.Lee+news@Mail.Example.CO.JP ', 'ann.lee+news@mail.example.co.jp'],
    ["o'neil@xn--r8jz45g.jp", "o'neil@xn--r8jz45g.jp"],
    [`${'a'.repeat(64)}@example.jp`, `${'a'.repeat(64)}@example.jp`],
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
    'a.@example.jp',
    'a b@example.jp',
    'ａ@example.jp',
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

describe('isSender', () => {
  it.each([
    ['news@example.jp', true],
    ['お店 <news@example.jp>', true],
    ['<news@example.jp>', true],
    ['news', false],
    ['A <a@example.jp>, B <b@example.jp>', false],
    ['A\r\nBcc: <b@example.jp>', false],
  ])('%j: %s', (text, expected) => {
    expect(isSender(text)).toBe(expected)
  })
})
