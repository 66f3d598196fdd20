import { describe, expect, it } from 'vitest'
import type { Job } from './job.ts'
import { createJobOutcomes, type JobExecution } from './job-executions.ts'
import { testJobWorkflow } from './testing.ts'

/** Executions that only say that they run, until they are ended. */
function createWorkflow() {
  const all = new Map<string, JobExecution & { readonly input: unknown }>()
  const end = async (name: string, how: JobExecution): Promise<void> => {
    const execution = all.get(name)
    if (execution?.status === 'RUNNING') all.set(name, { ...execution, ...how })
  }
  return {
    end,
    started: async () => [...all].map(([name, { input }]) => ({ name, input })),
    workflow: {
      async start({ name, input }: { name: string; input: unknown }) {
        if (!all.has(name)) all.set(name, { status: 'RUNNING', input })
      },
      stop: ({ name, error }: { name: string; error?: string }) => end(name, { status: 'ABORTED', error }),
      describe: async (name: string) => all.get(name),
    },
  }
}

testJobWorkflow('a workflow in memory', async () => createWorkflow())

describe('createJobOutcomes', () => {
  const job = { id: 'job-1' } as Job
  const texts = { failedMessage: 'it failed', timeoutError: { code: 'LATE', message: 'too late' } }
  const outcomeOf = (execution: JobExecution) =>
    createJobOutcomes({ describe: async () => execution }, texts)(job)

  it('says so in the words of the app', async () => {
    expect(await outcomeOf({ status: 'FAILED', error: 'NetworkError' })).toEqual({
      status: 'FAILED',
      error: { code: 'NetworkError', message: 'it failed' },
    })
    expect(await outcomeOf({ status: 'TIMED_OUT' })).toEqual({
      status: 'TIMEOUT',
      error: texts.timeoutError,
    })
  })

  it('counts an execution as failed that succeeded and left its job open', async () => {
    expect(await outcomeOf({ status: 'SUCCEEDED' })).toEqual({
      status: 'FAILED',
      error: { code: 'UNKNOWN_ERROR', message: 'it failed' },
    })
  })

  it('lets an execution run that is to be redriven', async () => {
    expect(await outcomeOf({ status: 'PENDING_REDRIVE' })).toBe('RUNNING')
  })
})
