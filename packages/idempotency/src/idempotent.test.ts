import {
  ConcurrentExecutionError,
  DataValidationError,
  IdempotencyConflictError,
  isTaskError,
} from '@stepwright/errors'
import { defineTask, describeTask, type TaskLogger } from '@stepwright/task'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod/mini'
import type { IdempotencyStore } from './idempotency-store.ts'
import { findLock, type IdempotentOptions, idempotent, lockOf } from './idempotent.ts'
import { createMemoryIdempotencyStore } from './memory-store.ts'
import type { HeldLock } from './run-once.ts'

interface Ports {
  readonly idempotency: IdempotencyStore
  readonly charge: (amount: number) => Promise<number>
}
const order = z.object({ orderId: z.string(), amount: z.number() })
type Order = z.infer<typeof order>

function chargeTask(options: Partial<IdempotentOptions<Order, Ports>> = {}, name = 'charge') {
  return defineTask({
    name,
    input: order,
    output: z.object({ receipt: z.number() }),
    errors: [],
    use: [
      idempotent({
        key: ({ orderId }) => orderId,
        store: ({ idempotency }) => idempotency,
        ttlSeconds: 86_400,
        ...options,
      }),
    ],
    async run({ amount }, { charge }: Ports) {
      return { receipt: await charge(amount) }
    },
  })
}

function till(): Ports & { charged: number[] } {
  const charged: number[] = []
  return {
    charged,
    idempotency: createMemoryIdempotencyStore(),
    charge: async amount => charged.push(amount),
  }
}

