import { configurationSet, secret } from '@stepwright/app/bindings'
import { describe, expect, it } from 'vitest'
import { sesMailer, unsubscribeTokens } from './bindings.ts'

const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const keys = secret('linkKeys', { description: 'Seals links.', localValue: one.toString('base64') })

async function open(...given: Buffer[]) {
  const secrets = given.map(key => key.toString('base64'))
  return unsubscribeTokens(keys).open({ LINK_KEYS_SECRET: secrets.join(',') })
}

describe('unsubscribeTokens', () => {
  it('seals with the first key and opens with every one of them', async () => {
    const claim = { address: 'ann@example.jp', source: 'c-1' }
    const [before, after, alone] = [await open(one), await open(two, one), await open(two)]
    expect(after.open(before.seal(claim))).toEqual(claim)
    expect(alone.open(after.seal(claim))).toEqual(claim)
    expect(alone.open(before.seal(claim))).toBeUndefined()
  })

  it('refuses a secret that has no keys in it', async () => {
    await expect(open(Buffer.from('too short'))).rejects.toThrow(TypeError)
    await expect(unsubscribeTokens(keys).open({})).rejects.toThrow('LINK_KEYS_SECRET')
  })
})

describe('sesMailer', () => {
  it('needs the right to send with its configuration set, and nothing else', () => {
    expect(sesMailer(configurationSet('news')).needs.variables).toEqual({
      NEWS_CONFIGURATION_SET: { configurationSet: 'news', may: ['send'] },
    })
  })
})
