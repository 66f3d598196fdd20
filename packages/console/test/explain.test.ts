import type { Finding, TaskState } from '@stepwright/asl'
import { createVisitReader, type GraphEvent, type Visit } from '@stepwright/asl-graph'
import { describe, expect, it } from 'vitest'
import { comparePaths, firstDifference } from '../web/execution/difference.ts'
import { countFindings } from '../web/execution/findings.ts'
import { createTimeScale } from '../web/execution/time-scale.ts'
import { explain } from '../web/execution/why.ts'

const state: TaskState = {
  Type: 'Task',
  Resource: 'arn:aws:lambda:us-east-1:000000000000:function:f',
  Retry: [{ ErrorEquals: ['Busy'], MaxAttempts: 1 }],
  Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Mend' }],
  End: true,
}
const errors = { Busy: { kind: 'retryable', retry: { maxAttempts: 1 }, tasks: ['import'] } }

/** A task's visit with failures at these times, and what it ended with. */
function visitOf(failures: readonly [ms: number, error: string][], end: 'caught' | 'failed'): Visit {
  const events: (GraphEvent & Record<string, unknown>)[] = [
    {
      id: 1,
      previousEventId: 0,
      timestamp: 0,
      type: 'TaskStateEntered',
      stateEnteredEventDetails: { name: 'T' },
    },
  ]
  const add = (timestamp: number, type: string, details: object = {}): void => {
    const id = events.length + 1
    events.push({ id, previousEventId: id - 1, timestamp, type, EventDetails: details })
  }
  for (const [ms, error] of failures) {
    add(ms, 'LambdaFunctionScheduled')
    add(ms + 10, 'LambdaFunctionFailed', { error })
  }
  if (end === 'caught') add(9000, 'TaskStateExited', { name: 'T' })
  else add(9000, 'ExecutionFailed')
  const reader = createVisitReader()
  reader.add(events)
  return reader.visits[0] as Visit
}

describe('explain', () => {
  it('says which retrier and which catcher took each failure, and what would have been', () => {
    const reasons = explain(
      visitOf(
        [
          [0, 'Busy'],
          [1010, 'Busy'],
        ],
        'caught',
      ),
      state,
      errors,
    )
    expect(reasons.map(({ rule, happened, otherwise }) => [rule, happened, otherwise])).toEqual([
      [
        'Retry 1',
        'Busy was retried after 1.00 s: retry 1 of 1.',
        'Without this retrier it would have been caught by Catch 1, which leads to Mend.',
      ],
      [
        'Catch 1',
        'Busy was caught by Catch 1, which leads to Mend. Retry 1 matches too, and was used up.',
        'Without this catcher it would have failed the execution.',
      ],
    ])
    expect(reasons[0]?.error?.kind).toBe('retryable')
  })

  it('says that nothing matched', () => {
    const [reason] = explain(visitOf([[0, 'Bad']], 'failed'), { ...state, Catch: [] }, errors)
    expect(reason?.happened).toBe('Bad failed here: no catcher matches it. No retrier matches it.')
  })
})

describe('createTimeScale', () => {
  it('folds the time in which nothing is at work', () => {
    const visits = [
      visitOf(
        [
          [0, 'Busy'],
          [8000, 'Busy'],
        ],
        'caught',
      ),
    ]
    const whole = createTimeScale(visits, 0, 9000, false)
    const folded = createTimeScale(visits, 0, 9000, true)
    expect(whole.at(4500)).toBe(0.5)
    expect(folded.folds).toEqual([
      { fromMs: 10, toMs: 8000 },
      { fromMs: 8010, toMs: 9000 },
    ])
    expect(folded.at(0)).toBe(0)
    expect(folded.at(9000)).toBeCloseTo(1)
    expect(folded.at(8010) - folded.at(8000)).toBeGreaterThan(0.02)
  })
})

describe('comparison', () => {
  it.each([
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, { path: '$.a[1].b', a: 2, b: 3 }],
    [{ a: 1 }, { a: 1, c: null }, { path: '$.c', a: undefined, b: null }],
    [[1], { 0: 1 }, { path: '$', a: [1], b: { 0: 1 } }],
    [{ a: 1 }, { a: 1 }, undefined],
  ])('finds where %j and %j first differ', (a, b, difference) => {
    expect(firstDifference(a, b)).toEqual(difference)
  })

  it('lays two ways side by side', () => {
    const [caught, failed] = [visitOf([[0, 'Busy']], 'caught'), visitOf([[0, 'Busy']], 'failed')]
    expect(comparePaths([caught, caught], [caught, failed, failed]).map(({ isSame }) => isSame)).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('countFindings', () => {
  it('counts at the innermost state that a finding is about', () => {
    const pointers = ['/', '/States/A/Retry/0', '/States/M/ItemProcessor/States/A~1B/Catch/0', '/States/A']
    const findings = pointers.map(pointer => ({ pointer }) as Finding)
    expect(countFindings(findings)).toEqual({
      '': 1,
      '/States/A': 2,
      '/States/M/ItemProcessor/States/A~1B': 1,
    })
  })
})
