import { withDurableExecution } from '@aws/durable-execution-sdk-js'
import { LocalDurableTestRunner } from '@aws/durable-execution-sdk-js-testing'
import { defineBusinessError, TemporaryError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { runAsStep } from '@stepwright/task/durable'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'

class OutOfStock extends defineBusinessError('OutOfStock') {}

const reserve = defineTask({
  name: 'reserve',
  input: z.object({ sku: z.string() }),
  output: z.object({ left: z.int() }),
  errors: [OutOfStock, TemporaryError],
  async run({ sku }, { fail }: { fail: () => void }) {
    fail()
    return { left: sku.length }
  },
})

describe('runAsStep', () => {
  beforeAll(() => LocalDurableTestRunner.setupTestEnvironment({ skipTime: true }))
  afterAll(() => LocalDurableTestRunner.teardownTestEnvironment())

  it('retries what may succeed later, as its class says', async () => {
    let calls = 0
    const fail = () => {
      calls += 1
      if (calls < 3) throw new TemporaryError('not now')
    }
    const handlerFunction = withDurableExecution(async (_event, context) => {
      const first = await runAsStep(context, reserve, { sku: 'A1' }, { fail })
      await context.wait({ seconds: 60 })
      return first
    })
    const execution = await new LocalDurableTestRunner({ handlerFunction }).run()
    expect(execution.getResult()).toEqual({ left: 2 })
    expect(calls).toBe(3)
  })

  it('never retries a business failure', async () => {
    let calls = 0
    const fail = () => {
      calls += 1
      throw new OutOfStock('none left')
    }
    const handlerFunction = withDurableExecution((_event, context) =>
      runAsStep(context, reserve, { sku: 'A1' }, { fail }, { name: 'reserve again' }),
    )
    const execution = await new LocalDurableTestRunner({ handlerFunction }).run()
    expect(execution.getStatus()).toBe('FAILED')
    expect(calls).toBe(1)
  })
})
