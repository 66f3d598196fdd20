import { describe, expect, it } from 'vitest'
import { isConnectionLost, toDatabaseError } from './database-error.ts'
import { NetworkError } from './taxonomy.ts'

function failure(code: string, message = 'it failed') {
  return Object.assign(new Error(message), { code })
}

describe('toDatabaseError', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    '57P01',
    '57P03',
    '25006',
    '08006',
  ])('takes %s for a lost connection, however deep', code => {
    const thrown = new Error('query failed', { cause: failure(code) })
    expect(toDatabaseError(thrown)).toMatchObject({ name: 'DatabaseConnectionError', kind: 'retryable' })
    expect(isConnectionLost(thrown)).toBe(true)
  })

  it('takes an error of the taxonomy that speaks of the network for one too', () => {
    const thrown = new NetworkError('reset')
    expect(toDatabaseError(thrown)).toMatchObject({ name: 'DatabaseConnectionError', cause: thrown })
  })

  it.each([
    ['40P01', 'TemporaryError'],
    ['23505', 'ConflictError'],
    ['42601', 'UnexpectedError'],
  ])('leaves %s a %s, on a connection that works', (code, name) => {
    expect(toDatabaseError(failure(code)).name).toBe(name)
    expect(isConnectionLost(failure(code))).toBe(false)
  })
})
