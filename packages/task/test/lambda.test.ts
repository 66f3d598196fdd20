import { defineBusinessError, parseCause, TemporaryError } from '@stepwright/errors'
import { defineTask, type TaskContext } from '@stepwright/task'
import { type LambdaOptions, toLambdaHandler } from '@stepwright/task/lambda'
import { parseSettings } from '@stepwright/task/settings'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { memorySinks } from './memory-sinks.ts'

class OutOfStock extends defineBusinessError('OutOfStock') {}

interface Ports {
  readonly work: (input: unknown, context: TaskContext) => unknown
}

const task = defineTask({
  name: 'worker',
  input: z.any(),
  output: z.any(),
  errors: [OutOfStock, TemporaryError],
  run: (input, { work }: Ports, context) => work(input, context),
})

function start(work: Ports['work'], options: LambdaOptions<typeof task> = {}) {
  const sinks = memorySinks()
  let time = 1000
  const now = () => {
    time += 5
    return time
  }
  return { ...sinks, handler: toLambdaHandler(task, { ports: { work }, ...sinks, now, ...options }) }
}

function fail(): never {
  throw new Error('the disk is full')
}

function rejection(promise: Promise<unknown>) {
  return promise.then(
    () => expect.unreachable('it should have failed'),
    error => ({ error, cause: parseCause({ Error: error.name, Cause: error.message }) }),
  )
}

