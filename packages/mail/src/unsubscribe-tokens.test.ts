import { describe, expect, it } from 'vitest'
import { createUnsubscribeTokens, unsubscribeHeaders } from './unsubscribe-tokens.ts'

const [old, current] = [Buffer.alloc(32, 'old'), Buffer.alloc(32, 'current')]
const claim = { address: 'ann@example.jp', source: 'campaign 山' }

describe('createUnsubscribeTokens', () => {
  it('opens what it sealed, also with a key that has been replaced', () => {
    const token = createUnsubscribeTokens([old]).seal(claim)
    expect(token).toMatch(/^[\w-]+$/)
    expect(createUnsubscribeTokens([current, old]).open(token)).toEqual(claim)
    expect(createUnsubscribeTokens([current]).open(token)).toBeUndefined()
  })

  it('opens nothing in which a bit was changed, and nothing that was cut', () => {
    const tokens = createUnsubscribeTokens([current])
    const bytes = Buffer.from(tokens.seal(claim), 'base64url')
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(tokens.open(changed.toString('base64url'))).toBeUndefined()
      expect(tokens.open(bytes.subarray(0, index).toString('base64url'))).toBeUndefined()
    }
    expect(tokens.open('no token at all, of any length that one might have')).toBeUndefined()
  })

  it('tells nobody the address, and never makes the same token twice', () => {
    const tokens = createUnsubscribeTokens([current])
    const token = tokens.seal(claim)
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('ann')
    expect(tokens.seal(claim)).not.toBe(token)
  })

  it.each([[[]], [[Buffer.alloc(31)]], [[current, Buffer.alloc(16)]]])('refuses the keys %j', keys => {
    expect(() => createUnsubscribeTokens(keys)).toThrow('keys must be one key or more of 32 bytes each')
  })
})

describe('unsubscribeHeaders', () => {
  it.each([
    'http://example.jp/u',
    'javascript:alert(1)',
    'https://example.jp/u>, <https://example.com/',
    'https://example.jp/u\r\nBcc: b@example.jp',
    'https://',
    'mailto:u@example.jp',
  ])('refuses %j', url => {
    expect(() => unsubscribeHeaders(url)).toThrow(expect.objectContaining({ name: 'DataValidationError' }))
  })

  it('are those of RFC 8058', () => {
    expect(unsubscribeHeaders('https://example.jp/u?token=t')).toEqual({
      'List-Unsubscribe': '<https://example.jp/u?token=t>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
  })
})
