import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { compare, figure, sendAll } from '@stepwright/bench'
import { startServer } from './server-process.ts'

const perRound = 5000
const manyExecutions = 50_000
const manyRunning = 10_000
function calling(action: string): Record<string, string> {
  return { 'x-amz-target': `AWSStepFunctions.${action}`, 'content-type': 'application/x-amz-json-1.0' }
}

const starting = calling('StartExecution')
const prefix = 'arn:aws:states:us-east-1:000000000000'

function createMachine(endpoint: string, name: string, state: object): Promise<void> {
  const definition = JSON.stringify({ StartAt: 'S', States: { S: state } })
  const body = JSON.stringify({ name, definition, roleArn: 'arn:aws:iam::000000000000:role/r' })
  return sendAll(endpoint, 1, () => body, calling('CreateStateMachine'))
}

function startOf(machine: string, name: string): string {
  return JSON.stringify({
    stateMachineArn: `${prefix}:stateMachine:${machine}`,
    name,
    input: JSON.stringify({ orderId: name, amount: 12 }),
  })
}

const directory = await mkdtemp(join(tmpdir(), 'stepwright-sfn-bench-'))
try {
  {
    let count = 0
    const coldStart = async (kind: 'bare' | 'step-functions'): Promise<void> => {
      count += 1
      await using _ = await startServer(kind, kind === 'bare' ? directory : join(directory, `cold-${count}`))
    }
    const starts = await compare('from a new process to its first answer', {
      bare: () => coldStart('bare'),
      ours: () => coldStart('step-functions'),
    })
    figure('sfn.cold_start.vs_bare', starts.ours.medianMs / starts.bare.medianMs, { atMost: 3.5 })
  }
  let started = 0
  {
    await using bare = await startServer('bare', directory)
    await using ours = await startServer('step-functions', join(directory, 'data'))
    await createMachine(ours.endpoint, 'pass', { Type: 'Pass', End: true })
    const starts = async (endpoint: string): Promise<void> => {
      const first = started
      started += perRound
      await sendAll(endpoint, perRound, index => startOf('pass', `x${first + index}`), starting)
    }
    const timings = await compare('5,000 times StartExecution of a Pass, kept on disk', {
      bare: () => starts(bare.endpoint),
      ours: () => starts(ours.endpoint),
    })
    figure('sfn.start.vs_bare_http', timings.bare.medianMs / timings.ours.medianMs, { atLeast: 0.3 })
  }
  {
    await using ours = await startServer('step-functions', join(directory, 'many'))
    await createMachine(ours.endpoint, 'pass', { Type: 'Pass', End: true })
    await sendAll(ours.endpoint, manyExecutions / 5, index => startOf('pass', `a${index}`), starting)
    const before = await ours.rssMb()
    await sendAll(ours.endpoint, (manyExecutions * 4) / 5, index => startOf('pass', `b${index}`), starting)
    const after = await ours.rssMb()
    console.log(
      `resident after 10,000 and after 50,000 executions: ${before.toFixed(0)}, ${after.toFixed(0)} MB`,
    )
    figure('sfn.rss_50k_mb', after, { atMost: 200 })
  }
  {
    await using ours = await startServer('step-functions', join(directory, 'many'))
    figure('sfn.restart_50k_s', ours.startedInMs / 1000, { atMost: 1 })
  }
  {
    await using ours = await startServer('step-functions', join(directory, 'running'), { maxFiles: 1024 })
    await createMachine(ours.endpoint, 'wait', { Type: 'Wait', Seconds: 3600, End: true })
    await sendAll(ours.endpoint, manyRunning, index => startOf('wait', `w${index}`), starting)
    await wait(0)
    figure('sfn.running_with_1024_files', manyRunning, { atLeast: 10_000 })
  }
  {
    await using ours = await startServer('step-functions', join(directory, 'running'), { maxFiles: 1024 })
    figure('sfn.restart_10k_running_s', ours.startedInMs / 1000, { atMost: 5 })
  }
} finally {
  await rm(directory, { recursive: true, force: true })
}