describe('toLambdaHandler', () => {
  it('returns the result and counts the call', async () => {
    const { handler, published, lines } = start(input => ({ got: input }))
    expect(await handler({ a: 1 }, { awsRequestId: 'r1' })).toEqual({ got: { a: 1 } })
    expect(published).toEqual([
      { request_id: 'r1', TaskSucceeded: '1 Count', TaskDuration: '5 Milliseconds' },
    ])
    expect(lines).toEqual([])
  })

  it.each<readonly [string, unknown]>([
    ['NaN at $.mean', { mean: Number.NaN }],
    ['undefined at $.rows[1]', { rows: [1, undefined] }],
    ['a value of Map at $.seats', { seats: new Map() }],
    ['a value of Error at $[0]', [new Error('x')]],
    ['a value of BigInt at $.total', { total: 1n }],
  ])('fails with UnexpectedError for %s, which JSON would change or drop', async (place, result) => {
    const { error } = await rejection(start(() => result).handler({}))
    expect(error.name).toBe('UnexpectedError')
    expect(error.message).toContain(`the result of worker is not JSON: ${place}`)
  })

  it('throws an Error with the literal name and nothing but name, message and stack', async () => {
    const { handler, lines, published } = start(() => {
      throw new OutOfStock('only 3 left', { code: 'LOW', details: { email: 'ann@example.com' } })
    })
    const { error, cause } = await rejection(handler({}, { awsRequestId: 'r1' }))
    expect(error).toBeInstanceOf(Error)
    expect(Object.keys(error)).toEqual(['name'])
    expect(cause).toEqual({
      name: 'OutOfStock',
      message: 'only 3 left',
      code: 'LOW',
      details: { email: 'ann@example.com' },
    })
    expect(lines).toMatchObject([
      {
        level: 'warn',
        message: 'worker failed',
        fields: {
          task: 'worker',
          function_request_id: 'r1',
          error: { name: 'OutOfStock', kind: 'business', code: 'LOW', details: { email: '[redacted]' } },
        },
      },
    ])
    expect(published).toMatchObject([{ TaskFailed: '1 Count', error: 'OutOfStock' }])
  })

  it('logs the original of an unexpected error', async () => {
    const { handler, lines } = start(() => {
      throw Object.assign(new TypeError('x is not a function'), { detail: 'Key (email)=(ann@example.com)' })
    })
    const { cause } = await rejection(handler({}))
    expect(cause).toMatchObject({ name: 'UnexpectedError', message: 'reported as TypeError' })
    expect(lines).toMatchObject([
      {
        level: 'error',
        fields: { error: { cause: { name: 'TypeError', stack: expect.stringContaining('lambda.test') } } },
      },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/ann@example.com|x is not/)
  })

  it('shows the original to whoever watches on the same machine', async () => {
    const seen: unknown[] = []
    const watch = Symbol.for('@stepwright/task failure')
    Object.assign(globalThis, { [watch]: (...call: unknown[]) => seen.push(call) })
    try {
      const bug = new TypeError('x is not a function')
      const { handler } = start(() => {
        throw bug
      })
      await rejection(handler({}))
      expect(seen).toEqual([['worker', expect.objectContaining({ name: 'UnexpectedError', cause: bug })]])
    } finally {
      Reflect.deleteProperty(globalThis, watch)
    }
  })

  it('logs no words of a foreign error, and where it came from', async () => {
    const { handler, lines } = start(() => {
      throw Object.assign(new Error('connect to secret.internal\n    failed'), { code: 'ECONNREFUSED' })
    })
    await rejection(handler({}))
    expect(lines).toMatchObject([
      { fields: { error: { cause: { name: 'Error', code: 'ECONNREFUSED', stack: /^\s+at / } } } },
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it.each([
    ['metrics', { addMetric: fail, addMetadata: () => {}, publishStoredMetrics: () => {} }],
    [
      'metrics that are late',
      { addMetric: () => {}, addMetadata: () => {}, publishStoredMetrics: () => Promise.reject(new Error()) },
    ],
  ])('succeeds although its %s cannot be written', async (_, metrics) => {
    const { handler, lines } = start(() => 1, { metrics })
    expect(await handler({})).toBe(1)
    expect(lines).toMatchObject([{ level: 'warn', message: 'the metrics of worker were not written' }])
  })

  const broken = { debug: fail, info: fail, warn: fail, error: fail }

  it('succeeds although the lines that its task logs cannot be written', async () => {
    const work: Ports['work'] = (_input, { logger }) => {
      for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level]('written')
      return 1
    }
    expect(await start(work, { logger: broken }).handler({})).toBe(1)
  })

  it('fails with its own error although neither log nor metrics can be written', async () => {
    const metrics = { addMetric: fail, addMetadata: fail, publishStoredMetrics: fail }
    const { handler } = start(
      () => {
        throw new OutOfStock('none left')
      },
      { logger: broken, metrics },
    )
    expect((await rejection(handler({}))).cause).toMatchObject({ name: 'OutOfStock', message: 'none left' })
  })

  it('logs details as the given redaction leaves them', async () => {
    const { handler, lines } = start(
      () => {
        throw new OutOfStock('low', { details: { sku: 'A1' } })
      },
      { redact: ({ sku }) => ({ sku }) },
    )
    await rejection(handler({}))
    expect(lines[0]?.fields).toMatchObject({ error: { details: { sku: 'A1' } } })
  })

  it('adds to every line of a call what its event says, and fails as it would if that cannot be found out', async () => {
    const logFields = (event: unknown) => {
      const { id } = event as { id?: string }
      if (id === undefined) throw new TypeError('the event has no id')
      return { correlationId: id, task: 'another' }
    }
    const { handler, lines } = start(
      (_, { logger }) => {
        logger.info('working')
        throw new OutOfStock('low')
      },
      { logFields },
    )
    await rejection(handler({ id: 'c1' }))
    expect(lines.map(({ fields }) => fields)).toMatchObject([
      { correlationId: 'c1', task: 'worker' },
      { correlationId: 'c1', task: 'worker' },
    ])
    expect((await rejection(handler({}))).error.name).toBe('OutOfStock')
  })

  it('refuses a result above the limit, to the byte', async () => {
    const text = '語'.repeat(87_380) // 262,140 bytes, and two quotes
    const { handler, published } = start(input => input)
    expect(await handler(text)).toBe(text)
    expect(await handler(`${text}xx`)).toHaveLength(87_382)
    const { cause } = await rejection(handler(`${text}xxx`))
    expect(cause).toMatchObject({
      name: 'PayloadTooLargeError',
      details: { bytes: 262_145, maxBytes: 262_144 },
    })
    expect(published.at(-1)).toMatchObject({ TaskFailed: '1 Count' })
  })

  it.each([undefined, null, 0, '', []])('returns %j as it is', async value => {
    expect(await start(() => value).handler({})).toEqual(value)
  })

  it('builds the ports once, at the first call, and again only if that failed', async () => {
    let builds = 0
    const { handler } = start(() => 0, {
      ports: async () => {
        builds += 1
        if (builds === 1) throw new TemporaryError('no database yet')
        return { work: () => builds }
      },
    })
    expect(builds).toBe(0)
    expect((await rejection(handler({}))).cause.name).toBe('TemporaryError')
    expect(await Promise.all([handler({}), handler({})])).toEqual([2, 2])
  })

  it.each([
    [
      'a wrong setting',
      () => parseSettings(z.object({ TABLE: z.string() }), {}) as never,
      'TABLE is not set',
    ],
    [
      'a business error',
      () => Promise.reject(new OutOfStock('no secret')),
      'undeclared OutOfStock: no secret',
    ],
    ['a bug', () => (undefined as never as Ports[])[0] as Ports, 'reported as TypeError'],
  ])('announces %s while building as unexpected', async (_, ports, text) => {
    const handler = toLambdaHandler(task, { ...memorySinks(), ports })
    expect((await rejection(handler({}))).cause).toMatchObject({
      name: 'UnexpectedError',
      message: expect.stringContaining(text),
    })
  })

  it('aborts the signal before Lambda runs out of time, and waits for the task to clean up', async () => {
    const cleaned = Promise.withResolvers<string>()
    const { handler, lines } = start(async (_, { signal }) => {
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      cleaned.resolve(signal.reason.name)
      throw Object.assign(new Error('canceling statement'), { code: '57014' })
    })
    const { cause } = await rejection(handler({}, { getRemainingTimeInMillis: () => 40 }))
    expect(cause).toMatchObject({ name: 'TaskTimeoutError', message: 'the task was not done after 36 ms' })
    expect(await cleaned.promise).toBe('TaskTimeoutError')
    expect(lines).toHaveLength(1)
  })

  it('reports the time-out even of a task that ignores its signal', async () => {
    const { handler } = start(() => new Promise(() => {}))
    const { cause } = await rejection(handler({}, { getRemainingTimeInMillis: () => 40 }))
    expect(cause.name).toBe('TaskTimeoutError')
  })

  it('keeps overlapping calls apart', async () => {
    const first = Promise.withResolvers<void>()
    const { handler, lines, published } = start(async (input, { logger, metrics, requestId }) => {
      metrics.add(`Seen${input}`, 1)
      if (input === 1) await first.promise
      logger.info('working', { input })
      if (input === 2) first.resolve()
      return requestId
    })
    const results = [1, 2].map(input => handler(input, { awsRequestId: `r${input}` }))
    expect(await Promise.all(results)).toEqual(['r1', 'r2'])
    expect(lines.map(({ fields }) => [fields['input'], fields['function_request_id']])).toEqual([
      [2, 'r2'],
      [1, 'r1'],
    ])
    const seen = published.map(({ request_id, Seen1, Seen2 }) => ({ request_id, Seen1, Seen2 }))
    expect(seen).toHaveLength(2)
    expect(seen).toContainEqual({ request_id: 'r1', Seen1: '1 Count' })
    expect(seen).toContainEqual({ request_id: 'r2', Seen2: '1 Count' })
  })

  it("takes middy's middlewares", async () => {
    const { handler } = start(input => input)
    const wrapped = handler.use({
      before: request => {
        request.event = `${request.event}!`
      },
      after: request => {
        request.response = { wrapped: request.response }
      },
    })
    expect(await wrapped('hi')).toEqual({ wrapped: 'hi!' })
  })
})
