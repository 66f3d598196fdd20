import { describe, expect, it } from 'vitest'
import { backoffMs, sleep } from './retry.ts'

describe('sleep', () => {
  it('rejects with the reason of its signal, before and while it sleeps', async () => {
    const reason = new Error('cancelled')
    await expect(sleep(1e6, AbortSignal.abort(reason))).rejects.toBe(reason)
    await expect(sleep(0, AbortSignal.abort(reason))).rejects.toBe(reason)
    const controller = new AbortController()
    const sleeping = sleep(1e6, controller.signal)
    controller.abort(reason)
    await expect(sleeping).rejects.toBe(reason)
  })

  it('ends after its time, and at once without one', async () => {
    await sleep(1)
    await sleep(0)
    await sleep(-5)
  })

  it('is not cut short where setTimeout would be', async () => {
    const controller = new AbortController()
    const first = await Promise.race([
      sleep(2 ** 31, controller.signal).then(
        () => 'woke',
        () => 'aborted',
      ),
      sleep(5).then(() => 'still asleep'),
    ])
    controller.abort()
    expect(first).toBe('still asleep')
  })
})

describe('backoffMs', () => {
  const limits = { firstMs: 100, maxMs: 1000 }

  it('doubles up to its limit', () => {
    const waits = [1, 2, 3, 4, 5, 60].map(attempt => backoffMs(attempt, { ...limits, random: () => 1 }))
    expect(waits).toEqual([100, 200, 400, 800, 1000, 1000])
  })

  it('takes between half of it and all of it', () => {
    expect(backoffMs(2, { ...limits, random: () => 0 })).toBe(100)
    const drawn = backoffMs(2, limits)
    expect(drawn).toBeGreaterThanOrEqual(100)
    expect(drawn).toBeLessThanOrEqual(200)
  })
})
