import { describe, expect, it } from 'vitest'
import type { Conflict } from '../conflict.ts'
import { createFastPaths } from './fast-path.ts'
import type { Table } from './table.ts'

const keyed: Conflict = { mode: 'ignore', key: ['id'] }
const nothingTaken = { taken: 0, changed: 0 }
const someTaken = { taken: 0.1, changed: 0 }

function tableOf(isCompound = false): Table {
  const columns = [{ isCompound }] as unknown as Table['columns']
  return {
    name: 't',
    columns,
    tellsInserted: true,
    takesCopy: true,
    constraintColumns: new Map(),
    uniqueKeys: [],
  }
}

describe('createFastPaths', () => {
  it('sends a few rows ahead until a batch got through', () => {
    const paths = createFastPaths(tableOf(), keyed)
    expect(paths.current('job')).toBe('scout')
    paths.copied('job')
    expect(paths.current('job')).toBe('copy')
    expect(paths.current('another job')).toBe('scout')
  })

  it('looks keys up after a conflict, and copies again when none is taken any more', () => {
    const paths = createFastPaths(tableOf(), keyed)
    expect(paths.afterConflict('job')).toBe('probe')
    paths.probed('job', someTaken)
    expect(paths.current('job')).toBe('probe')
    paths.probed('job', nothingTaken)
    expect(paths.current('job')).toBe('scout')
  })

  it('waits twice as long for every time that it was wrong', () => {
    const paths = createFastPaths(tableOf(), keyed)
    for (const patience of [1, 2, 4, 8]) {
      paths.afterConflict('job')
      for (let batch = 0; batch < patience; batch += 1) {
        expect(paths.current('job')).toBe('probe')
        paths.probed('job', nothingTaken)
      }
      expect(paths.current('job')).toBe('scout')
    }
    paths.afterConflict('job')
    for (const found of [nothingTaken, nothingTaken, someTaken]) paths.probed('job', found)
    for (let batch = 0; batch < 15; batch += 1) paths.probed('job', nothingTaken)
    expect(paths.current('job')).toBe('probe')
    paths.probed('job', nothingTaken)
    expect(paths.current('job')).toBe('scout')
  })

  it('leaves the lookup out where most rows are changes', () => {
    const paths = createFastPaths(tableOf(), keyed)
    paths.afterConflict('job')
    paths.probed('job', { taken: 1, changed: 0.6 })
    expect(paths.current('job')).toBe('unnest')
  })

  it('takes no way that the table or the conflict mode does not allow', () => {
    const withArrays = createFastPaths(tableOf(true), keyed)
    expect(withArrays.current('job')).toBe('scout')
    expect(withArrays.afterConflict('job')).toBe('stage')
    expect(createFastPaths(tableOf(), { mode: 'insert' }).current('job')).toBe('copy')
    expect(createFastPaths(tableOf(), keyed, 'copy').current('job')).toBe('copy')
  })
})
