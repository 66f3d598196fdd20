import { appendFile, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MapRunChild, MapRunStatus } from '@stepwright/asl-engine'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMapRuns } from './map-runs.ts'

let directory: string
const problems: string[] = []
function onProblem(problem: string) {
  problems.push(problem)
}
const control = { update: () => undefined }

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-map-runs-'))
})

afterEach(() => rm(directory, { recursive: true, force: true }))

function run(mapRunArn: string, status: MapRunStatus['status']): MapRunStatus {
  const counts = {
    pending: 0,
    running: 0,
    succeeded: 0,
    failed: 0,
    timedOut: 0,
    aborted: 0,
    total: 0,
    resultsWritten: 0,
  }
  return {
    mapRunArn,
    executionArn: 'e',
    stateName: 'M',
    maxConcurrency: 0,
    toleratedFailureCount: 0,
    toleratedFailurePercentage: 0,
    startMs: 1,
    redriveCount: 0,
    redriveMs: undefined,
    stopMs: status === 'RUNNING' ? undefined : 2,
    status,
    items: counts,
    executions: counts,
  }
}

describe('createMapRuns', () => {
  it('knows a run while it runs, when it has ended, and after a restart', () => {
    const runs = createMapRuns({ directory, now: Date.now, onProblem })
    runs.onStart(run('a', 'RUNNING'), control)
    expect(runs.get('a')?.status).toBe('RUNNING')
    runs.onChange(run('a', 'SUCCEEDED'))
    expect(runs.get('a')?.status).toBe('SUCCEEDED')
    expect(createMapRuns({ directory, now: Date.now, onProblem }).get('a')?.status).toBe('SUCCEEDED')
    expect(runs.get('b')).toBeUndefined()
  })

  it('works without a directory', () => {
    const runs = createMapRuns({ directory: undefined, now: Date.now, onProblem })
    runs.onStart(run('a', 'RUNNING'), control)
    runs.onChange(run('a', 'FAILED'))
    expect(runs.get('a')?.status).toBe('FAILED')
  })

  it('deletes runs that are too old', async () => {
    const runs = createMapRuns({ directory, now: Date.now, onProblem, days: 1 })
    runs.onStart(run('old', 'RUNNING'), control)
    const [file = ''] = await readdir(directory)
    await utimes(join(directory, file), 0, 0)
    for (let index = 0; index < 1000; index += 1) runs.onStart(run('new', 'RUNNING'), control)
    expect(await readdir(directory)).toHaveLength(1)
  })

  it('goes on after half a line, and without room', async () => {
    const mapRunArn = 'arn:aws:states:us-east-1:000000000000:mapRun:m/l:1'
    const child = (index: number): MapRunChild => ({
      mapRunArn,
      index,
      executionArn: `arn:aws:states:us-east-1:000000000000:execution:m/l:${index}`,
      name: String(index),
      stateMachineArn: 's',
      roleArn: 'r',
      input: index,
      itemCount: 1,
      startMs: index,
      redriveCount: 0,
    })
    const control = { stop: () => undefined }
    const record = { id: 1, previousEventId: 0, timestampMs: 1, type: 'ExecutionStarted' }
    const runs = createMapRuns({ directory, now: Date.now, onProblem })
    const finish = (index: number) => {
      const listener = runs.onChild?.(child(index), control)
      listener?.onEvent(record)
      listener?.onEnd({ status: 'SUCCEEDED', output: index, stopMs: 5 })
    }
    finish(0)
    expect(runs.children.of(mapRunArn)).toMatchObject([{ index: 0, status: 'SUCCEEDED' }])
    const [folder = ''] = await readdir(join(directory, 'children'))
    const [file = ''] = await readdir(join(directory, 'children', folder))
    await appendFile(join(directory, 'children', folder, file), '{"index":7,"exec')
    finish(1)
    expect(runs.children.of(mapRunArn)).toMatchObject([{ index: 0 }, { index: 1 }])
    expect(runs.children.find(child(1).executionArn)).toMatchObject({ output: 1, records: [record] })
    const long = 'x'.repeat(100_000)
    const large = runs.onChild?.({ ...child(3), input: long }, control)
    large?.onEvent({ ...record, type: 'TaskStateEntered', details: { name: 'T', input: long } })
    large?.onEvent({ ...record, type: 'TaskStateExited', details: { name: 'T', output: long } })
    large?.onEnd({ status: 'SUCCEEDED', output: long, stopMs: 5 })
    expect(runs.children.find(child(3).executionArn)).toMatchObject({
      input: long,
      records: [{ details: { name: 'T' } }, { type: 'TaskStateExited' }],
    })
    expect(JSON.stringify(runs.children.find(child(3).executionArn)).length).toBeLessThan(210_000)
    await rm(directory, { recursive: true })
    await writeFile(directory, 'in the way')
    finish(2)
    runs.onChange({ ...run('a', 'SUCCEEDED'), mapRunArn })
    expect(problems).toHaveLength(2)
  })
})
