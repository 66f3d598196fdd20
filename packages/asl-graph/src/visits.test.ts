import type { StateMachine } from '@stepwright/asl'
import { createEngine, createVirtualClock, type HistoryRecord, toHistoryEvent } from '@stepwright/asl-engine'
import { describe, expect, it } from 'vitest'
import { statusOfStates, transitionKey, transitionsOf } from './state-status.ts'
import { createVisitReader } from './visits.ts'

function task(name: string) {
  return { Type: 'Task', Resource: `arn:aws:lambda:us-east-1:000000000000:function:${name}` } as const
}

/** What `answers` throws, fails its function. */
async function run(
  definition: StateMachine,
  input: unknown,
  answers: Readonly<Record<string, (payload: unknown) => unknown>>,
  records: HistoryRecord[] = [],
) {
  const resume = records.length > 0 ? { resume: { records: [...records], redrive: true } } : {}
  const engine = createEngine({
    definition,
    name: 'machine',
    clock: createVirtualClock(),
    invoke: (arn, payload) => answers[arn.split(':').at(-1) ?? '']?.(payload),
  })
  await engine.run(input as never, { onEvent: record => records.push(record), ...resume }).result
  const reader = createVisitReader()
  const isShown = ({ id, place }: HistoryRecord) => id > 0 && !place?.includes(':')
  reader.add(records.filter(isShown).map(toHistoryEvent))
  return { reader, records, states: statusOfStates(reader.visits) }
}

function failure(name: string): never {
  throw Object.assign(new Error('broken'), { name })
}

describe('createVisitReader', () => {
  it('counts retries and tells a caught failure from a success', async () => {
    let calls = 0
    const { reader, states } = await run(
      {
        StartAt: 'Import',
        States: {
          Import: {
            ...task('f'),
            Retry: [{ ErrorEquals: ['Busy'], MaxAttempts: 5, IntervalSeconds: 2 }],
            Catch: [{ ErrorEquals: ['Bad'], Next: 'After' }],
            End: true,
          },
          After: { Type: 'Pass', End: true },
          Never: { Type: 'Pass', End: true },
        },
      },
      {},
      {
        f: () => {
          calls += 1
          failure(calls < 3 ? 'Busy' : 'Bad')
        },
      },
    )
    expect(states.get('Import')).toMatchObject({ status: 'caught', retries: 2 })
    expect(states.get('After')).toMatchObject({ status: 'succeeded', retries: 0 })
    expect(states.has('Never')).toBe(false)
    expect([...transitionsOf(reader.visits)]).toEqual([transitionKey('Import', 'After', true)])
    const [first, second] = reader.visits
    expect(first?.attempts.map(({ status, error }) => [status, error])).toEqual([
      ['failed', 'Busy'],
      ['failed', 'Busy'],
      ['failed', 'Bad'],
    ])
    expect(second?.after).toBe(first)
    expect(first?.attempts[1]?.scheduledMs).toBe((first?.attempts[0]?.endMs ?? 0) + 2000)
  })

  it('keeps iterations apart', async () => {
    const { reader } = await run(
      {
        StartAt: 'Each',
        States: {
          Each: {
            Type: 'Map',
            End: true,
            ItemProcessor: {
              StartAt: 'One',
              States: {
                One: { ...task('f'), Catch: [{ ErrorEquals: ['Bad'], Next: 'Mend' }], End: true },
                Mend: { Type: 'Pass', End: true },
              },
            },
          },
        },
      },
      [1, 2, 3],
      { f: item => (item === 2 ? failure('Bad') : item) },
    )
    expect(statusOfStates(reader.visits).get('One')).toMatchObject({ status: 'caught', visits: 3 })
    expect(statusOfStates(reader.visits, new Map([['Each', 0]])).get('One')).toMatchObject({
      status: 'succeeded',
      visits: 1,
    })
    expect(statusOfStates(reader.visits, new Map([['Each', 0]])).has('Mend')).toBe(false)
    expect(reader.visits[0]?.items).toEqual({ total: 3, started: 3, succeeded: 3, failed: 0 })
  })

  it('tells what failed from what was cancelled because of it, and goes on after a redrive', async () => {
    const definition: StateMachine = {
      StartAt: 'Both',
      States: {
        Both: {
          Type: 'Parallel',
          End: true,
          Branches: [
            { StartAt: 'Slow', States: { Slow: { Type: 'Wait', Seconds: 60, End: true } } },
            { StartAt: 'Quick', States: { Quick: { ...task('f'), End: true } } },
          ],
        },
      },
    }
    const first = await run(definition, {}, { f: () => failure('Bad') })
    expect([...first.states].map(([name, { status }]) => [name, status])).toEqual([
      ['Both', 'failed'],
      ['Slow', 'cancelled'],
      ['Quick', 'failed'],
    ])
    const second = await run(definition, {}, { f: () => 'fine' }, first.records)
    expect(second.states.get('Both')?.status).toBe('succeeded')
    expect(second.states.get('Quick')?.status).toBe('succeeded')
  })

  it('shows what is running', () => {
    const reader = createVisitReader()
    const stateEnteredEventDetails = { name: 'A' }
    const entered = {
      id: 2,
      previousEventId: 0,
      timestamp: 5,
      type: 'TaskStateEntered',
      stateEnteredEventDetails,
    }
    reader.add([{ id: 1, previousEventId: 0, timestamp: 0, type: 'ExecutionStarted' }, entered])
    expect(statusOfStates(reader.visits).get('A')?.status).toBe('running')
    reader.add([{ id: 3, previousEventId: 2, timestamp: 9, type: 'ExecutionAborted' }])
    expect(reader.visits[0]).toMatchObject({ status: 'cancelled', enterMs: 5, exitMs: 9 })
  })
})
