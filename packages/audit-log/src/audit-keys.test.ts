import { describe, expect, it } from 'vitest'
import { parseAuditKeys } from './audit-keys.ts'
import { createSecretsManagerKeys, type GetSecretValue } from './secrets-manager-keys.ts'

function secret(fill: number): string {
  return Buffer.alloc(32, fill).toString('base64')
}

describe('parseAuditKeys', () => {
  it('signs with the first and finds them all', async () => {
    const keys = parseAuditKeys(`v2:${secret(2)}, v1:${secret(1)}`)
    expect((await keys.current()).id).toBe('v2')
    expect((await keys.find('v1'))?.secret.export()).toEqual(Buffer.alloc(32, 1))
    expect(await keys.find('v3')).toBeUndefined()
  })

  it.each([
    ['nothing', '', 'id:base64'],
    ['a bare secret', secret(1), 'id:base64'],
    ['a short secret', 'v1:c2hvcnQ=', 'at least 32'],
    ['one id for two', `v1:${secret(1)},v1:${secret(2)}`, 'same id'],
  ])('refuses %s, without showing it', (_, text, message) => {
    expect(() => parseAuditKeys(text)).toThrow(message)
    expect(() => parseAuditKeys(text)).not.toThrow(secret(1))
  })
})

describe('createSecretsManagerKeys', () => {
  function fakeSecret() {
    const versions = new Map([['v1', secret(1)]])
    let current = 'v1'
    const calls: string[] = []
    const getSecretValue: GetSecretValue = async ({ SecretId, VersionId = current }) => {
      calls.push(`${SecretId} ${VersionId}`)
      const SecretString = versions.get(VersionId)
      if (SecretString) return { VersionId, SecretString }
      throw Object.assign(new Error('no such version'), { name: 'ResourceNotFoundException' })
    }
    const rotate = (version: string, fill: number): void => {
      versions.set(version, secret(fill))
      current = version
    }
    return { calls, getSecretValue, rotate }
  }

  it('asks once, and again when the cache is old', async () => {
    let time = 0
    const { calls, getSecretValue, rotate } = fakeSecret()
    const keys = createSecretsManagerKeys({ getSecretValue, secretId: 'audit', now: () => time })
    expect(await Promise.all([keys.current(), keys.current()])).toMatchObject([{ id: 'v1' }, { id: 'v1' }])
    rotate('v2', 2)
    expect((await keys.current()).id).toBe('v1')
    time += 300_000
    expect((await keys.current()).id).toBe('v2')
    expect(calls).toEqual(['audit v1', 'audit v2'])
  })

  it('finds old versions, and knows which there never were', async () => {
    const { getSecretValue, rotate } = fakeSecret()
    rotate('v2', 2)
    const keys = createSecretsManagerKeys({ getSecretValue, secretId: 'audit' })
    expect((await keys.find('v1'))?.secret.export()).toEqual(Buffer.alloc(32, 1))
    expect(await keys.find('v9')).toBeUndefined()
  })

  it('knows no key by an id that no version can have: such an id was tampered with', async () => {
    const { getSecretValue } = fakeSecret()
    const keys = createSecretsManagerKeys({
      secretId: 'audit',
      // As AWS does with what is too short, too long, or not of its characters.
      getSecretValue: input =>
        input.VersionId === 'v?'
          ? Promise.reject(Object.assign(new Error('at versionId'), { name: 'ValidationException' }))
          : getSecretValue(input),
    })
    expect(await keys.find('v?')).toBeUndefined()
    // Without an id, the latest version is given.
    expect(await keys.find('')).toBeUndefined()
  })

  it('asks again after a failure, and passes it on', async () => {
    const { getSecretValue } = fakeSecret()
    let failures = 1
    const keys = createSecretsManagerKeys({
      secretId: 'audit',
      getSecretValue: async input => {
        if (failures-- > 0) throw new Error('throttled')
        return getSecretValue(input)
      },
    })
    await expect(keys.current()).rejects.toThrow('throttled')
    expect((await keys.current()).id).toBe('v1')
  })

  it('says that a secret is empty', async () => {
    const keys = createSecretsManagerKeys({
      secretId: 'audit',
      getSecretValue: async () => ({ VersionId: 'v1' }),
    })
    await expect(keys.current()).rejects.toThrow('secret audit has no value')
  })

  it('signs on with the key it has when Secrets Manager does not answer, for a day', async () => {
    let time = 0
    let down = false
    const { calls, getSecretValue, rotate } = fakeSecret()
    const keys = createSecretsManagerKeys({
      secretId: 'audit',
      now: () => time,
      getSecretValue: input => (down ? Promise.reject(new Error('unavailable')) : getSecretValue(input)),
    })
    expect((await keys.current()).id).toBe('v1')
    rotate('v2', 2)
    down = true
    time += 300_000
    expect((await keys.current()).id).toBe('v1')
    time += 86_400_000 - 1
    expect((await keys.current()).id).toBe('v1')
    time += 60_000
    await expect(keys.current()).rejects.toThrow('unavailable')
    down = false
    expect((await keys.current()).id).toBe('v2')
    expect(calls).toEqual(['audit v1', 'audit v2'])
  })

  it('asks again a minute after it got no answer', async () => {
    let time = 0
    let asked = 0
    const { getSecretValue } = fakeSecret()
    const keys = createSecretsManagerKeys({
      secretId: 'audit',
      now: () => time,
      getSecretValue: input => {
        asked += 1
        return asked === 1 ? getSecretValue(input) : Promise.reject(new Error('unavailable'))
      },
    })
    await keys.current()
    time = 300_000
    for (let n = 0; n < 5; n += 1) await Promise.all([keys.current(), keys.current()])
    expect(asked).toBe(2)
    time += 60_000
    await keys.current()
    expect(asked).toBe(3)
  })
})
