import { defineBusinessError, ThrottlingException } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { bindFrom, binding, bucket, reference, setting, workflow } from '../bindings.ts'
import { http, lambda, sqs } from '../functions.ts'

class OutOfStock extends defineBusinessError('OutOfStock') {}

interface Stock {
  take(sku: string): Promise<number>
}

const reserve = defineTask({
  name: 'reserve',
  input: z.object({ sku: z.string(), userId: z.optional(z.string()) }),
  output: z.object({ left: z.int(), userId: z.optional(z.string()) }),
  errors: [OutOfStock],
  async run({ sku, userId }, { stock }: { stock: Stock }) {
    const left = await stock.take(sku)
    if (left < 0) throw new OutOfStock(`no ${sku} left`)
    return { left, ...(userId && { userId }) }
  },
})

/** So that a green run prints nothing. */
const quiet = {
  logger: { debug() {}, info() {}, warn() {}, error() {} },
  metrics: { addMetric() {}, addMetadata() {}, publishStoredMetrics() {} },
}
const files = bucket('rawFiles')
const stock = binding<Stock>({ open: () => ({ take: async () => 2 }) })

describe('lambda', () => {
  it('is the handler: its ports are opened at the first event, once', async () => {
    let opened = 0
    const Reserve = lambda(
      reserve,
      {
        stock: binding<Stock>({
          open: () => {
            opened += 1
            return { take: async () => opened }
          },
        }),
      },
      quiet,
    )
    expect(opened).toBe(0)
    expect(await Reserve({ sku: 'A1' })).toEqual({ left: 1 })
    expect(await Reserve({ sku: 'A1' })).toEqual({ left: 1 })
  })

  it('fails with the names that its task declares', async () => {
    const Reserve = lambda(
      reserve,
      { stock: binding<Stock>({ open: () => ({ take: async () => -1 }) }) },
      quiet,
    )
    await expect(Reserve({ sku: 'A1' })).rejects.toMatchObject({ name: 'OutOfStock' })
  })

  it('names the failures of AWS that its task declares', async () => {
    const throttled = Object.assign(new Error('too fast'), {
      name: 'ProvisionedThroughputExceededException',
      $fault: 'client',
      $metadata: { httpStatusCode: 400 },
    })
    const take = defineTask({
      name: 'take',
      input: z.object({}),
      output: z.unknown(),
      errors: [ThrottlingException],
      run: (_input, { call }: { call: () => Promise<unknown> }) => call(),
    })
    const Take = lambda(take, { call: binding({ open: () => () => Promise.reject(throttled) }) }, quiet)
    await expect(Take({})).rejects.toMatchObject({ name: 'ThrottlingException' })
    const Unopened = lambda(take, { call: binding({ open: () => Promise.reject(throttled) }) }, quiet)
    await expect(Unopened({})).rejects.toMatchObject({ name: 'ThrottlingException' })
  })

  it('tries to open a port again after a failure', async () => {
    const [answers, Reserve] = failingOnce()
    await expect(Reserve({ sku: 'A1' })).rejects.toThrow()
    expect(await Reserve({ sku: 'A1' })).toEqual({ left: 7 })
    expect(answers).toEqual([])
  })

  it('takes ports in a test, and opens the others from the given environment', async () => {
    const named = defineTask({
      name: 'named',
      input: z.object({}),
      output: z.string(),
      errors: [],
      run: (_input, { bucket: name, greeting }: { bucket: string; greeting: string }) =>
        `${greeting} ${name}`,
    })
    const Named = lambda(
      named,
      {
        bucket: reference(files, 'read'),
        greeting: binding({ open: () => 'hello' }),
      },
      quiet,
    )
    expect(await Named.with({ greeting: 'bye' }, { RAW_FILES_BUCKET: 'b' })({})).toBe('bye b')
    await expect(Named.with({})({})).rejects.toThrow()
  })

  it('adds up what its bindings need', () => {
    const both = defineTask({
      name: 'both',
      input: z.object({}),
      output: z.object({}),
      errors: [],
      run: (_input, _ports: { one: string; two: string; rate: number; arn: string }) => ({}),
    })
    const Both = lambda(
      both,
      {
        one: reference(files, 'read in/*'),
        two: bindFrom({ name: reference(files, 'read in/*', 'write out/*') }, ({ name }) => name),
        rate: setting('RATE', z.coerce.number(), { value: 14 }),
        arn: reference(workflow('import'), 'start'),
      },
      { timeoutSeconds: 60, variables: { NODE_OPTIONS: '--x' } },
    )
    expect(Both.facts.needs.variables).toEqual({
      RAW_FILES_BUCKET: { bucket: 'rawFiles', may: ['read in/*', 'write out/*'] },
      RATE: 14,
      IMPORT_WORKFLOW_ARN: { workflow: 'import', may: ['start'] },
    })
    expect(Both.facts.needs.resources).toEqual([
      { kind: 'bucket', name: 'rawFiles' },
      { kind: 'workflow', name: 'import' },
    ])
  })

  it('opens a shared binding once for all ports of a function', async () => {
    let opened = 0
    const pool = binding({
      open: () => {
        opened += 1
        return { id: opened }
      },
    })
    const two = defineTask({
      name: 'two',
      input: z.object({}),
      output: z.boolean(),
      errors: [],
      run: (_input, { a, b }: { a: object; b: object }) => a === b,
    })
    const Two = lambda(
      two,
      { a: bindFrom(pool, opening => opening), b: bindFrom({ pool }, each => each.pool) },
      quiet,
    )
    expect(await Two.with({}, {})({})).toBe(true)
    expect(opened).toBe(1)
  })

  it('rejects a missing, surplus or wrong port as a type error', () => {
    const nothing = defineTask({
      name: 'nothing',
      input: z.object({}),
      output: z.object({}),
      errors: [],
      run: () => ({}),
    })
    // @ts-expect-error: the port stock is missing
    lambda(reserve, {})
    // @ts-expect-error: there is no port extra
    lambda(reserve, { stock, extra: stock })
    // @ts-expect-error: the port is a Stock, not a string
    lambda(reserve, { stock: reference(files, 'read') })
    // @ts-expect-error: a task without ports takes no bindings
    lambda(nothing, { stock })
    // @ts-expect-error: a bucket has no right to start
    reference(files, 'start')
    expect(lambda(nothing, {}).kind).toBe('call')
  })
})

describe('http', () => {
  it('sets the caller from the token, whatever the request says', async () => {
    const Reserve = http(reserve, { stock }, { ...quiet, caller: 'userId', envelope: false })
    const answer = await Reserve({
      httpMethod: 'POST',
      path: '/stock',
      body: JSON.stringify({ sku: 'A1', userId: 'somebody else' }),
      requestContext: { authorizer: { claims: { sub: 'u1' } } },
    })
    expect(JSON.parse(answer.body)).toEqual({ left: 2, userId: 'u1' })
  })
})

describe('sqs', () => {
  it('reports the messages that are to be delivered again', async () => {
    const Reserve = sqs(reserve, { stock }, quiet)
    const answer = await Reserve({ Records: [{ messageId: 'm1', body: '{"sku":"A1"}' }] })
    expect(answer).toEqual({ batchItemFailures: [] })
  })
})

function failingOnce() {
  const answers = [new Error('not yet'), { take: async () => 7 }]
  const Reserve = lambda(
    reserve,
    {
      stock: binding<Stock>({
        open: () => {
          const next = answers.shift()
          if (next instanceof Error) throw next
          return next as Stock
        },
      }),
    },
    quiet,
  )
  return [answers, Reserve] as const
}
