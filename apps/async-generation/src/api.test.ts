import { createWorkflowExecutions } from '@stepwright/idempotency'
import { createMemoryExecutions, createMemoryIdempotencyStore } from '@stepwright/idempotency/memory'
import { createJobLauncher, createJobOutcomes, createJobStopper, type JobStore } from '@stepwright/progress'
import { createMemoryJobStore } from '@stepwright/progress/memory'
import * as jobTasks from '@stepwright/progress/tasks'
import { describe, expect, it } from 'vitest'
import { startGeneration } from './start-generation.ts'
import { goal, plan, subgoals } from './test/memory-world.ts'
import { texts, timeoutError } from './texts.ts'

// The parts of the design, each with memory ports: no HTTP, no database, no clock.

const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:generation'

function setUp(capacity = 10) {
  let clock = Date.parse('2025-10-10T10:00:00Z')
  const now = () => clock
  const jobs = createMemoryJobStore({ now })
  const executions = createMemoryExecutions({ now })
  const workflow = createWorkflowExecutions({ executions, stateMachineArn })
  const metrics: string[] = []
  const ports = {
    jobs,
    launcher: createJobLauncher(workflow),
    stopper: createJobStopper(workflow),
    outcomeOf: createJobOutcomes(workflow, { failedMessage: texts.failed }),
    idempotency: createMemoryIdempotencyStore({ now }),
    capacity,
    timeoutError,
    refusal: texts.forbidden,
  }
  const context = { now, metrics: { add: (name: string) => void metrics.push(name) } }
  const pass = (seconds: number): void => {
    clock += seconds * 1000
  }
  return { ports, jobs, executions, context, metrics, pass }
}

const subgoalInput = { userId: 'ann', type: 'SUBGOAL_GENERATION', params: { goal } } as const

async function endAs(jobs: JobStore, id: string, status: 'COMPLETED' | 'FAILED' | 'TIMEOUT'): Promise<void> {
  await jobs.begin(id, { silentForMs: 0 })
  await jobs.end(id, { status })
}

describe('AsyncProcessingHandler', () => {
  it.each([
    ['SUBGOAL_GENERATION', { goal }],
    ['ACTION_GENERATION', { goal, subgoals }],
    ['TASK_GENERATION', { goal, plan }],
  ] as const)('starts a %s: a PENDING process, and an execution of its name', async (type, params) => {
    const { ports, executions, context, metrics } = setUp()
    const view = await startGeneration.run({ userId: 'ann', type, params } as never, ports, context)
    expect(view).toMatchObject({
      type,
      status: 'PENDING',
      progress: 0,
      createdAt: '2025-10-10T10:00:00.000Z',
    })
    expect(view.estimatedCompletionTime).toBe('2025-10-10T10:05:00.000Z')
    const { jobId } = view
    expect(executions.all()).toMatchObject([{ name: jobId, input: { jobId } }])
    expect(metrics).toEqual(['AsyncProcessingStarted'])
  })

  it.each([
    [{ type: 'OTHER' }, 'type: must be one of SUBGOAL_GENERATION, ACTION_GENERATION, TASK_GENERATION'],
    [{ params: { goal, language: 'fr' } }, 'params.language: must be ja or en'],
    [{ params: { goal: 5 } }, 'params.goal: must be a text'],
    [{ reuse: 'yes' }, 'reuse: must be true or false'],
    [{ targetId: 'a\0b' }, 'targetId: must be text without control characters'],
  ])('says what is valid in place of %j', async (wrong, message) => {
    const asked = startGeneration.run({ ...subgoalInput, ...wrong } as never, setUp().ports)
    await expect(asked).rejects.toThrow(message)
  })

  it('lets what the workers cannot take wait', async () => {
    const { ports, executions } = setUp(1)
    for (const priority of [0, 5]) await startGeneration.run({ ...subgoalInput, priority }, ports)
    expect(executions.all()).toHaveLength(1)
    expect(await ports.jobs.count('PENDING')).toBe(2)
  })
})

