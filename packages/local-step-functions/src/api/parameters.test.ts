import * as sfn from '@aws-sdk/client-sfn'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StepFunctions, startStepFunctions } from '../index.ts'
import { type ApiClient, createApiClient, machine, pass, waits } from '../test/api-client.ts'

const lambda = 'arn:aws:lambda:us-east-1:000000000000:function:flaky'
let server: StepFunctions
let api: ApiClient
let nowMs = 1_000_000_000_000
let failures = 0

beforeAll(async () => {
  server = await startStepFunctions({
    now: () => nowMs,
    functions: {
      flaky: () => {
        failures -= 1
        if (failures >= 0) throw new TypeError('not this time')
        return 'ok'
      },
    },
  })
  api = createApiClient(server)
})
afterAll(async () => {
  api.client.destroy()
  await server.stop()
})

/** A request as no SDK would send it. */
async function post(operation: string, body: string) {
  const answer = await fetch(server.endpoint, {
    method: 'POST',
    headers: { 'x-amz-target': `AWSStepFunctions.${operation}` },
    body,
  })
  return { status: answer.status, ...((await answer.json()) as object) }
}

describe('pages', () => {
  it('pass over nothing when what they list changes meanwhile', async () => {
    const stateMachineArn = await api.create('paged', waits)
    for (let each = 0; each < 6; each += 1) {
      if (each % 2 === 0) nowMs += 1
      await api.start(stateMachineArn)
    }
    const stopped: (string | undefined)[] = []
    for await (const { executions = [] } of sfn.paginateListExecutions(
      { client: api.client, pageSize: 2 },
      { stateMachineArn, statusFilter: 'RUNNING' },
    )) {
      for (const { executionArn } of executions) {
        await api.client.send(new sfn.StopExecutionCommand({ executionArn }))
        stopped.push(executionArn)
      }
      nowMs += 1
      await api.start(stateMachineArn)
    }
    expect(new Set(stopped).size).toBe(6)
    const listed: (string | undefined)[] = []
    for await (const { executions = [] } of sfn.paginateListExecutions(
      { client: api.client, pageSize: 2 },
      { stateMachineArn },
    )) {
      listed.push(...executions.map(({ executionArn }) => executionArn))
    }
    expect(listed).toHaveLength(9)
    expect(new Set(listed).size).toBe(9)
  })

  it.each([
    [-1, 'greater than or equal to 0'],
    [1001, 'less than or equal to 1000'],
  ])('of %d are refused', async (maxResults, bound) => {
    await expect(api.client.send(new sfn.ListStateMachinesCommand({ maxResults }))).rejects.toMatchObject({
      name: 'ValidationException',
      message: `1 validation error detected: Value '${maxResults}' at 'maxResults' failed to satisfy constraint: Member must have value ${bound}`,
    })
  })
})

describe('ListExecutions', () => {
  const list = (input: Partial<Record<keyof sfn.ListExecutionsCommandInput, unknown>>) =>
    api.client.send(new sfn.ListExecutionsCommand(input as sfn.ListExecutionsCommandInput))

  it('refuses a status that there is not, and a list of nothing', async () => {
    const stateMachineArn = await api.create('statuses', pass)
    await expect(list({ stateMachineArn, statusFilter: 'BOGUS' })).rejects.toMatchObject({
      name: 'ValidationException',
      message:
        "1 validation error detected: Value 'BOGUS' at 'statusFilter' failed to satisfy constraint: Member must satisfy enum value set: [SUCCEEDED, TIMED_OUT, PENDING_REDRIVE, ABORTED, FAILED, RUNNING]",
    })
    await expect(list({ stateMachineArn, redriveFilter: 'BOGUS' })).rejects.toMatchObject({
      name: 'ValidationException',
    })
    await expect(list({})).rejects.toMatchObject({
      name: 'ValidationException',
      message: '1 validation error detected: Must provide a StateMachine ARN or MapRun ARN',
    })
  })

  it('tells those that were redriven from those that were not', async () => {
    const stateMachineArn = await api.create(
      'redriven',
      machine({ T: { Type: 'Task', Resource: lambda, End: true } }),
    )
    failures = 1
    const executionArn = await api.start(stateMachineArn)
    await api.ended(executionArn)
    const other = await api.start(stateMachineArn)
    await api.ended(other)
    await api.client.send(new sfn.RedriveExecutionCommand({ executionArn }))
    await api.ended(executionArn)
    const arnsOf = async (redriveFilter: string) =>
      (await list({ stateMachineArn, redriveFilter })).executions?.map(item => item.executionArn)
    expect(await arnsOf('REDRIVEN')).toEqual([executionArn])
    expect(await arnsOf('NOT_REDRIVEN')).toEqual([other])
  })
})

