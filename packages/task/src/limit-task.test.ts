import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { defineTask, type TaskDefinition } from './define-task.ts'
import { describeTask } from './describe-task.ts'
import { limitTask } from './limit-task.ts'

type Run = TaskDefinition<typeof anything, typeof anything, Record<never, never>>['run']

const anything = z.any()

function limited(run: Run, maxSeconds?: number) {
  return defineTask({
    name: 'limited',
    input: anything,
    output: anything,
    errors: [],
    ...(maxSeconds !== undefined && { maxSeconds }),
    run,
  })
}

const untilAborted: Run = (_, __, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

describe('maxSeconds', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('aborts the signal a second before, and ends with a TaskTimeoutError', async () => {
    const aborted: number[] = []
    const started = Date.now()
    const run = limited((_, __, { signal }) => {
      signal.addEventListener('abort', () => aborted.push(Date.now() - started))
      return new Promise<never>(() => {})
    }, 30).run({})
    const rejected = expect(run).rejects.toMatchObject({
      name: 'TaskTimeoutError',
      message: 'the task was not done after 29000 ms',
    })
    await vi.advanceTimersByTimeAsync(28_999)
    expect(aborted).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    await rejected
    expect(aborted).toEqual([29_000])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('may be longer than a timer can count', async () => {
    const run = limited(async (_, __, { signal }) => {
      await new Promise(resolve => setTimeout(resolve, 86_400_000))
      return signal.aborted
    }, 40 * 86_400).run({})
    await vi.advanceTimersByTimeAsync(86_400_000)
    expect(await run).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('waits for a task that cleans up, and calls what it throws a time-out', async () => {
    const run = limited(async (input, ports, context) => {
      await Promise.resolve(untilAborted(input, ports, context)).catch(() => {})
      throw Object.assign(new Error('canceling statement'), { code: '57014' })
    }, 1).run({})
    const rejected = expect(run).rejects.toMatchObject({ name: 'TaskTimeoutError' })
    await vi.advanceTimersByTimeAsync(1_000)
    await rejected
  })

  it("counts down to its own end or the function's, whichever comes first", async () => {
    const left = limited((_, __, { remainingMs, now }) => [remainingMs(), now(), remainingMs()], 5)
    const clock = [100, 1_100, 2_100, 9_100]
    expect(await left.run({}, {}, { now: () => clock.shift() ?? 0 })).toEqual([4_000, 2_100, 0])
    expect((await left.run({}, {}, { remainingMs: () => 9 }))[0]).toBe(9)
  })

  it('passes on a signal that aborts before', async () => {
    const controller = new AbortController()
    const run = limited(untilAborted, 30).run({}, {}, { signal: controller.signal })
    const rejected = expect(run).rejects.toMatchObject({ cause: new Error('cancelled') })
    await vi.advanceTimersByTimeAsync(1)
    controller.abort(new Error('cancelled'))
    await rejected
  })

  it('leaves no timer behind, and starts none where there is no limit', async () => {
    const timers: Run = () => vi.getTimerCount()
    expect(await limited(timers).run({})).toBe(0)
    expect(await limited(timers, 30).run({})).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is part of the contract', () => {
    expect(describeTask(limited(() => 0, 30)).maxSeconds).toBe(30)
    expect(Object.hasOwn(describeTask(limited(() => 0)), 'maxSeconds')).toBe(false)
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses %s', maxSeconds => {
    expect(() => limited(() => 0, maxSeconds)).toThrow(
      `the maxSeconds of limited must be a number above 0, not ${maxSeconds}`,
    )
  })
})

describe('limitTask', () => {
  it('keeps the smaller limit', () => {
    const task = limited(() => 0, 30)
    expect(limitTask(task, undefined)).toBe(task)
    expect([limitTask(task, 10).maxSeconds, limitTask(task, 40).maxSeconds]).toEqual([10, 30])
  })
})
