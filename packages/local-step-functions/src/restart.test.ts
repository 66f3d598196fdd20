import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as sfn from '@aws-sdk/client-sfn'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type StepFunctions, startStepFunctions } from './step-functions.ts'
import type { StepFunctionsOptions } from './step-functions-options.ts'

const role = 'arn:aws:iam::000000000000:role/r'
const work = 'arn:aws:lambda:us-east-1:000000000000:function:work'

function never() {
  return new Promise(() => undefined)
}

let dataDirectory: string
let server: StepFunctions
let client: sfn.SFNClient

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'stepwright-restart-'))
})

afterEach(async () => {
  await stop()
  await rm(dataDirectory, { recursive: true, force: true })
})

async function start(options: StepFunctionsOptions = {}): Promise<void> {
  server = await startStepFunctions({ dataDirectory, graceSeconds: 0, ...options })
  client = new sfn.SFNClient(server.clientConfig)
}

async function stop(): Promise<void> {
  client.destroy()
  await server.stop()
}

async function restart(options: StepFunctionsOptions = {}): Promise<void> {
  await stop()
  await start(options)
}

async function run(name: string, states: Record<string, object>, input: unknown = {}): Promise<string> {
  const definition = JSON.stringify({ StartAt: Object.keys(states)[0], States: states })
  const { stateMachineArn } = await client.send(
    new sfn.CreateStateMachineCommand({ name, definition, roleArn: role }),
  )
  const { executionArn = '' } = await client.send(
    new sfn.StartExecutionCommand({ stateMachineArn, name: 'x', input: JSON.stringify(input) }),
  )
  return executionArn
}

async function ended(executionArn: string) {
  const describe = () => client.send(new sfn.DescribeExecutionCommand({ executionArn }))
  await expect.poll(describe, { timeout: 20_000, interval: 10 }).not.toMatchObject({ status: 'RUNNING' })
  return describe()
}

async function historyOf(executionArn: string): Promise<string[]> {
  const { events = [] } = await client.send(new sfn.GetExecutionHistoryCommand({ executionArn }))
  return events.map(({ type = '' }) => type)
}

describe('after a restart', () => {
  it('a callback still counts, and its message is not sent again', async () => {
    const sent: string[] = []
    const services: StepFunctionsOptions['services'] = ({ taskToken }) => {
      sent.push(taskToken)
      return { MessageId: '1' }
    }
    await start({ services })
    const executionArn = await run('callback', {
      Ask: {
        Type: 'Task',
        Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
        Parameters: { 'Body.$': '$$.Task.Token' },
        HeartbeatSeconds: 60,
        End: true,
      },
    })
    await expect.poll(() => historyOf(executionArn)).toContain('TaskSubmitted')
    await restart({ services })
    const [taskToken] = sent
    await client.send(new sfn.SendTaskHeartbeatCommand({ taskToken }))
    await client.send(new sfn.SendTaskSuccessCommand({ taskToken, output: '"answer"' }))
    expect(await ended(executionArn)).toMatchObject({ status: 'SUCCEEDED', output: '"answer"' })
    expect(sent).toHaveLength(1)
  })

  it('a nested execution is waited for, and not started again', async () => {
    await start({ functions: { work: { handler: never, timeoutSeconds: 60 } } })
    const child = await run('child', { T: { Type: 'Task', Resource: work, End: true } })
    const parent = await run('parent', {
      Nested: {
        Type: 'Task',
        Resource: 'arn:aws:states:::states:startExecution.sync:2',
        Parameters: {
          StateMachineArn: child.replace(':execution:', ':stateMachine:').replace(/:x$/, ''),
          Input: {},
        },
        OutputPath: '$.Output',
        End: true,
      },
    })
    await expect.poll(() => historyOf(parent)).toContain('TaskSubmitted')
    await restart({ functions: { work: () => 'done' } })
    expect(await ended(parent)).toMatchObject({ status: 'SUCCEEDED', output: '"done"' })
    const { executions } = await client.send(
      new sfn.ListExecutionsCommand({
        stateMachineArn: child.replace(':execution:', ':stateMachine:').replace(/:x$/, ''),
      }),
    )
    expect(executions?.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED'])
  })

  it('an activity that no worker has taken is offered again, one that is taken is waited for', async () => {
    await start({ pollSeconds: 5 })
    const { activityArn } = await client.send(new sfn.CreateActivityCommand({ name: 'a' }))
    const executionArn = await run('work', {
      A: { Type: 'Task', Resource: activityArn ?? '', Next: 'B' },
      B: { Type: 'Task', Resource: activityArn ?? '', End: true },
    })
    await restart({ pollSeconds: 5 })
    const first = await client.send(new sfn.GetActivityTaskCommand({ activityArn }))
    await restart({ pollSeconds: 5 })
    await client.send(new sfn.SendTaskSuccessCommand({ taskToken: first.taskToken, output: '1' }))
    const second = await client.send(new sfn.GetActivityTaskCommand({ activityArn }))
    expect(second.taskToken).not.toBe(first.taskToken)
    await client.send(new sfn.SendTaskSuccessCommand({ taskToken: second.taskToken, output: '2' }))
    expect(await ended(executionArn)).toMatchObject({ status: 'SUCCEEDED', output: '2' })
    expect((await historyOf(executionArn)).filter(type => type === 'ActivityStarted')).toHaveLength(2)
  })

  it('nothing runs until the server is told to', async () => {
    await start({ functions: { work: { handler: never, timeoutSeconds: 60 } } })
    const executionArn = await run('m', { T: { Type: 'Task', Resource: work, End: true } })
    const calls: unknown[] = []
    await restart({ paused: true, functions: { work: () => calls.push('called') } })
    const { stateMachineArn } = await client.send(new sfn.DescribeExecutionCommand({ executionArn }))
    await client.send(new sfn.StartExecutionCommand({ stateMachineArn, name: 'y' }))
    expect(calls).toEqual([])
    server.run()
    expect(await ended(executionArn)).toMatchObject({ status: 'SUCCEEDED' })
    await ended(executionArn.replace(/x$/, 'y'))
    expect(calls).toHaveLength(2)
  })

  it('a Map run goes on under its name, with what it had done', async () => {
    const done: unknown[] = []
    const handler = async (item: { n: number }) => {
      if (item.n > 2 && done.length < 3) return never()
      done.push(item.n)
      return item.n
    }
    const functions = { work: { handler, timeoutSeconds: 60 } }
    await start({ functions })
    const executionArn = await run(
      'map',
      {
        M: {
          Type: 'Map',
          MaxConcurrency: 1,
          ItemProcessor: {
            ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
            StartAt: 'T',
            States: { T: { Type: 'Task', Resource: work, End: true } },
          },
          End: true,
        },
      },
      [{ n: 1 }, { n: 2 }, { n: 3 }],
    )
    await expect.poll(() => done).toEqual([1, 2])
    const runsOf = async () =>
      (await client.send(new sfn.ListMapRunsCommand({ executionArn }))).mapRuns?.map(run => run.mapRunArn)
    const before = await runsOf()
    done.push('restarted')
    await restart({ functions })
    expect(await ended(executionArn)).toMatchObject({ status: 'SUCCEEDED', output: '[1,2,3]' })
    expect(done).toEqual([1, 2, 'restarted', 3])
    expect(await runsOf()).toEqual(before)
    const [mapRunArn] = before ?? []
    expect(await client.send(new sfn.DescribeMapRunCommand({ mapRunArn }))).toMatchObject({
      status: 'SUCCEEDED',
      itemCounts: { succeeded: 3, total: 3, running: 0 },
    })
  })
})