describe('RedriveExecution', () => {
  it('does the same request once', async () => {
    const stateMachineArn = await api.create(
      'tokens',
      machine({ T: { Type: 'Task', Resource: lambda, End: true } }),
    )
    failures = 2
    const executionArn = await api.start(stateMachineArn)
    await api.ended(executionArn)
    const redrive = (clientToken: string) =>
      api.client.send(new sfn.RedriveExecutionCommand({ executionArn, clientToken }))
    const first = await redrive('a')
    expect(await api.ended(executionArn)).toMatchObject({ status: 'FAILED', redriveCount: 1 })
    nowMs += 1000
    expect((await redrive('a')).redriveDate).toEqual(first.redriveDate)
    expect(await api.ended(executionArn)).toMatchObject({ status: 'FAILED', redriveCount: 1 })
    nowMs += 15 * 60_000
    await redrive('a')
    expect(await api.ended(executionArn)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 2 })
  })
})

describe('what an answer is to include', () => {
  it('is everything, or no data', async () => {
    const stateMachineArn = await api.create('secret', pass)
    const executionArn = await api.start(stateMachineArn, { input: '"secret"' })
    await api.ended(executionArn)
    const includedData = 'METADATA_ONLY'
    const described = [
      await api.client.send(new sfn.DescribeExecutionCommand({ executionArn, includedData })),
      await api.client.send(new sfn.DescribeStateMachineCommand({ stateMachineArn, includedData })),
      await api.client.send(new sfn.DescribeStateMachineForExecutionCommand({ executionArn, includedData })),
    ]
    expect(JSON.stringify(described)).not.toMatch(/"(input|output|variableReferences)"/)
    expect(described.slice(1)).toMatchObject([{ definition: '{}' }, { definition: '{}' }])
    await expect(
      api.client.send(new sfn.DescribeExecutionCommand({ executionArn, includedData: 'SOME' as 'ALL_DATA' })),
    ).rejects.toMatchObject({ name: 'ValidationException' })
  })
})

