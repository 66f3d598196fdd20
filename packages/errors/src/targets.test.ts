import type { StepConfig } from '@aws/durable-execution-sdk-js'
import { describe, expect, it } from 'vitest'
import { defineBusinessError, defineRetryableError } from './define-error.ts'
import { toDurableRetryStrategy } from './durable-retry.ts'
import { toHttpProblem } from './http-problem.ts'
import { retryDelaySeconds } from './retry-policy.ts'
import { DatabaseConnectionError } from './taxonomy.ts'

const OutOfStock = defineBusinessError('OutOfStock', { httpStatus: 409 })
const Busy = defineRetryableError('Busy', {
  httpStatus: 429,
  retry: { intervalSeconds: 3, maxAttempts: 2, backoffRate: 2, maxDelaySeconds: 4 },
})

describe('toHttpProblem', () => {
  it('tells a business failure in full', () => {
    const error = new OutOfStock('only 3 left', { code: 'LOW', details: { left: 3 } })
    expect(toHttpProblem(error, { instance: '/orders/7' })).toEqual({
      type: 'urn:stepwright:error:OutOfStock',
      title: 'OutOfStock',
      status: 409,
      detail: 'only 3 left',
      details: { left: 3 },
      code: 'LOW',
      instance: '/orders/7',
    })
  })

  it("keeps a server's trouble to itself", () => {
    const error = new DatabaseConnectionError('password authentication failed for 10.0.0.7', {
      details: { host: 'x' },
    })
    expect(toHttpProblem(error)).toEqual({
      type: 'urn:stepwright:error:DatabaseConnectionError',
      title: 'DatabaseConnectionError',
      status: 503,
    })
  })
})

describe('toDurableRetryStrategy', () => {
  const strategy: NonNullable<StepConfig<unknown>['retryStrategy']> = toDurableRetryStrategy([
    OutOfStock,
    Busy,
    DatabaseConnectionError,
  ])

  it("follows each class's policy", () => {
    expect(strategy(new Busy('later'), 1)).toEqual({ shouldRetry: true, delay: { seconds: 3 } })
    expect(strategy(new Busy('later'), 2)).toEqual({ shouldRetry: true, delay: { seconds: 4 } })
    expect(strategy(new Busy('later'), 3)).toEqual({ shouldRetry: false })
    expect(strategy(new OutOfStock('never'), 1)).toEqual({ shouldRetry: false })
  })

  it('knows foreign errors, and does not retry what was not declared', () => {
    const lost = Object.assign(new Error('terminating connection'), { code: '57P01' })
    expect(strategy(lost, 1)).toEqual({ shouldRetry: true, delay: { seconds: 2 } })
    expect(strategy(new TypeError('bug'), 1)).toEqual({ shouldRetry: false })
  })

  it('waits as long as the error says', () => {
    expect(strategy(new Busy('later', { retryAfterSeconds: 30.2 }), 1)).toEqual({
      shouldRetry: true,
      delay: { seconds: 31 },
    })
  })
})

describe('retryDelaySeconds', () => {
  it('backs off, up to the maximum, with jitter where asked', () => {
    const policy = { intervalSeconds: 2, maxAttempts: 9, backoffRate: 3, maxDelaySeconds: 10 }
    expect([1, 2, 3].map(attempt => retryDelaySeconds(policy, attempt))).toEqual([2, 6, 10])
    expect(retryDelaySeconds({ ...policy, jitter: 'FULL' }, 2, () => 0.5)).toBe(3)
  })
})
