import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as sfn from '@aws-sdk/client-sfn'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StatusChangeEvent, type StepFunctions, startStepFunctions } from './index.ts'

const role = 'arn:aws:iam::000000000000:role/r'
const pass = JSON.stringify({ StartAt: 'P', States: { P: { Type: 'Pass', End: true } } })
function lambda(name: string) {
  return `arn:aws:lambda:us-east-1:000000000000:function:${name}`
}

function machine(states: object, more: object = {}) {
  return JSON.stringify({ StartAt: Object.keys(states)[0], States: states, ...more })
}

let server: StepFunctions
let client: sfn.SFNClient
let directory: string
const events: StatusChangeEvent[] = []
let failNext = false

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-sfn-'))
  const module = join(directory, 'handler.mjs')
  await writeFile(module, 'export const shout = async event => ({ text: String(event.text).toUpperCase() })')
  server = await startStepFunctions({
    dataDirectory: join(directory, 'data'),
    pollSeconds: 1,
    onStatusChange: event => events.push(event),
    functions: {
      double: (event: { n: number }) => ({ n: event.n * 2 }),
      shout: { module, export: 'shout' },
      missing: { module: join(directory, 'none.mjs') },
      slow: { handler: () => new Promise(() => undefined), timeoutSeconds: 0.05 },
      flaky: () => {
        if (failNext) {
          failNext = false
          throw new TypeError('not this time')
        }
        return 'ok'
      },
    },
  })
  client = new sfn.SFNClient(server.clientConfig)
})

afterAll(async () => {
  client.destroy()
  await server.stop()
  await rm(directory, { recursive: true, force: true })
})

async function create(name: string, definition: string, type: sfn.StateMachineType = 'STANDARD') {
  const { stateMachineArn } = await client.send(
    new sfn.CreateStateMachineCommand({ name, definition, roleArn: role, type }),
  )
  return stateMachineArn as string
}

async function start(stateMachineArn: string, input: unknown = {}, name?: string) {
  const { executionArn } = await client.send(
    new sfn.StartExecutionCommand({
      stateMachineArn,
      input: JSON.stringify(input),
      ...(name ? { name } : {}),
    }),
  )
  return executionArn as string
}

function describeExecution(executionArn: string) {
  return client.send(new sfn.DescribeExecutionCommand({ executionArn }))
}

async function waitFor(executionArn: string) {
  return expect
    .poll(() => describeExecution(executionArn), { timeout: 20_000, interval: 10 })
    .not.toMatchObject({ status: 'RUNNING' })
    .then(() => describeExecution(executionArn))
}

function rejection(name: string, message: string | RegExp) {
  return {
    name,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  }
}

