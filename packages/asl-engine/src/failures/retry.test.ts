import { describe, expect, it } from 'vitest'
import { findCatcher, findRetrier, retryDelayMs } from './retry.ts'
import { heartbeatFailure, runtimeFailure, StateFailure, timeoutFailure } from './state-failure.ts'

const failure = new StateFailure('Boom', 'it broke')

describe('retryDelayMs', () => {
  it('doubles by default, up to the longest delay', () => {
    const retrier = { ErrorEquals: ['Boom'], IntervalSeconds: 2, MaxDelaySeconds: 10 }
    expect([0, 1, 2, 3].map(retry => retryDelayMs(retrier, retry, () => 0.5))).toEqual([
      2000, 4000, 8000, 10_000,
    ])
  })

  it('spreads a fully jittered delay from nothing to all of it', () => {
    const retrier = {
      ErrorEquals: ['Boom'],
      IntervalSeconds: 4,
      BackoffRate: 1,
      JitterStrategy: 'FULL',
    } as const
    expect(retryDelayMs(retrier, 3, () => 0)).toBe(0)
    expect(retryDelayMs(retrier, 3, () => 0.25)).toBe(1000)
  })
})

describe('findRetrier and findCatcher', () => {
  const retriers = (...names: string[]) => names.map(name => ({ ErrorEquals: [name], Next: 'X' }))

  it('matches by exact name, in order', () => {
    expect(findRetrier(retriers('boom', 'Boom', 'States.ALL'), failure)).toBe(1)
    expect(findCatcher(retriers('Other', 'States.ALL'), failure)).toBe(1)
    expect(findCatcher(retriers('Other'), failure)).toBe(-1)
  })

  it('takes States.TaskFailed for anything but a timeout', () => {
    expect(findRetrier(retriers('States.TaskFailed'), failure)).toBe(0)
    expect(findRetrier(retriers('States.TaskFailed'), timeoutFailure())).toBe(-1)
  })

  it('lets a missed heartbeat be named by itself', () => {
    expect(findCatcher(retriers('States.HeartbeatTimeout'), heartbeatFailure())).toBe(0)
    expect(findCatcher(retriers('States.HeartbeatTimeout'), timeoutFailure())).toBe(-1)
  })

  it('never matches a runtime error, not even by its name', () => {
    expect(findCatcher(retriers('States.Runtime', 'States.ALL'), runtimeFailure('x'))).toBe(-1)
  })
})
