import type { StepConfig } from '@aws/durable-execution-sdk-js'
import { describe, expect, it } from 'vitest'
import { defineBusinessError, defineRetryableError } from './define-error.ts'
import { toDurableRetryStrategy } from './durable-retry.ts'
import { toHttpProblem } from './http-problem.ts'
import { retryDelaySeconds } from './retry-policy.ts'
import { handleSqsBatch } from './sqs-batch.ts'
import type { TaskError } from './task-error.ts'
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

describe('handleSqsBatch', () => {
  const records = ['good', 'poison', 'busy'].map(messageId => ({ messageId }))
  const handle = async ({ messageId }: { messageId: string }) => {
    if (messageId === 'poison') throw new OutOfStock('never')
    if (messageId.startsWith('busy')) throw new Busy('later')
  }

  it('returns retryable failures to the queue and sends business failures to the dead letters', async () => {
    const dead: [string, string][] = []
    const response = await handleSqsBatch(records, handle, async (record, error: TaskError) => {
      dead.push([record.messageId, error.name])
    })
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'busy' }] })
    expect(dead).toEqual([['poison', 'OutOfStock']])
  })

  it('loses no message when the dead-letter queue fails', async () => {
    const response = await handleSqsBatch(records, handle, async () =>
      Promise.reject(new Error('no such queue')),
    )
    expect(response.batchItemFailures).toEqual([{ itemIdentifier: 'poison' }, { itemIdentifier: 'busy' }])
  })

  it('keeps the order of a FIFO group after a failure', async () => {
    const handled: string[] = []
    const fifo = [
      ['a1', 'A'],
      ['busy-b', 'B'],
      ['b2', 'B'],
      ['a2', 'A'],
    ].map(([messageId, MessageGroupId]) => ({
      messageId: String(messageId),
      attributes: { MessageGroupId: String(MessageGroupId) },
    }))
    const response = await handleSqsBatch(
      fifo,
      async record => {
        handled.push(record.messageId)
        await handle(record)
      },
      async () => {},
    )
    expect(handled).toEqual(['a1', 'busy-b', 'a2'])
    expect(response.batchItemFailures.map(item => item.itemIdentifier)).toEqual(['busy-b', 'b2'])
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
