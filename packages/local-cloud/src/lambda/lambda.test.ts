import {
  GetFunctionCommand,
  InvokeCommand,
  type InvokeCommandInput,
  LambdaClient,
  paginateListFunctions,
} from '@aws-sdk/client-lambda'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FunctionThrottledError } from '../functions/concurrency.ts'
import type { CallOptions } from '../functions/function-host.ts'
import type { FailedEvent } from './event-queue.ts'
import { type Lambda, startLambda } from './lambda.ts'

const prefix = 'arn:aws:lambda:us-east-1:000000000000:function:'
let lambda: Lambda
let client: LambdaClient
let calls: unknown[] = []
let failures = 0
let throttles = 0
let nowMs = 0
let slept: number[] = []
let failed: FailedEvent[] = []

function lambdaFunction(name: string, call: (event: unknown, options: CallOptions) => Promise<unknown>) {
  return { arn: `${prefix}${name}`, handler: `handlers.${name}`, memoryMb: 512, timeoutSeconds: 25, call }
}

beforeAll(async () => {
  lambda = await startLambda({
    functions: [
      lambdaFunction('echo', async (event, { clientContext, onPrinted }) => {
        calls.push(event)
        onPrinted?.('a line')
        return { event, clientContext }
      }),
      lambdaFunction('fail', async event => {
        calls.push(event)
        failures -= 1
        if (failures < 0) return 'at last'
        throw Object.assign(new Error('no stock left'), { name: 'OutOfStock', stack: 'OutOfStock\nat shop' })
      }),
      lambdaFunction('large', async () => 'x'.repeat(6 * 1024 * 1024)),
      lambdaFunction('busy', async event => {
        calls.push(event)
        throttles -= 1
        if (throttles >= 0) throw new FunctionThrottledError()
      }),
    ],
    now: () => nowMs,
    sleep: async ms => {
      nowMs += ms
      slept.push(ms / 1000)
    },
    onFailure: async (_functionName, event) => void failed.push(event),
  })
  client = new LambdaClient({
    endpoint: lambda.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  })
})
afterAll(async () => {
  client.destroy()
  await lambda.stop()
})

async function invoke(input: InvokeCommandInput) {
  calls = []
  slept = []
  failed = []
  const {
    Payload,
    LogResult = '',
    $metadata: _metadata,
    ...answer
  } = await client.send(new InvokeCommand(input))
  const log = Buffer.from(LogResult, 'base64').toString()
  return { ...answer, payload: Payload?.transformToString(), log }
}

