import type { StateMachine } from '@stepwright/asl'
import { DatabaseConnectionError, ValidationError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createTaskTokens } from '../task/task-tokens.ts'
import { bind, errorMatrix, runWorkflow, WorkflowStalledError } from './index.ts'

function machine(state: object): StateMachine {
  return {
    StartAt: 'Review',
    States: {
      Review: { Type: 'Task', End: true, ...state },
      Refused: { Type: 'Fail', Error: 'Refused' },
    },
  } as unknown as StateMachine
}

const callback = {
  Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
  Parameters: { FunctionName: 'ask' },
}
const activity = 'arn:aws:states:us-east-1:123456789012:activity:review-order'

describe('runWorkflow, with a state that waits', () => {
  it('names the state for which nobody answers, instead of never settling', async () => {
    const run = runWorkflow(machine(callback), { tasks: { ask: () => null } })
    await expect(run).rejects.toThrow(WorkflowStalledError)
    await expect(run).rejects.toThrow(/the state 'Review' waits for an answer that nobody gives/)
  })

  it('names every state that waits, those of a Distributed Map too', async () => {
    const each = {
      Type: 'Map',
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        StartAt: 'Ask',
        States: { Ask: { Type: 'Task', ...callback, End: true } },
      },
    }
    const run = runWorkflow(machine(each), { tasks: { ask: () => null }, input: [1, 2] })
    await expect(run).rejects.toMatchObject({ states: ['Ask'] })
  })

  it('waits for whoever holds the tokens', async () => {
    const taskTokens = createTaskTokens()
    const ask = (_input: unknown, { taskToken }: { readonly taskToken: string | undefined }): null => {
      setImmediate(() => setImmediate(() => taskTokens.get(String(taskToken))?.succeed('yes')))
      return null
    }
    const run = await runWorkflow(machine(callback), { tasks: { ask }, engine: { taskTokens } })
    expect(run.output).toBe('yes')
  })

  it('lets the timeout of the state come', async () => {
    const run = await runWorkflow(machine({ ...callback, TimeoutSeconds: 900 }), {
      tasks: { ask: () => null },
    })
    expect(run).toMatchObject({ error: 'States.Timeout', elapsedSeconds: 900 })
  })
})

describe('an activity', () => {
  const review = defineTask({
    name: 'review-order',
    input: z.object({ id: z.string() }),
    output: z.string(),
    errors: [DatabaseConnectionError, ValidationError],
    run: async ({ id }, { orders }: { readonly orders: Set<string> }) => {
      if (!orders.has(id)) throw new ValidationError('there is no such order')
      return `${id} reviewed`
    },
  })
  const bound = bind(review, { orders: new Set(['o1']) })
  const { retry } = DatabaseConnectionError
  const state = {
    Resource: activity,
    Retry: [
      {
        ErrorEquals: ['DatabaseConnectionError'],
        IntervalSeconds: retry.intervalSeconds,
        MaxAttempts: retry.maxAttempts,
        BackoffRate: retry.backoffRate,
      },
    ],
    Catch: [{ ErrorEquals: ['ValidationError'], Next: 'Refused' }],
  }

  it.each(['Review', 'review-order'])('is done by the task given as %s', async name => {
    const run = await runWorkflow(machine(state), { tasks: { [name]: bound }, input: { id: 'o1' } })
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: 'o1 reviewed' })
    expect(run.history.map(({ type }) => type)).toContain('ActivityStarted')
  })

  it('meets every error that its task declares', async () => {
    const matrix = await errorMatrix(machine(state), { Review: bound }, { inputs: [{ id: 'o1' }] })
    expect(matrix.cells.map(({ error, attempts, caughtBy }) => [error, attempts, caughtBy])).toEqual([
      ['DatabaseConnectionError', retry.maxAttempts + 1, undefined],
      ['ValidationError', 1, 'Refused'],
    ])
  })

  it('may take its time, and is given up when its time is over', async () => {
    let wasAborted = false
    const run = await runWorkflow(machine({ Resource: activity, TimeoutSeconds: 60 }), {
      tasks: {
        Review: async (_input, { sleep, signal }) => {
          signal.addEventListener('abort', () => {
            wasAborted = true
          })
          await sleep(120_000)
        },
      },
    })
    expect(run).toMatchObject({ error: 'States.Timeout', elapsedSeconds: 60 })
    expect(wasAborted).toBe(true)
  })

  it('needs a task', async () => {
    const run = await runWorkflow(machine({ Resource: activity }), { tasks: {} })
    expect(run).toMatchObject({ error: 'TaskNotProvidedError', cause: expect.stringContaining(activity) })
  })
})
