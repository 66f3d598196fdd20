import { describe, expect, it } from 'vitest'
import { createCancellation } from './cancellation.ts'
import { createRealClock, createVirtualClock, sleepOn } from './clock.ts'

describe('createVirtualClock', () => {
  it('jumps from timer to timer in order', async () => {
    const clock = createVirtualClock(0)
    const seen: number[] = []
    const year = 365 * 24 * 3600 * 1000
    await Promise.all([
      sleepOn(clock, year).then(() => seen.push(clock.now())),
      sleepOn(clock, 5).then(() => seen.push(clock.now())),
      sleepOn(clock, 5).then(() => seen.push(-1)),
    ])
    expect(seen).toEqual([5, -1, year])
  })

  it('stands still while something is held', async () => {
    const clock = createVirtualClock(0)
    const release = clock.hold()
    let woke = false
    const sleeping = sleepOn(clock, 10).then(() => {
      woke = true
    })
    await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
    expect(woke).toBe(false)
    release()
    release()
    await sleeping
    expect(clock.now()).toBe(10)
  })

  it('forgets a cancelled timer', async () => {
    const clock = createVirtualClock(0)
    const cancel = clock.at(100, () => expect.unreachable())
    cancel()
    await sleepOn(clock, 200)
    expect(clock.now()).toBe(200)
  })

  it('wakes a sleeper that is cancelled', async () => {
    const cancellation = createCancellation()
    const sleeping = sleepOn(createVirtualClock(0), Number.POSITIVE_INFINITY, cancellation)
    cancellation.cancel()
    await expect(sleeping).rejects.toMatchObject({ name: 'Interrupted' })
  })
})

describe('createRealClock', () => {
  it('calls back at a time that has passed, soon', async () => {
    const clock = createRealClock()
    await new Promise<void>(resolve => clock.at(clock.now() - 1, resolve))
  })

  it('can wait longer than a timer can, and cancel', () => {
    const clock = createRealClock()
    clock.at(clock.now() + 2 ** 40, () => expect.unreachable())()
  })
})