describe('StatusCheckHandler', () => {
  it('shows progress and the time of the end to the owner, and nothing to others', async () => {
    const { ports, jobs, context, pass } = setUp()
    const { jobId } = await startGeneration.run(subgoalInput, ports, context)
    await jobs.begin(jobId, { silentForMs: 0 })
    pass(30)
    await jobs.beat(jobId, 1, 50)
    const view = await jobTasks.getJob.run({ userId: 'ann', jobId }, ports, context)
    expect(view).toMatchObject({ status: 'PROCESSING', progress: 50, updatedAt: '2025-10-10T10:00:30.000Z' })
    expect(view.estimatedCompletionTime).toBe('2025-10-10T10:01:00.000Z')
    for (const input of [
      { userId: 'bob', jobId },
      { userId: 'ann', jobId: 'nobody' },
    ]) {
      await expect(jobTasks.getJob.run(input, ports)).rejects.toMatchObject({
        name: 'ForbiddenError',
        message: 'この処理にアクセスする権限がありません',
      })
    }
  })
})

describe('RetryHandler', () => {
  it.each(['FAILED', 'TIMEOUT'] as const)('tries a process again that is %s', async status => {
    const { ports, jobs, executions } = setUp()
    const { jobId } = await startGeneration.run(subgoalInput, ports)
    await endAs(jobs, jobId, status)
    const view = await jobTasks.retryJob.run({ userId: 'ann', jobId }, ports)
    expect(view).toMatchObject({ status: 'PENDING', retryCount: 1, retryOf: jobId })
    expect(executions.all().map(({ name }) => name)).toEqual([jobId, view.jobId])
  })

  it('does not try again what runs or is completed', async () => {
    const { ports, jobs } = setUp()
    const { jobId } = await startGeneration.run(subgoalInput, ports)
    const retry = () => jobTasks.retryJob.run({ userId: 'ann', jobId }, ports)
    await expect(retry()).rejects.toMatchObject({ name: 'RetryRefusedError', code: 'NOT_FAILED' })
    await endAs(jobs, jobId, 'COMPLETED')
    await expect(retry()).rejects.toMatchObject({ name: 'RetryRefusedError', code: 'NOT_FAILED' })
  })
})

describe('CancelHandler', () => {
  it('cancels a process and stops its execution', async () => {
    const { ports, executions } = setUp()
    const { jobId } = await startGeneration.run(subgoalInput, ports)
    const view = await jobTasks.cancelJob.run({ userId: 'ann', jobId }, ports)
    expect(view.status).toBe('CANCELLED')
    expect(executions.all()).toMatchObject([{ status: 'ABORTED', error: 'JobCancelledError' }])
  })
})

describe('the reaper', () => {
  it.each([
    ['FAILED', 'FAILED', { code: 'DatabaseConnectionError', message: '処理に失敗しました' }],
    ['TIMED_OUT', 'TIMEOUT', { code: 'TIMEOUT_ERROR', message: '処理時間が制限を超えました' }],
    ['ABORTED', 'FAILED', { code: 'DatabaseConnectionError', message: '処理に失敗しました' }],
  ] as const)('ends a silent process whose execution is %s as %s', async (ended, status, error) => {
    const { ports, jobs, executions, pass } = setUp()
    const { jobId } = await startGeneration.run(subgoalInput, ports)
    await jobs.begin(jobId, { silentForMs: 0 })
    pass(121)
    expect(await jobTasks.endStuckJobs.run({}, ports)).toEqual({ ended: [], spared: 1 })
    const [execution] = executions.all()
    executions.end(String(execution?.executionArn), { status: ended, error: 'DatabaseConnectionError' })
    expect(await jobTasks.endStuckJobs.run({}, ports)).toMatchObject({ ended: [{ jobId, status }] })
    expect(await jobs.find(jobId)).toMatchObject({ status, error })
  })
})
