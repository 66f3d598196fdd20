import type { StateMachine } from '@stepwright/asl'
import { TemporaryError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bind, errorMatrix, runWorkflow } from './index.ts'

/** Takes one from the shelf for each order; with a key, once for each order. */
const take = defineTask({
  name: 'take',
  input: z.object({ order: z.string() }),
  output: z.object({ left: z.number() }),
  errors: [TemporaryError],
  run: async ({ order }, { shelf, isKeyed }: { readonly shelf: string[]; readonly isKeyed: boolean }) => {
    if (!isKeyed || !shelf.includes(order)) shelf.push(order)
    return { left: 3 - shelf.length }
  },
})

const { intervalSeconds, maxAttempts, backoffRate } = TemporaryError.retry
const policy = { IntervalSeconds: intervalSeconds, MaxAttempts: maxAttempts, BackoffRate: backoffRate }
function machine(retried: readonly string[], more: object = {}): StateMachine {
  return {
    StartAt: 'Take',
    States: {
      Take: {
        Type: 'Task',
        Resource: 'arn:aws:lambda:us-east-1:123456789012:function:take',
        Retry: [{ ErrorEquals: ['TemporaryError', ...retried], ...policy }],
        End: true,
        ...more,
      },
    },
  } as unknown as StateMachine
}

const retrying = machine(['Lambda.SdkClientException'])
const input = { order: 'o1' }

describe('inject', () => {
  const run = async (injection: { when?: 'before' | 'after'; error?: string } | { when: 'twice' }) => {
    const shelf: string[] = []
    const inject = [
      { state: 'Take', attempts: [1], error: 'Lambda.SdkClientException', ...injection },
    ] as const
    const tasks = { Take: bind(take, { shelf, isKeyed: false }) }
    const { status, output } = await runWorkflow(retrying, { tasks, input, inject: inject as never })
    return { status, output, shelf }
  }

  it('fails before the task, which is not called', async () => {
    expect(await run({})).toEqual({ status: 'SUCCEEDED', output: { left: 2 }, shelf: ['o1'] })
  })

  it('fails after the task, whose response is lost', async () => {
    expect(await run({ when: 'after' })).toEqual({
      status: 'SUCCEEDED',
      output: { left: 1 },
      shelf: ['o1', 'o1'],
    })
  })

  it('delivers a call twice', async () => {
    expect(await run({ when: 'twice' })).toMatchObject({ output: { left: 1 }, shelf: ['o1', 'o1'] })
  })

  it('loses the answer of a service as well', async () => {
    const sent: unknown[] = []
    const send = { Resource: 'arn:aws:states:::sqs:sendMessage' }
    const services = ({ parameters }: { readonly parameters: unknown }) => sent.push(parameters)
    const inject = [{ state: 'Take', attempts: [1], when: 'after', error: 'TemporaryError' }] as const
    await runWorkflow(machine([], send), { tasks: {}, input, inject, engine: { services } })
    expect(sent).toHaveLength(2)
  })
})

describe('errorMatrix with lost responses', () => {
  function worldOf(isKeyed: boolean) {
    let shelf: string[] = []
    const tasks = () => {
      shelf = []
      return { Take: bind(take, { shelf, isKeyed }) }
    }
    return { tasks, world: () => shelf }
  }

  it('finds a task that takes effect twice, by its output', async () => {
    const { tasks } = worldOf(false)
    await expect(errorMatrix(retrying, tasks, { inputs: [input], lostResponses: {} })).rejects.toThrow(
      'Take × Lambda.SdkClientException, response lost: the output is another one after a second run',
    )
  })

  it('finds it by what it leaves behind, where the output does not show it', async () => {
    const { tasks, world } = worldOf(false)
    const quiet = machine(['Lambda.SdkClientException'], { ResultPath: null })
    const options = { inputs: [input], lostResponses: { world } }
    await expect(errorMatrix(quiet, tasks, options)).rejects.toThrow('it took effect twice')
    expect((await errorMatrix(quiet, tasks, { inputs: [input] })).cells).toHaveLength(1)
  })

  it('passes a task that knows what it has done', async () => {
    const { tasks, world } = worldOf(true)
    const matrix = await errorMatrix(retrying, tasks, { inputs: [input], lostResponses: { world } })
    expect(matrix.cells.map(({ error, attempts }) => [error, attempts])).toEqual([
      ['TemporaryError', maxAttempts + 1],
      ['Lambda.SdkClientException, response lost', 2],
    ])
  })

  it('has nothing to lose where nothing is retried', async () => {
    const { tasks, world } = worldOf(false)
    const matrix = await errorMatrix(machine([]), tasks, { inputs: [input], lostResponses: { world } })
    expect(matrix.cells).toHaveLength(1)
  })

  it('compares nothing that is new in each run', async () => {
    const { tasks, world } = worldOf(true)
    const invoke = {
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: { FunctionName: 'take', 'Payload.$': '$' },
    }
    const matrix = await errorMatrix(machine(['States.Timeout'], invoke), tasks, {
      inputs: [input],
      lostResponses: { world },
    })
    expect(matrix.cells.at(-1)?.error).toBe('States.Timeout, response lost')
  })

  it('needs a world of its own for each run', async () => {
    const tasks = worldOf(true).tasks()
    await expect(errorMatrix(retrying, tasks, { inputs: [input], lostResponses: {} })).rejects.toThrow(
      /'lostResponses' needs 'tasks' as a function/,
    )
  })
})
