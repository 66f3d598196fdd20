import {
  ConcurrentExecutionError,
  DatabaseConnectionError,
  defineBusinessError,
  defineRetryableError,
  TemporaryError,
} from '@stepwright/errors'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod/mini'
import { defineTask } from './define-task.ts'
import { describeTask } from './describe-task.ts'
import type { TaskMiddleware } from './middleware.ts'

class OutOfStock extends defineBusinessError('OutOfStock', { httpStatus: 409 }) {}

interface Stock {
  take(sku: string, count: number): Promise<number>
}

const reserve = defineTask({
  name: 'reserve-stock',
  description: 'Takes goods from the stock.',
  needs: {
    ports: { stock: 'the shelves' },
    permissions: [{ actions: ['dynamodb:UpdateItem'], on: 'the stock table' }],
  },
  input: z.object({ sku: z.string(), count: z._default(z.int(), 1) }),
  output: z.object({ left: z.int() }),
  errors: [OutOfStock, DatabaseConnectionError],
  async run({ sku, count }, { stock }: { stock: Stock }) {
    expectTypeOf(count).toEqualTypeOf<number>()
    return { left: await stock.take(sku, count) }
  },
})

function stockThat(take: Stock['take']) {
  return { stock: { take } }
}

/** A task without ports that fails with what it is given. */
function failing(thrown: unknown, use: readonly TaskMiddleware[] = []) {
  return defineTask({
    name: 'failing',
    input: z.any(),
    output: z.any(),
    errors: [OutOfStock],
    use,
    run() {
      throw thrown
    },
  })
}

describe('defineTask', () => {
  it('runs with its ports and nothing else', async () => {
    expect(
      await reserve.run(
        { sku: 'A1' },
        stockThat(async (_, count) => 3 - count),
      ),
    ).toEqual({ left: 2 })
  })

  it("knows its schemas' types", () => {
    expectTypeOf(reserve.run).parameter(0).toEqualTypeOf<{ sku: string; count?: number | undefined }>()
    expectTypeOf(reserve.run).returns.resolves.toEqualTypeOf<{ left: number }>()
    // @ts-expect-error: the ports are needed
    const withoutPorts = () => reserve.run({ sku: 'A1' })
    const portless = () => failing(undefined).run({})
    expect([withoutPorts, portless]).toHaveLength(2)
  })

  it('refuses input that does not fit, with the path of each trouble', async () => {
    const run = reserve.run(
      { sku: 1, count: 'many' } as never,
      stockThat(async () => 0),
    )
    await expect(run).rejects.toMatchObject({
      name: 'DataValidationError',
      message: expect.stringMatching(/^input of reserve-stock: sku: .*; count: /),
      details: { issues: [{ path: 'sku' }, { path: 'count' }] },
    })
  })

  it('calls output that does not fit its own bug', async () => {
    const run = reserve.run(
      { sku: 'A1' },
      stockThat(async () => 0.5),
    )
    await expect(run).rejects.toMatchObject({
      name: 'UnexpectedError',
      message: /^output of reserve-stock: left: /,
    })
  })

  it('fails with what it declared', async () => {
    const error = new OutOfStock('only 3 left')
    await expect(failing(error).run({})).rejects.toBe(error)
  })

  it('recognises a foreign error that it declared', async () => {
    const run = reserve.run(
      { sku: 'A1' },
      stockThat(() => Promise.reject(Object.assign(new Error('gone'), { code: '57P01' }))),
    )
    await expect(run).rejects.toMatchObject({
      name: 'DatabaseConnectionError',
      message: 'reported as Error 57P01',
    })
  })

  it('wraps all else as unexpected, and keeps it as the cause', async () => {
    const undeclared = new TemporaryError('later')
    await expect(failing(undeclared).run({})).rejects.toMatchObject({
      name: 'UnexpectedError',
      message: 'undeclared TemporaryError: later',
      cause: undeclared,
    })
    await expect(failing(undefined).run({})).rejects.toMatchObject({ name: 'UnexpectedError' })
  })

  it.each(['', 'has space', 'x'.repeat(65)])('refuses the name %j', name => {
    expect(() => defineTask({ name, input: z.any(), output: z.any(), errors: [], run: () => 0 })).toThrow(
      TypeError,
    )
  })

  it('refuses two classes of one name that want to be retried differently', () => {
    const [slow, fast] = [1, 2].map(maxAttempts =>
      defineRetryableError('WarehouseBusy', { retry: { intervalSeconds: 1, maxAttempts, backoffRate: 1 } }),
    )
    const errors = [slow, fast].filter(errorClass => errorClass !== undefined)
    expect(() => defineTask({ name: 'x', input: z.any(), output: z.any(), errors, run: () => 0 })).toThrow(
      'two WarehouseBusy with different retry policies',
    )
  })
})