describe('Invoke', () => {
  it.each(['echo', `${prefix}echo`, `${prefix}echo:$LATEST`, '000000000000:function:echo'])(
    'answers with what the function does, called as %s',
    async FunctionName => {
      const ClientContext = Buffer.from('{"who":"me"}').toString('base64')
      expect(await invoke({ FunctionName, Payload: '{"a":1}', ClientContext })).toEqual({
        StatusCode: 200,
        ExecutedVersion: '$LATEST',
        payload: '{"event":{"a":1},"clientContext":{"who":"me"}}',
        log: '',
      })
    },
  )

  it('takes no payload for an empty object', async () => {
    expect(await invoke({ FunctionName: 'echo' })).toMatchObject({ payload: '{"event":{}}' })
  })

  it('says that a function failed, and how', async () => {
    failures = 1
    expect(await invoke({ FunctionName: 'fail' })).toMatchObject({
      StatusCode: 200,
      FunctionError: 'Unhandled',
      payload: '{"errorType":"OutOfStock","errorMessage":"no stock left","trace":["OutOfStock","at shop"]}',
    })
    expect(JSON.parse((await invoke({ FunctionName: 'large' })).payload ?? '')).toMatchObject({
      errorType: 'Function.ResponseSizeTooLarge',
    })
  })

  it('shows the end of the log where that is asked for', async () => {
    const { log } = await invoke({ FunctionName: 'echo', LogType: 'Tail' })
    expect(log).toMatch(
      /^START RequestId: (\S+) Version: \$LATEST\na line\nEND RequestId: \1\nREPORT RequestId: \1\tDuration: [\d.]+ ms\tBilled Duration: \d+ ms\tMemory Size: 512 MB\n$/,
    )
  })

  it('does not wait for an Event, and tries it again after one minute and after two', async () => {
    failures = 2
    expect(await invoke({ FunctionName: 'fail', InvocationType: 'Event', Payload: '1' })).toMatchObject({
      StatusCode: 202,
    })
    await expect.poll(() => calls).toEqual([1, 1, 1])
    expect([slept, failed]).toEqual([[60, 120], []])
  })

  it('gives up an Event that failed three times, and tells its destination', async () => {
    failures = 3
    await invoke({ FunctionName: 'fail', InvocationType: 'Event', Payload: '{"a":1}' })
    await expect.poll(() => failed).toHaveLength(1)
    expect(failed[0]).toMatchObject({
      version: '1.0',
      timestamp: new Date(nowMs).toISOString(),
      requestContext: {
        functionArn: `${prefix}fail:$LATEST`,
        condition: 'RetriesExhausted',
        approximateInvokeCount: 3,
      },
      requestPayload: { a: 1 },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      responsePayload: { errorType: 'OutOfStock', errorMessage: 'no stock left' },
    })
  })

  it('refuses a call beyond the reserved concurrency with 429', async () => {
    throttles = 1
    await expect(invoke({ FunctionName: 'busy' })).rejects.toMatchObject({
      name: 'TooManyRequestsException',
      message: 'Rate Exceeded.',
      Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
      $metadata: { httpStatusCode: 429 },
    })
  })

  it('accepts an Event that is throttled, and tries it more and more seldom', async () => {
    throttles = 11
    expect(await invoke({ FunctionName: 'busy', InvocationType: 'Event' })).toMatchObject({ StatusCode: 202 })
    await expect.poll(() => calls).toHaveLength(12)
    expect([slept, failed]).toEqual([[1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300], []])
  })

  it('gives up an Event that is throttled for six hours', async () => {
    throttles = Number.POSITIVE_INFINITY
    await invoke({ FunctionName: 'busy', InvocationType: 'Event' })
    await expect.poll(() => failed).toHaveLength(1)
    throttles = 0
    expect(failed[0]?.requestContext.condition).toBe('EventAgeExceeded')
    expect(slept.reduce((sum, seconds) => sum + seconds)).toBeLessThanOrEqual(6 * 3600)
  })

  it('calls nobody in a DryRun', async () => {
    expect(await invoke({ FunctionName: 'echo', InvocationType: 'DryRun' })).toMatchObject({
      StatusCode: 204,
    })
    expect(calls).toEqual([])
  })

  it.each([
    [{ FunctionName: 'nope' }, 'ResourceNotFoundException', `Function not found: ${prefix}nope`],
    [
      { FunctionName: 'echo', Qualifier: 'prod' },
      'ResourceNotFoundException',
      `Function not found: ${prefix}echo:prod`,
    ],
    [{ FunctionName: 'e cho' }, 'ValidationException', /^1 validation error detected: Value 'e cho'/],
    [
      { FunctionName: 'echo', Payload: '{' },
      'InvalidRequestContentException',
      /^Could not parse request body/,
    ],
    [
      { FunctionName: 'echo', InvocationType: 'Event', Payload: `"${'x'.repeat(1024 * 1024)}"` },
      'RequestTooLargeException',
      'Request must be smaller than 1048576 bytes for the InvokeFunction operation',
    ],
  ] as const)('refuses %#', async (input, name, message) => {
    await expect(invoke(input)).rejects.toMatchObject({
      name,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    })
  })
})

describe('reading', () => {
  it('lists functions in pages, and shows one', async () => {
    const names: (string | undefined)[] = []
    for await (const { Functions = [] } of paginateListFunctions({ client, pageSize: 2 }, {}))
      names.push(...Functions.map(({ FunctionName }) => FunctionName))
    expect(names).toEqual(['echo', 'fail', 'large', 'busy'])
    const { Configuration } = await client.send(new GetFunctionCommand({ FunctionName: 'echo' }))
    expect(Configuration).toMatchObject({ Handler: 'handlers.echo', MemorySize: 512, Timeout: 25 })
  })

  it.each<[string, Record<string, string>, string]>([
    ['?FunctionVersion=ALL', {}, 'The parameter FunctionVersion is not supported'],
    ['/echo/invocations', { 'x-amz-tenant-id': 't' }, 'The header x-amz-tenant-id is not supported'],
    ['/echo/invocations', { 'x-amz-log-type': 'All' }, "Value 'All' at 'logType'"],
  ])('refuses %s with %j, which it would ignore', async (path, headers, message) => {
    const method = path.startsWith('?') ? 'GET' : 'POST'
    const response = await fetch(`${lambda.endpoint}/2015-03-31/functions${path}`, { method, headers })
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)])
  })

  it.each(['?MaxItems=0', '?MaxItems=x', '?Marker=-1', '/%', '/%00/configuration', '//invocations'])(
    'refuses functions%s',
    async path => {
      const answer = await fetch(`${lambda.endpoint}/2015-03-31/functions${path}`)
      expect(answer.status).toBe(400)
    },
  )

  it('refuses what does not run here', async () => {
    const answer = await fetch(`${lambda.endpoint}/2015-03-31/functions/echo`, { method: 'DELETE' })
    expect([answer.status, answer.headers.get('x-amzn-errortype')]).toEqual([
      404,
      'UnknownOperationException',
    ])
  })
})
