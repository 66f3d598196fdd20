import { setTimeout as sleep } from 'node:timers/promises'
import * as sfn from '@aws-sdk/client-sfn'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StatusChangeEvent, type StepFunctions, startStepFunctions } from '../../index.ts'

type End = StatusChangeEvent['detail']

let server: StepFunctions
let client: sfn.SFNClient
const waiting = new Map<string, (end: End) => void>()
const crawling = Promise.withResolvers<void>()
const aborted = Promise.withResolvers<void>()

function died() {
  return Object.assign(new Error('the process ended'), { name: 'Runtime.ExitError' })
}

beforeAll(async () => {
  server = await startStepFunctions({
    onStatusChange: ({ detail }) => {
      if (detail.status !== 'RUNNING') waiting.get(detail.name)?.(detail)
    },
    standIns: {
      'glue:startJobRun': async ({ Arguments: { how } }) => {
        if (how === 'fail') return { JobRunState: 'FAILED', ErrorMessage: 'no rows' }
        if (how === 'refuse') {
          throw Object.assign(new Error('too many'), { name: 'Glue.ConcurrentRunsExceededException' })
        }
        if (how === 'die') throw died()
        return { ExecutionTime: 7 }
      },
      'batch:submitJob': ({ Parameters }) => ({ Status: Parameters?.status ?? 'SUCCEEDED' }),
      'ecs:runTask': ({ Overrides }) => ({ Containers: [{ Name: 'main', ExitCode: Overrides.code }] }),
      'sagemaker:createTrainingJob': ({ Status }) => Status && { TrainingJobStatus: Status },
      'athena:startQueryExecution': () => ({ QueryExecution: { Status: { State: 'SUCCEEDED' } } }),
      'aws-sdk:glue:getCrawler': ({ Name }) => {
        if (Name === 'dying') throw died()
        return { Crawler: { Name, State: 'READY' } }
      },
      'aws-sdk:glue:startCrawler': async (_parameters, { signal }) => {
        signal.addEventListener('abort', () => aborted.resolve())
        crawling.resolve()
        await sleep(60_000, undefined, { signal })
      },
    },
  })
  client = new sfn.SFNClient(server.clientConfig)
})
afterAll(async () => {
  client.destroy()
  await server.stop()
})

let count = 0
async function start(resource: string, parameters: object, more: object = {}, others: object = {}) {
  const name = `m${count}`
  count += 1
  const states = {
    Call: {
      Type: 'Task',
      Resource: `arn:aws:states:::${resource}`,
      Parameters: parameters,
      End: true,
      ...more,
    },
    ...others,
  }
  const definition = JSON.stringify({ StartAt: 'Call', States: states })
  const roleArn = 'arn:aws:iam::000000000000:role/r'
  const { stateMachineArn } = await client.send(
    new sfn.CreateStateMachineCommand({ name, definition, roleArn }),
  )
  const ended = new Promise<End>(resolve => waiting.set(name, resolve))
  const { executionArn } = await client.send(new sfn.StartExecutionCommand({ stateMachineArn, name }))
  return { ended, executionArn }
}

async function run(...given: Parameters<typeof start>) {
  const { ended, executionArn } = await start(...given)
  const { status, output, error, cause } = await ended
  return { executionArn, status, error, cause, output: output == null ? undefined : JSON.parse(output) }
}

describe('stand-ins', () => {
  it('are jobs with .sync, described as AWS does', async () => {
    const glue = await run('glue:startJobRun.sync', { JobName: 'etl', Arguments: { how: 'well' } })
    expect(glue).toMatchObject({
      status: 'SUCCEEDED',
      output: {
        JobName: 'etl',
        JobRunState: 'SUCCEEDED',
        ExecutionTime: 7,
        Id: expect.stringMatching(/^jr_/),
      },
    })
    const { events = [] } = await client.send(
      new sfn.GetExecutionHistoryCommand({ executionArn: glue.executionArn }),
    )
    const submitted = events.find(({ type }) => type === 'TaskSubmitted')?.taskSubmittedEventDetails
    expect(JSON.parse(submitted?.output ?? '')).toEqual({ JobRunId: glue.output.Id })
  })

  it.each([
    ['batch:submitJob.sync', { JobName: 'b', JobQueue: 'q' }, { JobName: 'b', Status: 'SUCCEEDED' }],
    [
      'ecs:runTask.sync',
      { Cluster: 'c', Overrides: { code: 0 } },
      { LastStatus: 'STOPPED', TaskArn: expect.stringMatching(/^arn:aws:ecs:us-east-1:0+:task\/c\//) },
    ],
    [
      'sagemaker:createTrainingJob.sync',
      { TrainingJobName: 't' },
      {
        TrainingJobName: 't',
        TrainingJobStatus: 'Completed',
        TrainingJobArn: 'arn:aws:sagemaker:us-east-1:000000000000:training-job/t',
      },
    ],
    ['athena:startQueryExecution.sync', {}, { QueryExecution: { Status: { State: 'SUCCEEDED' } } }],
    ['aws-sdk:glue:getCrawler', { Name: 'c' }, { Crawler: { Name: 'c', State: 'READY' } }],
    ['glue:startJobRun', { Arguments: { how: 'well' } }, { ExecutionTime: 7 }],
  ])('answer %s', async (resource, parameters, output) => {
    expect(await run(resource, parameters)).toMatchObject({ status: 'SUCCEEDED', output })
  })

  it.each([
    [
      'glue:startJobRun.sync',
      { JobName: 'e', Arguments: { how: 'fail' } },
      { JobName: 'e', JobRunState: 'FAILED' },
    ],
    ['glue:startJobRun.sync', { Arguments: { how: 'die' } }, { ErrorMessage: 'the process ended' }],
    ['batch:submitJob.sync', { Parameters: { status: 'FAILED' } }, { Status: 'FAILED' }],
    ['ecs:runTask.sync', { Overrides: { code: 1 } }, { Containers: [{ Name: 'main', ExitCode: 1 }] }],
    ['sagemaker:createTrainingJob.sync', { Status: 'Stopped' }, { TrainingJobStatus: 'Stopped' }],
  ])('fail %s with the job as the cause', async (resource, parameters, job) => {
    const { status, error, cause } = await run(resource, parameters)
    expect([status, error]).toEqual(['FAILED', 'States.TaskFailed'])
    expect(JSON.parse(cause ?? '')).toMatchObject(job)
  })

  it('fail by the name of what they throw', async () => {
    expect(await run('glue:startJobRun.sync', { Arguments: { how: 'refuse' } })).toMatchObject({
      error: 'Glue.ConcurrentRunsExceededException',
      cause: 'too many',
    })
    expect(await run('aws-sdk:glue:getCrawler', { Name: 'dying' })).toMatchObject({
      error: 'Glue.SdkClientException',
      cause: 'the process ended',
    })
  })

  it('hear that nobody waits any more', async () => {
    const { executionArn } = await start('aws-sdk:glue:startCrawler', {})
    await crawling.promise
    await client.send(new sfn.StopExecutionCommand({ executionArn }))
    await aborted.promise
  })

  it('are asked for, in words, where there is none, whatever is caught', async () => {
    const { status, error, cause } = await run(
      'codebuild:startBuild.sync',
      {},
      { Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }] },
      { Caught: { Type: 'Pass', End: true } },
    )
    expect([status, error]).toEqual(['FAILED', 'States.Runtime'])
    expect(cause).toContain(
      "standIns: { 'codebuild:startBuild': { module: 'src/stand-ins.ts', export: 'startBuild' } }",
    )
  })
})