describe('state machines', () => {
  it('are created, described, updated, listed and deleted', async () => {
    const arn = await create('crud', pass)
    expect(await create('crud', pass)).toBe(arn)
    const described = await client.send(new sfn.DescribeStateMachineCommand({ stateMachineArn: arn }))
    expect(described).toMatchObject({
      name: 'crud',
      status: 'ACTIVE',
      type: 'STANDARD',
      definition: pass,
      roleArn: role,
    })
    expect(described.creationDate).toBeInstanceOf(Date)
    const definition = machine({ S: { Type: 'Succeed' } })
    const updated = await client.send(new sfn.UpdateStateMachineCommand({ stateMachineArn: arn, definition }))
    expect(updated.updateDate).toBeInstanceOf(Date)
    expect(await client.send(new sfn.DescribeStateMachineCommand({ stateMachineArn: arn }))).toMatchObject({
      definition,
    })
    const { stateMachines } = await client.send(new sfn.ListStateMachinesCommand({}))
    expect(stateMachines?.map(item => item.name)).toContain('crud')
    await client.send(new sfn.DeleteStateMachineCommand({ stateMachineArn: arn }))
    await expect(
      client.send(new sfn.DescribeStateMachineCommand({ stateMachineArn: arn })),
    ).rejects.toMatchObject(rejection('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`))
  })

  it.each([
    [
      { definition: '{' },
      'InvalidDefinition',
      /^Invalid State Machine Definition: 'INVALID_JSON_DESCRIPTION: com\.fasterxml\.jackson\.core\.io\.JsonEOFException: Unexpected end-of-input: [^']+'$/,
    ],
    [
      { definition: '{"StartAt":"X"}' },
      'InvalidDefinition',
      "Invalid State Machine Definition: 'SCHEMA_VALIDATION_FAILED: These fields are required: [States] at /'",
    ],
    [{ name: 'a b' }, 'InvalidName', "Invalid Name: 'a b'"],
    [{ name: 'x'.repeat(81) }, 'ValidationException', /length less than or equal to 80/],
  ])('refuse %#', async (wrong, name, message) => {
    const request = { name: 'refused', definition: pass, roleArn: role, ...wrong }
    await expect(client.send(new sfn.CreateStateMachineCommand(request))).rejects.toMatchObject(
      rejection(name, message),
    )
  })

  it('refuse a second definition under the same name', async () => {
    const arn = await create('taken', pass)
    await expect(create('taken', machine({ S: { Type: 'Succeed' } }))).rejects.toMatchObject(
      rejection('StateMachineAlreadyExists', `State Machine Already Exists: '${arn}'`),
    )
  })

  it('refuse an update of nothing and a wrong ARN', async () => {
    const arn = await create('still', pass)
    await expect(
      client.send(new sfn.UpdateStateMachineCommand({ stateMachineArn: arn })),
    ).rejects.toMatchObject({
      name: 'MissingRequiredParameter',
    })
    await expect(
      client.send(
        new sfn.DescribeStateMachineCommand({ stateMachineArn: arn.replace('stateMachine', 'activity') }),
      ),
    ).rejects.toMatchObject({ name: 'InvalidArn' })
  })

  it('are validated without being created', async () => {
    expect(
      await client.send(new sfn.ValidateStateMachineDefinitionCommand({ definition: pass })),
    ).toMatchObject({
      result: 'OK',
      diagnostics: [],
      truncated: false,
    })
    expect(
      await client.send(new sfn.ValidateStateMachineDefinitionCommand({ definition: '{}' })),
    ).toMatchObject({
      result: 'FAIL',
      diagnostics: [{ severity: 'ERROR', code: 'SCHEMA_VALIDATION_FAILED', location: '/' }],
    })
  })

  it('carry tags, as activities do', async () => {
    const arn = await create('tagged', pass)
    const tagsOf = async () =>
      (await client.send(new sfn.ListTagsForResourceCommand({ resourceArn: arn }))).tags
    await client.send(
      new sfn.TagResourceCommand({
        resourceArn: arn,
        tags: [
          { key: 'a', value: '1' },
          { key: 'b', value: '2' },
        ],
      }),
    )
    await client.send(new sfn.UntagResourceCommand({ resourceArn: arn, tagKeys: ['a'] }))
    expect(await tagsOf()).toEqual([{ key: 'b', value: '2' }])
    const { activityArn: resourceArn } = await client.send(
      new sfn.CreateActivityCommand({ name: 'tagged', tags: [{ key: 'c', value: '3' }] }),
    )
    await client.send(new sfn.TagResourceCommand({ resourceArn, tags: [{ key: 'd', value: '4' }] }))
    const { tags } = await client.send(new sfn.ListTagsForResourceCommand({ resourceArn }))
    expect(tags).toEqual([
      { key: 'c', value: '3' },
      { key: 'd', value: '4' },
    ])
  })
})

describe('executions', () => {
  it('run functions of this process and of modules', async () => {
    const arn = await create(
      'functions',
      machine({
        Double: { Type: 'Task', Resource: lambda('double'), Next: 'Shout' },
        Shout: {
          Type: 'Task',
          Resource: 'arn:aws:states:::lambda:invoke',
          Parameters: { FunctionName: 'shout', Payload: { text: 'hey' } },
          ResultSelector: { 'text.$': '$.Payload.text' },
          ResultPath: '$.shouted',
          End: true,
        },
      }),
    )
    const done = await waitFor(await start(arn, { n: 21 }, 'first'))
    expect(done).toMatchObject({ status: 'SUCCEEDED', name: 'first', redriveStatus: 'NOT_REDRIVABLE' })
    expect(JSON.parse(done.output ?? '')).toEqual({ n: 42, shouted: { text: 'HEY' } })
  })

  it('report a function that times out or cannot be loaded by its own name', async () => {
    const arn = await create(
      'bad-functions',
      machine({
        Which: {
          Type: 'Choice',
          Choices: [{ Variable: '$.slow', BooleanEquals: true, Next: 'Slow' }],
          Default: 'Missing',
        },
        Slow: { Type: 'Task', Resource: lambda('slow'), End: true },
        Missing: { Type: 'Task', Resource: lambda('missing'), End: true },
      }),
    )
    expect(await waitFor(await start(arn, { slow: true }))).toMatchObject({
      status: 'FAILED',
      error: 'Sandbox.Timedout',
    })
    expect(await waitFor(await start(arn, { slow: false }))).toMatchObject({
      error: 'Runtime.ImportModuleError',
    })
  })

  it('are idempotent by name as AWS is', async () => {
    const arn = await create('waits', machine({ W: { Type: 'Wait', Seconds: 3600, End: true } }))
    const first = await start(arn, { a: 1 }, 'same')
    expect(await start(arn, { a: 1 }, 'same')).toBe(first)
    await expect(start(arn, { a: 2 }, 'same')).rejects.toMatchObject(
      rejection('ExecutionAlreadyExists', `Execution Already Exists: '${first}'`),
    )
    const stopped = await client.send(
      new sfn.StopExecutionCommand({ executionArn: first, error: 'E', cause: 'C' }),
    )
    expect(stopped.stopDate).toBeInstanceOf(Date)
    expect(await describeExecution(first)).toMatchObject({ status: 'ABORTED', error: 'E', cause: 'C' })
    await expect(start(arn, { a: 1 }, 'same')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' })
  })

  it('refuse a bad name, bad input and an unknown machine', async () => {
    const arn = await create('inputs', pass)
    await expect(start(arn, {}, 'a/b')).rejects.toMatchObject({ name: 'InvalidName' })
    await expect(
      client.send(new sfn.StartExecutionCommand({ stateMachineArn: arn, input: '{' })),
    ).rejects.toMatchObject(
      rejection(
        'InvalidExecutionInput',
        /^Invalid State Machine Execution Input: 'com\.fasterxml\.jackson\.core\.io\.JsonEOFException: Unexpected end-of-input: [^']+'$/,
      ),
    )
    await expect(start(`${arn}x`)).rejects.toMatchObject({ name: 'StateMachineDoesNotExist' })
    await expect(
      describeExecution(arn.replace('stateMachine', 'execution').concat(':x')),
    ).rejects.toMatchObject({
      name: 'ExecutionDoesNotExist',
    })
  })

  it('show their history in pages, in both directions, with and without data', async () => {
    const arn = await create(
      'history',
      machine({ A: { Type: 'Pass', Assign: { v: 'secret' }, Next: 'B' }, B: { Type: 'Pass', End: true } }),
    )
    const executionArn = await start(arn, { secret: 1 })
    await waitFor(executionArn)
    const types: (string | undefined)[] = []
    for await (const page of sfn.paginateGetExecutionHistory({ client, pageSize: 2 }, { executionArn })) {
      expect(page.events?.length).toBeLessThanOrEqual(2)
      types.push(...(page.events ?? []).map(event => event.type))
    }
    expect(types).toEqual([
      'ExecutionStarted',
      'PassStateEntered',
      'PassStateExited',
      'PassStateEntered',
      'PassStateExited',
      'ExecutionSucceeded',
    ])
    const backwards = await client.send(
      new sfn.GetExecutionHistoryCommand({ executionArn, reverseOrder: true, includeExecutionData: false }),
    )
    expect(backwards.events?.[0]?.type).toBe('ExecutionSucceeded')
    expect(JSON.stringify(backwards.events)).not.toContain('secret')
    expect(backwards.events?.[0]?.timestamp).toBeInstanceOf(Date)
  })

  it('are listed by status, in pages', async () => {
    const arn = await create('listed', machine({ F: { Type: 'Fail', Error: 'No' } }))
    for (const name of ['a', 'b', 'c']) await waitFor(await start(arn, {}, name))
    const failed = await client.send(
      new sfn.ListExecutionsCommand({ stateMachineArn: arn, statusFilter: 'FAILED', maxResults: 2 }),
    )
    expect(failed.executions).toHaveLength(2)
    const rest = await client.send(
      new sfn.ListExecutionsCommand({
        stateMachineArn: arn,
        statusFilter: 'FAILED',
        nextToken: failed.nextToken,
      }),
    )
    expect(rest.executions).toHaveLength(1)
    const none = await client.send(
      new sfn.ListExecutionsCommand({ stateMachineArn: arn, statusFilter: 'SUCCEEDED' }),
    )
    expect(none.executions).toEqual([])
    await expect(
      client.send(new sfn.ListExecutionsCommand({ stateMachineArn: arn, nextToken: 'nonsense' })),
    ).rejects.toMatchObject({ name: 'InvalidToken' })
  })

  it('are redriven from where they failed, and only if they did', async () => {
    const arn = await create(
      'redriven',
      machine({
        A: { Type: 'Pass', Result: { kept: 1 }, Next: 'B' },
        B: { Type: 'Task', Resource: lambda('flaky'), ResultPath: '$.b', End: true },
      }),
    )
    failNext = true
    const executionArn = await start(arn)
    expect(await waitFor(executionArn)).toMatchObject({
      status: 'FAILED',
      error: 'TypeError',
      redriveStatus: 'REDRIVABLE',
    })
    const { redriveDate } = await client.send(new sfn.RedriveExecutionCommand({ executionArn }))
    expect(redriveDate).toBeInstanceOf(Date)
    const done = await waitFor(executionArn)
    expect(done).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1, output: '{"kept":1,"b":"ok"}' })
    await expect(client.send(new sfn.RedriveExecutionCommand({ executionArn }))).rejects.toMatchObject(
      rejection('ExecutionNotRedrivable', 'Execution is SUCCEEDED and cannot be redriven'),
    )
  })

  it('keep the definition that they were started with', async () => {
    const arn = await create('changed', machine({ W: { Type: 'Wait', Seconds: 3600, End: true } }))
    const executionArn = await start(arn)
    await client.send(new sfn.UpdateStateMachineCommand({ stateMachineArn: arn, definition: pass }))
    const { definition } = await client.send(
      new sfn.DescribeStateMachineForExecutionCommand({ executionArn }),
    )
    expect(definition).toContain('3600')
    await client.send(new sfn.StopExecutionCommand({ executionArn }))
  })

  it('start others and wait for them', async () => {
    const inner = await create('inner', machine({ P: { Type: 'Pass', Result: { inner: true }, End: true } }))
    const nested = (pattern: string) => ({
      Type: 'Task',
      Resource: `arn:aws:states:::states:startExecution${pattern}`,
      Parameters: { StateMachineArn: inner, Input: { from: 'outer' } },
      OutputPath: '$.Output',
      End: true,
    })
    const sync = await waitFor(await start(await create('outer-sync', machine({ N: nested('.sync') }))))
    expect(JSON.parse(sync.output ?? '')).toBe('{"inner":true}')
    const sync2 = await waitFor(await start(await create('outer-sync2', machine({ N: nested('.sync:2') }))))
    expect(JSON.parse(sync2.output ?? '')).toEqual({ inner: true })
    const broken = await create('inner-fails', machine({ F: { Type: 'Fail', Error: 'Inner' } }))
    const outer = { ...nested('.sync:2'), Parameters: { StateMachineArn: broken, Input: {} } }
    const failed = await waitFor(await start(await create('outer-fails', machine({ N: outer }))))
    expect(failed).toMatchObject({ status: 'FAILED', error: 'States.TaskFailed' })
    expect(JSON.parse(failed.cause ?? '')).toMatchObject({ Error: 'Inner', Status: 'FAILED' })
  })

  it('of Express machines answer at once', async () => {
    const arn = await create(
      'express',
      machine({ D: { Type: 'Task', Resource: lambda('double'), End: true } }),
      'EXPRESS',
    )
    const answer = await client.send(
      new sfn.StartSyncExecutionCommand({ stateMachineArn: arn, input: '{"n":4}', name: 'quick' }),
    )
    expect(answer).toMatchObject({ status: 'SUCCEEDED', output: '{"n":8}', name: 'quick' })
    expect(answer.executionArn).toContain(':express:express:quick:')
    const standard = await create('not-express', pass)
    await expect(
      client.send(new sfn.StartSyncExecutionCommand({ stateMachineArn: standard })),
    ).rejects.toMatchObject({ name: 'StateMachineTypeNotSupported' })
  })

  it('tell EventBridge and CloudWatch what became of them', async () => {
    const arn = await create('observed', machine({ F: { Type: 'Fail', Error: 'Seen' } }))
    const executionArn = await start(arn)
    await waitFor(executionArn)
    const mine = events.filter(event => event.detail.executionArn === executionArn)
    expect(mine.map(event => event.detail.status)).toEqual(['RUNNING', 'FAILED'])
    expect(mine[1]).toMatchObject({
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      detail: { error: 'Seen' },
    })
    expect(server.metrics(arn)).toMatchObject({
      ExecutionsStarted: 1,
      ExecutionsFailed: 1,
      ExecutionsSucceeded: 0,
    })
    expect(server.metrics(arn).ExecutionTime).toHaveLength(1)
  })
})

