import { describe, expect, it } from 'vitest'
import { createVirtualClock } from '../time/clock.ts'
import { createHistory } from './history.ts'
import type { HistoryRecord } from './record.ts'

const clock = createVirtualClock(1000)
const main = { place: '' }
const entered = { type: 'PassStateEntered', detailsOf: (input: number) => ({ name: 'A', input }) }

describe('createHistory', () => {
  it('goes on from earlier records, and shows what was added since it was last read', () => {
    const earlier = [{ id: 1, previousEventId: 0, timestampMs: 5, type: 'ExecutionStarted' }]
    const history = createHistory({ clock, maxEvents: 9, keep: true, onEvent: undefined, earlier })
    history.add(main, 1, entered, 7, 1000)
    expect(history.records()).toHaveLength(2)
    history.add({ place: '2.0' }, 2, 'MapIterationStarted', { index: 0 })
    expect(history.records()).toEqual([
      ...earlier,
      {
        id: 2,
        previousEventId: 1,
        timestampMs: 1000,
        type: 'PassStateEntered',
        details: { name: 'A', input: 7 },
      },
      {
        id: 3,
        previousEventId: 2,
        timestampMs: 1000,
        type: 'MapIterationStarted',
        details: { index: 0 },
        place: '2.0',
      },
    ])
  })

  it('tells of an event in the words in which it is kept', () => {
    const told: HistoryRecord[] = []
    const history = createHistory({ clock, maxEvents: 9, keep: true, onEvent: record => told.push(record) })
    history.add(main, 0, entered, 7, 1000)
    history.note('', 'AttemptFailed', { error: 'E' })
    history.mute()
    expect(history.add(main, 1, entered, 8, 1000)).toBe(2)
    expect(told.filter(({ id }) => id > 0)).toEqual(history.records())
    expect(told.map(({ type }) => type)).toEqual(['PassStateEntered', 'AttemptFailed'])
  })

  it('ends an execution that has no more room for what happens, and leaves room to say so', () => {
    const history = createHistory({ clock, maxEvents: 2, keep: true, onEvent: undefined })
    history.add(main, 0, entered, 1, 1000)
    expect(() => history.add(main, 1, entered, 2, 1000)).toThrow('maximum number of history events (2)')
    expect(history.add(main, 1, 'MapStateFailed')).toBe(1)
    expect(history.add(main, 1, 'ExecutionFailed')).toBe(2)
  })
})
