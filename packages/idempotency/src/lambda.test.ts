import { parseCause } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { toLambdaHandler } from '@stepwright/task/lambda'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { IdempotencyStore } from './idempotency-store.ts'
import { idempotent } from './idempotent.ts'
import { createMemoryIdempotencyStore } from './memory-store.ts'

it('tells a state machine when to come again, and gives it the stored result', async () => {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<string>()
  let runs = 0
  const task = defineTask({
    name: 'charge',
    input: z.object({ orderId: z.string() }),
    output: z.string(),
    errors: [],
    use: [idempotent({ store: (store: IdempotencyStore) => store })],
    run(_, __: IdempotencyStore) {
      runs += 1
      begun.resolve()
      return end.promise
    },
  })
  const now = () => 1_000_000
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  const handler = toLambdaHandler(task, {
    ports: createMemoryIdempotencyStore({ now }),
    now,
    logger: quiet,
    metrics: { addMetric() {}, addMetadata() {}, publishStoredMetrics() {} },
  })
  const context = { getRemainingTimeInMillis: () => 60_000 }

  const first = handler({ orderId: 'A' }, context)
  await begun.promise
  const refused: Error = await handler({ orderId: 'A' }, context).then(
    () => expect.fail('it ran twice'),
    error => error,
  )
  const caught = { Error: refused.name, Cause: JSON.stringify({ errorMessage: refused.message }) }
  expect(parseCause(caught)).toMatchObject({ name: 'ConcurrentExecutionError', retryAfterSeconds: 30 })

  end.resolve('receipt 1')
  expect([await first, await handler({ orderId: 'A' }, context)]).toEqual(['receipt 1', 'receipt 1'])
  expect(runs).toBe(1)
})