describe('idempotent', () => {
  it('lets a task run once for each key', async () => {
    const ports = till()
    const task = chargeTask()
    expect(await task.run({ orderId: 'A', amount: 5 }, ports)).toEqual({ receipt: 1 })
    expect(await task.run({ orderId: 'A', amount: 5 }, ports)).toEqual({ receipt: 1 })
    expect(await task.run({ orderId: 'B', amount: 5 }, ports)).toEqual({ receipt: 2 })
    expect(ports.charged).toEqual([5, 5])
  })

  it('refuses a key that comes back with another payload', async () => {
    const ports = till()
    await chargeTask().run({ orderId: 'A', amount: 5 }, ports)
    await expect(chargeTask().run({ orderId: 'A', amount: 6 }, ports)).rejects.toThrow(
      expect.toSatisfy(error => isTaskError(error, IdempotencyConflictError)),
    )
  })

  it('lets the payload differ where it does not matter', async () => {
    const ports = till()
    const task = chargeTask({ payload: ({ orderId }) => orderId })
    await task.run({ orderId: 'A', amount: 5 }, ports)
    expect(await task.run({ orderId: 'A', amount: 6 }, ports)).toEqual({ receipt: 1 })
  })

  it('keeps tasks apart, unless they share a namespace', async () => {
    const ports = till()
    const input = { orderId: 'A', amount: 5 }
    await chargeTask({}, 'charge').run(input, ports)
    expect(await chargeTask({}, 'refund').run(input, ports)).toEqual({ receipt: 2 })
    expect(await chargeTask({ namespace: 'charge' }, 'charge-v2').run(input, ports)).toEqual({ receipt: 1 })
  })

  it('takes the whole input for the key if none is given', async () => {
    const ports = till()
    const { key: _, ...options } = { ...chargeOptions() }
    const task = defineTask({
      name: 'charge',
      input: order,
      output: z.object({ receipt: z.number() }),
      errors: [],
      use: [idempotent(options)],
      run: async ({ amount }, { charge }: Ports) => ({ receipt: await charge(amount) }),
    })
    await task.run({ orderId: 'A', amount: 5 }, ports)
    expect(await task.run({ amount: 5, orderId: 'A' }, ports)).toEqual({ receipt: 1 })
    expect(await task.run({ amount: 6, orderId: 'A' }, ports)).toEqual({ receipt: 2 })
  })

  it('refuses an input without a key', async () => {
    await expect(chargeTask().run({ orderId: '', amount: 5 }, till())).rejects.toThrow(
      expect.toSatisfy(error => isTaskError(error, DataValidationError)),
    )
  })

  it('refuses a call while another is at it', async () => {
    const ports = till()
    const input = { orderId: 'A', amount: 5 }
    const answers = await Promise.allSettled([1, 2, 3].map(() => chargeTask().run(input, ports)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === 'rejected')
        expect(isTaskError(answer.reason, ConcurrentExecutionError)).toBe(true)
    }
    expect(ports.charged).toEqual([5])
  })

  it('announces its errors in the task’s contract', () => {
    const names = describeTask(chargeTask()).errors.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'ConcurrentExecutionError',
        'IdempotencyConflictError',
        'IdempotencyStoreError',
      ]),
    )
  })

  it('locks for the Lambda’s remaining time, and says so by the task’s clock', async () => {
    const now = () => 1_000_000
    const ports = { ...till(), idempotency: createMemoryIdempotencyStore({ now }) }
    let retryAfterSeconds: number | undefined
    const charge = async () => {
      const error = await task.run({ orderId: 'A', amount: 5 }, ports, { now }).catch(error => error)
      retryAfterSeconds = error.retryAfterSeconds
      return 1
    }
    const task = chargeTask()
    await task.run({ orderId: 'A', amount: 5 }, { ...ports, charge }, { now, remainingMs: () => 12_345 })
    expect(retryAfterSeconds).toBe(13)
  })

  it('logs that an answer was stored, and trouble with the store', async () => {
    const ports = till()
    const lines: unknown[] = []
    const log = (...line: unknown[]) => void lines.push(line)
    const logger: TaskLogger = { debug: log, info: log, warn: log, error: log }
    const input = { orderId: 'A', amount: 5 }
    const broken = { ...ports.idempotency, release: () => Promise.reject(new Error('down')) }
    const charge = () => Promise.reject(new Error('declined'))
    const failed = chargeTask().run(input, { ...ports, charge, idempotency: broken }, { logger })
    await expect(failed).rejects.toMatchObject({ cause: new Error('declined') })
    const other = { orderId: 'B', amount: 5 }
    await chargeTask().run(other, ports, { logger })
    await chargeTask().run(other, ports, { logger })
    expect(lines).toEqual([
      [
        expect.stringMatching(/^releasing the lock on charge#\w+ failed$/),
        { reason: 'UnexpectedError: reported as Error' },
      ],
      ['answered with the stored result', { idempotencyKey: expect.stringMatching(/^charge#\w{64}$/) }],
    ])
  })

  it('types its functions by the task’s schema and ports', () => {
    idempotent({
      key: (input: Order) => input.orderId,
      store: (ports: Ports) => {
        expectTypeOf(ports).toEqualTypeOf<Ports>()
        return ports.idempotency
      },
    })
  })
})

describe('lockOf', () => {
  it('gives the task its lock', async () => {
    let lock: HeldLock | undefined
    const task = defineTask({
      name: 'locked',
      input: z.object({}),
      output: z.string(),
      errors: [],
      use: [idempotent({ store: (store: IdempotencyStore) => store })],
      async run(_, _store: IdempotencyStore, context) {
        lock = lockOf(context)
        expect(context.signal).toBe(lock.signal)
        return lock.key
      },
    })
    const store = createMemoryIdempotencyStore()
    expect(await task.run({}, store)).toBe(lock?.key)
    expect(await store.release({ key: lock?.key ?? '', token: lock?.token ?? '' })).toBe(false)
  })

  it('runs calls without a key each time, where the key is optional', async () => {
    const keys: (string | undefined)[] = []
    const task = defineTask({
      name: 'optional',
      input: z.object({ key: z.optional(z.string()) }),
      output: z.number(),
      errors: [],
      async run(_, __: IdempotencyStore, context) {
        return keys.push(findLock(context)?.key)
      },
      use: _task => [idempotent({ key: ({ key }) => key, keyIsOptional: true, store: store => store })],
    })
    const store = createMemoryIdempotencyStore()
    expect([await task.run({}, store), await task.run({}, store)]).toEqual([1, 2])
    expect([await task.run({ key: 'k' }, store), await task.run({ key: 'k' }, store)]).toEqual([3, 3])
    expect(keys).toEqual([undefined, undefined, expect.stringContaining('optional#')])
  })

  it('says what is missing', async () => {
    const task = defineTask({
      name: 'unlocked',
      input: z.object({}),
      output: z.string(),
      errors: [],
      run: async (_, __: Record<never, never>, context) => lockOf(context).key,
    })
    await expect(task.run({})).rejects.toThrow('add idempotent({ … })')
  })
})

function chargeOptions(): IdempotentOptions<Order, Ports> {
  return { key: ({ orderId }) => orderId, store: ({ idempotency }) => idempotency }
}