describe('map runs', () => {
  it('are listed and described', async () => {
    const arn = await create(
      'mapped',
      machine({
        M: {
          Type: 'Map',
          ToleratedFailureCount: 1,
          ItemProcessor: {
            ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
            StartAt: 'C',
            States: {
              C: { Type: 'Choice', Choices: [{ Variable: '$', NumericEquals: 2, Next: 'F' }], Default: 'P' },
              P: { Type: 'Pass', End: true },
              F: { Type: 'Fail', Error: 'Two' },
            },
          },
          End: true,
        },
      }),
    )
    const executionArn = await start(arn, [1, 2, 3])
    expect(await waitFor(executionArn)).toMatchObject({ status: 'SUCCEEDED', output: '[1,3]' })
    const { mapRuns } = await client.send(new sfn.ListMapRunsCommand({ executionArn }))
    const mapRunArn = mapRuns?.[0]?.mapRunArn
    expect(await client.send(new sfn.DescribeMapRunCommand({ mapRunArn }))).toMatchObject({
      status: 'SUCCEEDED',
      toleratedFailureCount: 1,
      itemCounts: { total: 3, succeeded: 2, failed: 1, running: 0 },
    })
  })
})

describe('activities and callbacks', () => {
  it('hand a task to a worker and take its answer', async () => {
    const { activityArn } = await client.send(new sfn.CreateActivityCommand({ name: 'pack' }))
    expect(await client.send(new sfn.DescribeActivityCommand({ activityArn }))).toMatchObject({
      name: 'pack',
    })
    const { activities } = await client.send(new sfn.ListActivitiesCommand({}))
    expect(activities?.map(activity => activity.name)).toContain('pack')
    const arn = await create(
      'packs',
      machine({ T: { Type: 'Task', Resource: activityArn, HeartbeatSeconds: 60, End: true } }),
    )
    const polling = client.send(new sfn.GetActivityTaskCommand({ activityArn, workerName: 'w' }))
    const executionArn = await start(arn, { box: 1 })
    const { taskToken, input } = await polling
    expect(input).toBe('{"box":1}')
    await client.send(new sfn.SendTaskHeartbeatCommand({ taskToken }))
    await expect(
      client.send(new sfn.SendTaskSuccessCommand({ taskToken, output: 'packed' })),
    ).rejects.toMatchObject(
      rejection(
        'InvalidOutput',
        /^Invalid Output: 'com\.fasterxml\.jackson\.core\.JsonParseException: Unrecognized token 'packed': /,
      ),
    )
    await client.send(new sfn.SendTaskSuccessCommand({ taskToken, output: '{"packed":true}' }))
    expect(await waitFor(executionArn)).toMatchObject({ status: 'SUCCEEDED', output: '{"packed":true}' })
    await expect(
      client.send(new sfn.SendTaskSuccessCommand({ taskToken, output: '1' })),
    ).rejects.toMatchObject({
      name: 'TaskTimedOut',
    })
    await client.send(new sfn.DeleteActivityCommand({ activityArn }))
    await expect(client.send(new sfn.DescribeActivityCommand({ activityArn }))).rejects.toMatchObject({
      name: 'ActivityDoesNotExist',
    })
  })

  it('let a worker report a failure, and a poll find nothing', async () => {
    const { activityArn } = await client.send(new sfn.CreateActivityCommand({ name: 'fails' }))
    const empty = await client.send(new sfn.GetActivityTaskCommand({ activityArn }))
    expect(empty.taskToken).toBeUndefined()
    const executionArn = await start(
      await create('worker-fails', machine({ T: { Type: 'Task', Resource: activityArn, End: true } })),
    )
    const { taskToken } = await client.send(new sfn.GetActivityTaskCommand({ activityArn }))
    await client.send(new sfn.SendTaskFailureCommand({ taskToken, error: 'Torn', cause: 'wet box' }))
    expect(await waitFor(executionArn)).toMatchObject({ status: 'FAILED', error: 'Torn', cause: 'wet box' })
  })

  it('refuse a token that nobody gave out', async () => {
    await expect(
      client.send(new sfn.SendTaskHeartbeatCommand({ taskToken: 'made-up' })),
    ).rejects.toMatchObject(rejection('InvalidToken', "Invalid Token: 'Invalid token'"))
  })
})

