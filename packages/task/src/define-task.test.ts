import { DatabaseConnectionError, defineBusinessError } from '@stepwright/errors'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod/mini'
import { defineTask } from './define-task.ts'
import { describeTask } from './describe-task.ts'

class OutOfStock extends defineBusinessError('OutOfStock', { httpStatus: 409 }) {}

interface Stock {
  take(sku: string, count: number): Promise<number>
}

const reserve = defineTask({
  name: 'reserve-stock',
  input: z.object({ sku: z.string(), count: z._default(z.int(), 1) }),
  output: z.object({ left: z.int() }),
  errors: [OutOfStock, DatabaseConnectionError],
  async run({ sku, count }, { stock }: { stock: Stock }) {
    expectTypeOf(count).toEqualTypeOf<number>()
    return { left: await stock.take(sku, count) }
  },
})

const stockOf = (left: number): { stock: Stock } => ({
  stock: {
    async take(sku, count) {
      if (count > left) throw new OutOfStock(`only ${left} of ${sku} left`)
      return left - count
    },
  },
})

describe('defineTask', () => {
  it('runs with its ports, and nothing else', async () => {
    expect(await reserve.run({ sku: 'A1' }, stockOf(3))).toEqual({ left: 2 })
  })
  it('types', () => {
    expectTypeOf(reserve.run).parameter(0).toEqualTypeOf<{ sku: string; count?: number | undefined }>()
  })

  it('describes itself without ports', () => {
    const contract = describeTask(reserve, {
      toJsonSchema: (schema, io) => z.toJSONSchema(schema as z.ZodMiniType, { io }),
    })
    expect(contract.errors.map(error => error.name)).toEqual([
      'DataValidationError',
      'PayloadTooLargeError',
      'TaskTimeoutError',
      'UnexpectedError',
      'OutOfStock',
      'DatabaseConnectionError',
    ])
    expect(contract.input).toMatchObject({ required: ['sku'] })
    expect(contract.output).toMatchObject({ required: ['left'] })
  })
})