describe('middleware', () => {
  const noting = (note: string, log: string[]): TaskMiddleware => ({
    errors: [],
    async wrap(call, next) {
      log.push(`${note} in ${call.task}`)
      const result = await next({ ...call.context, requestId: `${call.context.requestId}/${note}` })
      log.push(`${note} out`)
      return result
    },
  })

  it('wraps from the outside in, and may change the context', async () => {
    const log: string[] = []
    const task = defineTask({
      name: 'inner',
      input: z.string(),
      output: z.string(),
      errors: [],
      use: [noting('a', log), noting('b', log)],
      run: (input, _ports, { requestId }) => `${input} ${requestId}`,
    })
    expect(await task.run('hi', {}, { requestId: 'r' })).toBe('hi r/a/b')
    expect(log).toEqual(['a in inner', 'b in inner', 'b out', 'a out'])
  })

  it('knows the types of input and ports where it is a function after run', async () => {
    const wrapping = <Input, Ports>(
      before: (input: Input, ports: Ports) => unknown,
    ): TaskMiddleware<Input, never, Ports> => ({
      errors: [TemporaryError],
      wrap: async ({ input, ports }, next) => {
        before(input, ports)
        return next()
      },
    })
    const seen: unknown[] = []
    const task = defineTask({
      name: 'wrapped',
      input: z.object({ sku: z.string() }),
      output: z.any(),
      errors: [],
      run: ({ sku }, { stock }: { stock: Stock }) => stock.take(sku, 1),
      use: name => [wrapping((input, ports) => seen.push(name, input.sku.length, ports.stock.take.length))],
    })
    expect(
      await task.run(
        { sku: 'A1' },
        stockThat(async (_, count) => count),
      ),
    ).toBe(1)
    expect(seen).toEqual(['wrapped', 2, 2])
    expect(task.errors).toEqual([TemporaryError])
  })

  it('may answer in place of the task, and fail with what it declares', async () => {
    const answering: TaskMiddleware = { errors: [], wrap: async () => 'cached' }
    expect(await failing(new Error('not reached'), [answering]).run({})).toBe('cached')

    const locked: TaskMiddleware = {
      errors: [ConcurrentExecutionError],
      wrap: () => Promise.reject(new ConcurrentExecutionError('running', { retryAfterSeconds: 9 })),
    }
    const task = failing(undefined, [locked])
    await expect(task.run({})).rejects.toMatchObject({
      name: 'ConcurrentExecutionError',
      retryAfterSeconds: 9,
    })
    expect(describeTask(task).errors.map(error => error.name)).toContain('ConcurrentExecutionError')
  })
})

describe('describeTask', () => {
  const toJsonSchema = (schema: object, io: 'input' | 'output') =>
    z.toJSONSchema(schema as z.ZodMiniType, { io })

  it('tells the contract without building ports', () => {
    const contract = describeTask(reserve, { toJsonSchema })
    expect(contract).toMatchObject({
      name: 'reserve-stock',
      description: 'Takes goods from the stock.',
      needs: {
        ports: { stock: 'the shelves' },
        permissions: [{ actions: ['dynamodb:UpdateItem'], on: 'the stock table' }],
      },
      input: { required: ['sku'] },
      output: { required: ['left'] },
    })
    expect(contract.errors).toEqual([
      { name: 'DataValidationError', kind: 'business', retry: undefined },
      { name: 'PayloadTooLargeError', kind: 'business', retry: undefined },
      {
        name: 'TaskTimeoutError',
        kind: 'retryable',
        retry: { intervalSeconds: 2, maxAttempts: 1, backoffRate: 2 },
      },
      {
        name: 'UnexpectedError',
        kind: 'retryable',
        retry: { intervalSeconds: 2, maxAttempts: 1, backoffRate: 2 },
      },
      { name: 'OutOfStock', kind: 'business', retry: undefined },
      {
        name: 'DatabaseConnectionError',
        kind: 'retryable',
        retry: { intervalSeconds: 2, maxAttempts: 3, backoffRate: 2 },
      },
    ])
  })

  it('says nothing of what the task does not say, and knows its ports by name', () => {
    const contract = describeTask(failing(undefined))
    expect([Object.hasOwn(contract, 'description'), Object.hasOwn(contract, 'needs')]).toEqual([false, false])
    const definition = { name: 'x', input: z.any(), output: z.any(), errors: [] }
    const run = (_: unknown, { stock }: { stock: Stock }) => stock
    // @ts-expect-error: there is no such port
    const misspelt = () => defineTask({ ...definition, needs: { ports: { stok: '' }, permissions: [] }, run })
    expect(misspelt).toBeTypeOf('function')
  })

  it('leaves out a schema that cannot be said in JSON Schema', () => {
    const task = defineTask({ name: 'x', input: z.date(), output: z.any(), errors: [], run: () => 0 })
    expect(describeTask(task, { toJsonSchema }).input).toBeUndefined()
    expect(describeTask(task).output).toBeUndefined()
  })
})