describe('TestState', () => {
  it('runs one state with a mock', async () => {
    const answer = await client.send(
      new sfn.TestStateCommand({
        definition: JSON.stringify({
          Type: 'Task',
          Resource: 'arn:aws:states:::sqs:sendMessage',
          ResultPath: '$.sent',
          Next: 'N',
        }),
        input: '{"a":1}',
        inspectionLevel: 'DEBUG',
        mock: { result: '{"MessageId":"m"}' },
      }),
    )
    expect(answer).toMatchObject({
      status: 'SUCCEEDED',
      nextState: 'N',
      output: '{"a":1,"sent":{"MessageId":"m"}}',
    })
    expect(answer.inspectionData).toMatchObject({
      input: '{"a":1}',
      afterResultSelector: '{"MessageId":"m"}',
    })
  })

  it('refuses what AWS refuses', async () => {
    await expect(
      client.send(
        new sfn.TestStateCommand({
          definition: '{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","End":true}',
        }),
      ),
    ).rejects.toMatchObject(
      rejection('ValidationException', 'RoleArn must be specified when testing a Task state'),
    )
  })
})

describe('throttling', () => {
  it('refuses executions beyond the bucket and slows transitions down', async () => {
    let nowMs = 1_000_000
    await using throttled = await startStepFunctions({
      now: () => nowMs,
      throttling: { startExecution: { size: 2, refillPerSecond: 1 } },
    })
    const own = new sfn.SFNClient({ ...throttled.clientConfig, maxAttempts: 1 })
    const { stateMachineArn } = await own.send(
      new sfn.CreateStateMachineCommand({ name: 'm', definition: pass, roleArn: role }),
    )
    const startOne = () => own.send(new sfn.StartExecutionCommand({ stateMachineArn }))
    await startOne()
    await startOne()
    await expect(startOne()).rejects.toMatchObject({ name: 'ThrottlingException' })
    nowMs += 1000
    await startOne()
    expect(throttled.metrics(stateMachineArn as string)).toMatchObject({
      ExecutionThrottled: 1,
      ExecutionsStarted: 3,
    })
    own.destroy()
  })
})

