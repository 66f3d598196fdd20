import { readFileSync } from 'node:fs'
import type { StateMachine } from '@stepwright/asl'
import { type BoundTask, errorMatrix, runWorkflow } from '@stepwright/asl-engine/testing'
import { DatabaseConnectionError } from '@stepwright/errors'
import { retryJob } from '@stepwright/progress/tasks'
import { describe, expect, it } from 'vitest'
import { GenerationRefusedError } from './errors.ts'
import { createWorld, goal, subgoals, type World } from './test/memory-world.ts'

const machine: StateMachine = JSON.parse(
  readFileSync(new URL('../generation.asl.json', import.meta.url), 'utf8'),
)
type Inject = Parameters<typeof runWorkflow>[1]['inject']

function run({ tasks, engine }: World, jobId: string, inject: Inject = []) {
  return runWorkflow(machine, { tasks, engine, inject, input: { jobId } })
}

describe('generation.asl.json', () => {
  it('takes sub-goals through 0, 50 and 100', async () => {
    const world = createWorld()
    const id = await world.addJob('SUBGOAL_GENERATION')
    expect(await run(world, id)).toMatchObject({
      status: 'SUCCEEDED',
      output: { jobId: id, status: 'COMPLETED' },
      path: ['UpdateStatusToProcessing', 'ExecuteAIGeneration', 'UpdateStatusToCompleted'],
    })
    const [part] = await world.jobs.listParts(id)
    expect(part?.progress).toBe(50)
    expect(await world.jobs.find(id)).toMatchObject({
      status: 'COMPLETED',
      progress: 100,
      result: { goal, subgoals: expect.arrayContaining(['「英語を話す」のための計画']) },
    })
  })

  it('takes actions through eight steps of 12.5', async () => {
    const world = createWorld()
    const id = await world.addJob('ACTION_GENERATION')
    await run(world, id)
    const parts = await world.jobs.listParts(id)
    expect(parts.map(({ progress }) => progress)).toEqual([12, 25, 37, 50, 62, 75, 87, 99])
    const { result } = (await world.jobs.find(id)) ?? {}
    expect((result as { plan: { subgoal: string }[] }).plan.map(({ subgoal }) => subgoal)).toEqual(subgoals)
  })

  it('takes tasks through 64 steps of 1.5625', async () => {
    const world = createWorld()
    const id = await world.addJob('TASK_GENERATION')
    await run(world, id)
    expect(world.asked).toHaveLength(64)
    const parts = await world.jobs.listParts(id)
    expect(parts.slice(0, 4).map(({ progress }) => progress)).toEqual([1, 3, 4, 6])
    expect(await world.jobs.find(id)).toMatchObject({ status: 'COMPLETED', progress: 100 })
  })

  it('goes on with the 41st of 64 in the same job, when its worker died after the 40th', async () => {
    const world = createWorld({}, asked => {
      if (asked.length === 41)
        throw Object.assign(new Error('killed'), { name: 'NetworkError', code: 'EPIPE' })
    })
    const id = await world.addJob('TASK_GENERATION')
    const result = await run(world, id)
    expect([result.status, result.attempts('ExecuteAIGeneration')]).toEqual(['SUCCEEDED', 2])
    expect(world.asked).toHaveLength(65) // the 41st twice
    expect(new Set(world.asked.map(request => JSON.stringify(request))).size).toBe(64)
  })

  it('goes on with the 41st of 64 in a retry, and never asks twice for what is kept', async () => {
    const world = createWorld({}, asked => {
      if (asked.length === 41) throw new GenerationRefusedError('no')
    })
    const id = await world.addJob('TASK_GENERATION')
    expect(await run(world, id)).toMatchObject({ status: 'FAILED', error: 'GenerationRefusedError' })
    expect(await world.jobs.find(id)).toMatchObject({ status: 'FAILED', progress: 62 })
    const launcher = { launch: async () => {} }
    const retry = await retryJob.run({ userId: 'ann', jobId: id }, { jobs: world.jobs, launcher })
    expect((await run(world, retry.jobId)).status).toBe('SUCCEEDED')
    expect(world.asked).toHaveLength(41 + 24)
    const { result } = (await world.jobs.find(retry.jobId)) ?? {}
    expect(JSON.stringify(result).match(/"tasks":\[/g)).toHaveLength(64)
  })

  it('retries the errors of the list after 1, 2 and 4 seconds, and then fails', async () => {
    for (const error of ['ThrottlingException', 'ServiceUnavailableException', 'NetworkError'] as const) {
      const world = createWorld({ failing: [{ text: goal, error, times: 9 }] })
      const id = await world.addJob('SUBGOAL_GENERATION')
      const result = await run(world, id)
      expect(result.waitsSeconds('ExecuteAIGeneration')).toEqual([1, 2, 4])
      expect(await world.jobs.find(id)).toMatchObject({ status: 'FAILED', error: { code: error } })
    }
  })

  it('retries nothing that no retry can mend, and tells the owner why', async () => {
    const world = createWorld({ failing: [{ text: goal, error: 'GenerationRefusedError', times: 9 }] })
    const id = await world.addJob('SUBGOAL_GENERATION')
    const result = await run(world, id)
    expect([result.status, result.attempts('ExecuteAIGeneration')]).toEqual(['FAILED', 1])
    expect(result.path.slice(-2)).toEqual(['HandleError', 'ProcessingFailed'])
    expect(await world.jobs.find(id)).toMatchObject({
      status: 'FAILED',
      error: { code: 'GenerationRefusedError', message: 'scripted GenerationRefusedError' },
    })
  })

  it('asks for nothing more when one of several calls has failed, and keeps what the others had in hand', async () => {
    const refuseFirst = (asked: readonly unknown[]) => {
      if (asked.length === 1) throw new GenerationRefusedError('no')
    }
    const world = createWorld({}, refuseFirst, 4)
    const id = await world.addJob('TASK_GENERATION')
    expect((await run(world, id)).status).toBe('FAILED')
    expect(world.asked).toHaveLength(4)
    expect(await world.jobs.listParts(id)).toHaveLength(3)
  })

  it.each(['States.Timeout', 'TaskTimeoutError', 'Sandbox.Timedout'])(
    'ends as TIMEOUT after %s',
    async error => {
      const world = createWorld()
      const id = await world.addJob('SUBGOAL_GENERATION')
      const result = await run(world, id, [{ state: 'ExecuteAIGeneration', error }])
      expect(result.path.slice(-2)).toEqual(['HandleTimeout', 'ProcessingFailed'])
      expect(await world.jobs.find(id)).toMatchObject({
        status: 'TIMEOUT',
        error: { code: 'TIMEOUT_ERROR', message: '処理時間が制限を超えました' },
      })
    },
  )

  it('ends as TIMEOUT when the worker gives no sign of life for 60 seconds', async () => {
    const world = createWorld()
    const id = await world.addJob('SUBGOAL_GENERATION')
    const silent: BoundTask = { ...world.tasks.AIGenerationWorker, run: async () => null }
    const result = await run({ ...world, tasks: { ...world.tasks, AIGenerationWorker: silent } }, id)
    expect([result.elapsedSeconds, result.path.at(-2)]).toEqual([60, 'HandleTimeout'])
    expect((await world.jobs.find(id))?.status).toBe('TIMEOUT')
  })

  it.each(['UpdateStatusToProcessing', 'UpdateStatusToCompleted'])(
    'fails a job whose status could not be written in %s',
    async state => {
      const world = createWorld()
      const id = await world.addJob('SUBGOAL_GENERATION')
      const result = await run(world, id, [{ state, error: DatabaseConnectionError }])
      expect(result.waitsSeconds(state)).toEqual([1, 2, 4])
      expect(await world.jobs.find(id)).toMatchObject({
        status: 'FAILED',
        error: { code: 'DatabaseConnectionError' },
      })
    },
  )

  it('fails as it was going to when not even that can be written', async () => {
    const world = createWorld({ failing: [{ text: goal, error: 'GenerationRefusedError', times: 9 }] })
    const id = await world.addJob('SUBGOAL_GENERATION')
    const result = await run(world, id, [{ state: 'HandleError', error: DatabaseConnectionError }])
    expect(result).toMatchObject({ status: 'FAILED', error: 'GenerationRefusedError' })
    expect((await world.jobs.find(id))?.status).toBe('PROCESSING') // the reaper's
  })

  it('ends without an alarm when the owner cancelled the job, before or while it runs', async () => {
    const before = createWorld()
    const early = await before.addJob('SUBGOAL_GENERATION')
    await before.jobs.end(early, { status: 'CANCELLED' })
    expect(await run(before, early)).toMatchObject({
      status: 'SUCCEEDED',
      path: ['UpdateStatusToProcessing', 'ProcessingCancelled'],
    })
    const during = createWorld({}, (_, { jobs }) => jobs.end('job-1', { status: 'CANCELLED' }))
    const late = await during.addJob('SUBGOAL_GENERATION')
    const result = await run(during, late)
    expect([result.status, result.path.at(-1)]).toEqual(['SUCCEEDED', 'ProcessingCancelled'])
    expect(await during.jobs.find(late)).toMatchObject({ status: 'CANCELLED', result: null })
    expect(await during.jobs.listParts(late)).toEqual([])
  })
})

describe('every error that a task declares', () => {
  it('is retried as the design says, or caught', async () => {
    let world = createWorld()
    const begin = async (jobId: string): Promise<void> => {
      world = createWorld({ failing: [{ text: 'refused', error: 'GenerationRefusedError', times: 9 }] })
      await world.addJob('SUBGOAL_GENERATION', { id: jobId, params: { goal: jobId } })
    }
    const tokens = world.engine.taskTokens
    const bound = (name: keyof World['tasks']): BoundTask => ({
      ...world.tasks[name],
      async run(input, context) {
        const { jobId, status, taskToken } = input as Record<string, string>
        if (status === 'PROCESSING') await begin(String(jobId))
        if (taskToken === undefined) return world.tasks[name].run(input, context)
        if (jobId === 'slow') return null
        const waiting = tokens.get(taskToken)
        if (waiting) world.engine.taskTokens.open(taskToken, waiting)
        return world.tasks[name].run(input, context)
      },
    })
    const tasks = {
      UpdateProcessingState: bound('UpdateProcessingState'),
      AIGenerationWorker: bound('AIGenerationWorker'),
    }
    const matrix = await errorMatrix(machine, tasks, {
      inputs: [{ jobId: 'fine' }, { jobId: 'refused' }, { jobId: 'slow' }],
      engine: { taskTokens: tokens },
      substitutions: Object.fromEntries(Object.keys(tasks).map(name => [name, name])),
    })
    expect(matrix.cells.map(({ state }) => state)).toContain('HandleTimeout')
    expect(matrix.cells).toHaveLength(37)
  })
})
