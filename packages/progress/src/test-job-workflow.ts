import { type TestRunner, testRunner } from '@stepwright/task/testing'
import {
  createJobLauncher,
  createJobOutcomes,
  createJobStopper,
  type JobExecution,
  type JobWorkflow,
} from './job-executions.ts'
import { createMemoryJobStore } from './memory-job-store.ts'

export interface JobWorkflowUnderTest {
  readonly workflow: JobWorkflow
  /** The names and inputs of all executions that were started. */
  started(): Promise<readonly { readonly name: string; readonly input: unknown }[]>
  /** Ends an execution that runs. */
  end(name: string, how: JobExecution): Promise<void>
  readonly close?: () => Promise<void>
}

/** What jobs need of the executions of a state machine: `create` gives one without executions. */
export function testJobWorkflow(
  name: string,
  create: () => Promise<JobWorkflowUnderTest>,
  runner: TestRunner = testRunner,
): void {
  const { afterAll, beforeEach, describe, expect, it } = runner
  describe(`${name} executes jobs`, () => {
    let under: JobWorkflowUnderTest
    const opened: JobWorkflowUnderTest[] = []
    beforeEach(async () => {
      under = await create()
      opened.push(under)
    })
    afterAll(async () => {
      for (const each of opened) await each.close?.()
    })

    async function setUp() {
      const newJob = { id: 'job-1', userId: 'ann', type: 'T', targetId: null, params: null, retryCount: 0 }
      const { job } = await createMemoryJobStore().insert(newJob)
      const { launch } = createJobLauncher(under.workflow)
      const { stop } = createJobStopper(under.workflow)
      return { job, launch, stop, outcomeOf: createJobOutcomes(under.workflow) }
    }

    it('starts a job once, even if it is launched twice at once or after it has ended', async () => {
      const { job, launch } = await setUp()
      await Promise.all([launch(job), launch(job)])
      await under.end('job-1', { status: 'SUCCEEDED' })
      await launch(job)
      expect(await under.started()).toEqual([{ name: 'job-1', input: { jobId: 'job-1' } }])
    })

    it('does not know how a job ended that was not launched, or runs', async () => {
      const { job, launch, outcomeOf } = await setUp()
      expect(await outcomeOf(job)).toBeUndefined()
      await launch(job)
      expect(await outcomeOf(job)).toBe('RUNNING')
    })

    it('reports how a job ended', async () => {
      const { job, launch, outcomeOf } = await setUp()
      await launch(job)
      await under.end('job-1', { status: 'FAILED', error: 'NetworkError' })
      expect(await outcomeOf(job)).toMatchObject({ status: 'FAILED', error: { code: 'NetworkError' } })
    })

    it('reports a job that took too long as TIMEOUT', async () => {
      const { job, launch, outcomeOf } = await setUp()
      await launch(job)
      await under.end('job-1', { status: 'TIMED_OUT' })
      expect(await outcomeOf(job)).toMatchObject({ status: 'TIMEOUT' })
    })

    it('stops a job that runs, and leaves one alone that was not launched or has ended', async () => {
      const { job, launch, stop, outcomeOf } = await setUp()
      await stop(job)
      expect(await outcomeOf(job)).toBeUndefined()
      await launch(job)
      await stop(job)
      await stop(job)
      expect(await outcomeOf(job)).toMatchObject({ status: 'FAILED', error: { code: 'JobCancelledError' } })
    })
  })
}
