import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MapRunStatus } from '@stepwright/asl-engine'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMapRuns } from './map-runs.ts'

let directory: string

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
    stopMs: status === 'RUNNING' ? undefined : 2,
    status,
    items: counts,
    executions: counts,
  }
}

describe('createMapRuns', () => {
  it('knows a run while it runs, when it has ended, and after a restart', () => {
    const runs = createMapRuns({ directory, now: Date.now })
    runs.onStart(run('a', 'RUNNING'))
    expect(runs.get('a')?.status).toBe('RUNNING')
    runs.onChange(run('a', 'SUCCEEDED'))
    expect(runs.get('a')?.status).toBe('SUCCEEDED')
    expect(createMapRuns({ directory, now: Date.now }).get('a')?.status).toBe('SUCCEEDED')
    expect(runs.get('b')).toBeUndefined()
  })

  it('works without a directory', () => {
    const runs = createMapRuns({ directory: undefined, now: Date.now })
    runs.onStart(run('a', 'RUNNING'))
    runs.onChange(run('a', 'FAILED'))
    expect(runs.get('a')?.status).toBe('FAILED')
  })

  it('deletes runs that are too old', async () => {
    const runs = createMapRuns({ directory, now: Date.now, days: 1 })
    runs.onStart(run('old', 'RUNNING'))
    const [file = ''] = await readdir(directory)
    await utimes(join(directory, file), 0, 0)
    for (let index = 0; index < 1000; index += 1) runs.onStart(run('new', 'RUNNING'))
    expect(await readdir(directory)).toHaveLength(1)
  })
})
