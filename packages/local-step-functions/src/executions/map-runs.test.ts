import type { MapRunStatus } from '@stepwright/asl-engine'
import { describe, expect, it } from 'vitest'
import { createMemoryJournals } from '../machines/journal.ts'
import { createMapRuns } from './map-runs.ts'

function counts() {
  return {
    pending: 0,
    running: 0,
    succeeded: 0,
    failed: 0,
    timedOut: 0,
    aborted: 0,
    total: 0,
    resultsWritten: 0,
  }
}

function run(mapRunArn: string, status: MapRunStatus['status']): MapRunStatus {
  return {
    mapRunArn,
    executionArn: 'e',
    stateName: 'M',
    maxConcurrency: 0,
    toleratedFailureCount: 0,
    toleratedFailurePercentage: 0,
    startMs: 1,
    stopMs: status === 'RUNNING' ? undefined : 2,
    status,
    items: counts(),
    executions: counts(),
  }
}

describe('createMapRuns', () => {
  it('remembers runs across a restart; what was under way counts as aborted', () => {
    const journals = createMemoryJournals()
    const before = createMapRuns(journals)
    before.onStart(run('a', 'RUNNING'))
    before.onChange(run('a', 'SUCCEEDED'))
    before.onStart(run('b', 'RUNNING'))
    expect(before.all.get('b')?.status).toBe('RUNNING')
    const after = createMapRuns(journals)
    expect([...after.all.values()].map(({ mapRunArn, status }) => [mapRunArn, status])).toEqual([
      ['a', 'SUCCEEDED'],
      ['b', 'ABORTED'],
    ])
  })
})