describe('throttled transitions', () => {
  it('wait for their token', async () => {
    await using throttled = await startStepFunctions({
      throttling: { stateTransition: { size: 1, refillPerSecond: 50 } },
    })
    const own = new sfn.SFNClient(throttled.clientConfig)
    const definition = machine({
      A: { Type: 'Pass', Next: 'B' },
      B: { Type: 'Pass', Next: 'C' },
      C: { Type: 'Pass', End: true },
    })
    const { stateMachineArn = '' } = await own.send(
      new sfn.CreateStateMachineCommand({ name: 'm', definition, roleArn: role }),
    )
    const { executionArn } = await own.send(new sfn.StartExecutionCommand({ stateMachineArn }))
    await expect
      .poll(() => own.send(new sfn.DescribeExecutionCommand({ executionArn })), { timeout: 20_000 })
      .toMatchObject({ status: 'SUCCEEDED' })
    expect(throttled.metrics(stateMachineArn).ExecutionThrottled).toBeGreaterThan(0)
    own.destroy()
  })
})

describe('a restart', () => {
  it('keeps everything and goes on with what was running', async () => {
    const place = join(directory, 'restarted')
    let release: (() => void) | undefined
    const options = {
      dataDirectory: place,
      functions: {
        gate: () =>
          new Promise<string>(resolve => {
            release = () => resolve('open')
          }),
      },
    }
    const first = await startStepFunctions({
      ...options,
      functions: { gate: { handler: options.functions.gate, timeoutSeconds: 60 } },
    })
    const before = new sfn.SFNClient(first.clientConfig)
    const definition = machine({
      A: { Type: 'Pass', Result: { kept: true }, Next: 'B' },
      B: { Type: 'Task', Resource: lambda('gate'), ResultPath: '$.b', End: true },
    })
    const { stateMachineArn } = await before.send(
      new sfn.CreateStateMachineCommand({ name: 'm', definition, roleArn: role }),
    )
    const { executionArn } = await before.send(
      new sfn.StartExecutionCommand({ stateMachineArn, name: 'run' }),
    )
    await before.send(new sfn.CreateActivityCommand({ name: 'kept' }))
    before.destroy()
    await first.stop()

    await using second = await startStepFunctions({
      dataDirectory: place,
      functions: { gate: () => 'open again' },
    })
    const after = new sfn.SFNClient(second.clientConfig)
    await expect
      .poll(() => after.send(new sfn.DescribeExecutionCommand({ executionArn })), { timeout: 20_000 })
      .toMatchObject({ status: 'SUCCEEDED', output: '{"kept":true,"b":"open again"}' })
    const { activities } = await after.send(new sfn.ListActivitiesCommand({}))
    expect(activities).toHaveLength(1)
    const { events: history } = await after.send(new sfn.GetExecutionHistoryCommand({ executionArn }))
    expect(history?.map(event => event.id)).toEqual(history?.map((_, index) => index + 1))
    after.destroy()
    release?.()
  })
})
