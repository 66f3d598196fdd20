import { readFile } from 'node:fs/promises'
import { createTaskTokens } from '@stepwright/asl-engine'
import { bind, runWorkflow } from '@stepwright/asl-engine/testing'
import { ServiceUnavailableException } from '@stepwright/errors'
import { createResultOfParts } from '@stepwright/progress'
import { createMemoryJobStore } from '@stepwright/progress/memory'
import { updateStatus } from '@stepwright/progress/tasks'
import { expect, it } from 'vitest'
import { type Writer, writeReport } from './report.ts'

/** The definition that is deployed, on ports in memory and in virtual time. */
const definition = JSON.parse(await readFile(new URL('../report.asl.json', import.meta.url), 'utf8'))
const params = { title: 'Tides', chapters: ['Moon', 'Sun', 'Harbours'] }

async function createWorld(write: Writer['write']) {
  const jobs = createMemoryJobStore()
  const taskTokens = createTaskTokens()
  const callback = {
    heartbeat: async (token: string) => taskTokens.get(token) !== undefined,
    async succeed(token: string, output: unknown) {
      const waiting = taskTokens.get(token)
      waiting?.succeed(output as never)
      return waiting !== undefined
    },
  }
  await jobs.insert({ id: 'job-1', userId: 'ann', type: 'REPORT', targetId: null, params, retryCount: 0 })
  const ports = { jobs, callback, writer: { write } }
  const tasks = {
    UpdateJob: bind(updateStatus, { jobs, resultOf: createResultOfParts(jobs) }),
    WriteReport: bind(writeReport, ports),
  }
  return { jobs, tasks, engine: { taskTokens }, input: { jobId: 'job-1' } }
}

it('writes every chapter', async () => {
  const { jobs, ...world } = await createWorld(async (title, chapter) => `${title}: ${chapter}`)
  const run = await runWorkflow(definition, world)
  expect(run).toMatchObject({ status: 'SUCCEEDED', path: ['BeginJob', 'WriteReport', 'CompleteJob'] })
  expect(await jobs.find('job-1')).toMatchObject({
    status: 'COMPLETED',
    progress: 100,
    result: ['Tides: Moon', 'Tides: Sun', 'Tides: Harbours'],
  })
})

it('writes no chapter twice when the writer fails in between', async () => {
  const written: string[] = []
  const { jobs, ...world } = await createWorld(async (_, chapter) => {
    written.push(chapter)
    if (written.length === 2) throw new ServiceUnavailableException('the writer is busy')
    return chapter
  })
  expect((await runWorkflow(definition, world)).attempts('WriteReport')).toBe(2)
  expect(written).toEqual(['Moon', 'Sun', 'Sun', 'Harbours'])
  expect(await jobs.find('job-1')).toMatchObject({ status: 'COMPLETED' })
})

it('tells the owner of a failure', async () => {
  const { jobs, ...world } = await createWorld(async () => {
    throw new TypeError('a bug')
  })
  expect(await runWorkflow(definition, world)).toMatchObject({ status: 'FAILED', error: 'UnexpectedError' })
  expect(await jobs.find('job-1')).toMatchObject({ status: 'FAILED', error: { code: 'UnexpectedError' } })
})