describe('parameters', () => {
  it('keep the trace header', async () => {
    const traceHeader = 'Root=1-5759e988-bd862e3fe1be46a994272793'
    const executionArn = await api.start(await api.create('traced', pass), { traceHeader })
    expect(await api.ended(executionArn)).toMatchObject({ traceHeader })
  })

  // "If you provide a qualified state machine ARN that refers to a Distributed Map state, the request fails with
  // ValidationException": StartExecution and DescribeStateMachine in the API reference
  it('refuse the ARN of a Distributed Map in place of a state machine', async () => {
    const stateMachineArn = `${await api.create('labelled', pass)}/items`
    const refused = [
      new sfn.StartExecutionCommand({ stateMachineArn }),
      new sfn.DescribeStateMachineCommand({ stateMachineArn }),
      new sfn.UpdateStateMachineCommand({ stateMachineArn, definition: pass }),
      new sfn.DeleteStateMachineCommand({ stateMachineArn }),
    ].map(command => api.client.send(command as sfn.StartExecutionCommand))
    for (const { reason } of (await Promise.allSettled(refused)) as PromiseRejectedResult[])
      expect(reason).toMatchObject({
        name: 'ValidationException',
        message: expect.stringContaining("'items'"),
      })
  })

  it('refuse encryption with a key that is not here, and logs without a destination', async () => {
    await expect(
      api.create('encrypted', pass, {
        encryptionConfiguration: { type: 'CUSTOMER_MANAGED_KMS_KEY', kmsKeyId: 'k' },
      }),
    ).rejects.toMatchObject({ name: 'InvalidEncryptionConfiguration' })
    await expect(
      api.create('logged', pass, { loggingConfiguration: { level: 'ALL' } }),
    ).rejects.toMatchObject({
      name: 'InvalidLoggingConfiguration',
      message: 'Invalid Logging Configuration: Must specify exactly one Log Destination.',
    })
  })

  it('may be null, or hold null, and are refused as AWS does', async () => {
    expect(await post('ListStateMachines', 'null')).toMatchObject({ status: 200 })
    expect(await post('StartExecution', 'null')).toMatchObject({
      status: 400,
      __type: 'ValidationException',
      message:
        "1 validation error detected: Value null at 'stateMachineArn' failed to satisfy constraint: Member must not be null",
    })
    const nullTag = JSON.stringify({ resourceArn: await api.create('null-tag', pass), tags: [null] })
    expect(await post('TagResource', nullTag)).toMatchObject({ status: 400, __type: 'ValidationException' })
    expect(await post('ListStateMachines', '[]')).toMatchObject({ __type: 'SerializationException' })
  })

  it.each([
    ['', 'ValidationException'],
    ['x'.repeat(81), 'ValidationException'],
    ['a b', 'InvalidName'],
    ['a:b', 'InvalidName'],
    ['a\u{1f600}b', 'InvalidName'],
    ['a\ud800b', 'InvalidName'],
    ['a\uffff', 'InvalidName'],
  ])('name no execution %j', async (name, refusal) => {
    const stateMachineArn = await api.create('named', pass)
    await expect(api.start(stateMachineArn, { name })).rejects.toMatchObject({ name: refusal })
  })

  it('may name an execution in any language', async () => {
    const executionArn = await api.start(await api.create('named', pass), { name: '注文-é-9' })
    expect(await api.ended(executionArn)).toMatchObject({ name: '注文-é-9', status: 'SUCCEEDED' })
  })

  it('are refused when they are too long, and then nothing has happened', async () => {
    const activityArn = await api.client
      .send(new sfn.CreateActivityCommand({ name: 'long' }))
      .then(created => created.activityArn)
    const stateMachineArn = await api.create(
      'long',
      machine({ T: { Type: 'Task', Resource: activityArn, End: true } }),
    )
    const executionArn = await api.start(stateMachineArn)
    const { taskToken } = await api.client.send(new sfn.GetActivityTaskCommand({ activityArn }))
    const longest = (length: number) => `"${'x'.repeat(length - 2)}"`
    const tooLong = (name: string, max: number) => ({
      name: 'ValidationException',
      message: `1 validation error detected: Value at '${name}' failed to satisfy constraint: Member must have length less than or equal to ${max}`,
    })
    const success = (output: string) => api.client.send(new sfn.SendTaskSuccessCommand({ taskToken, output }))
    const failure = (error: string, cause: string) =>
      api.client.send(new sfn.SendTaskFailureCommand({ taskToken, error, cause }))
    const stop = (error: string, cause: string) =>
      api.client.send(new sfn.StopExecutionCommand({ executionArn, error, cause }))
    await expect(success(longest(262_145))).rejects.toMatchObject(tooLong('output', 262_144))
    await expect(failure('x'.repeat(257), '')).rejects.toMatchObject(tooLong('error', 256))
    await expect(failure('x', 'x'.repeat(32_769))).rejects.toMatchObject(tooLong('cause', 32_768))
    await expect(stop('x'.repeat(257), '')).rejects.toMatchObject(tooLong('error', 256))
    await expect(stop('x', 'x'.repeat(32_769))).rejects.toMatchObject(tooLong('cause', 32_768))
    await success(longest(262_144))
    expect(await api.ended(executionArn)).toMatchObject({ status: 'SUCCEEDED', output: longest(262_144) })
  })
})
