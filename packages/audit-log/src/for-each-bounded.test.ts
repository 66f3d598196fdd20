import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { forEachBounded } from './for-each-bounded.ts'

describe('forEachBounded', () => {
  const items = Array.from({ length: 20 }, (_, n) => n)

  it.each([{ limit: 3 }, { limit: 100 }])('keeps to %j', async bounds => {
    let running = 0
    let most = 0
    const done: number[] = []
    const count = await forEachBounded(items, bounds, async item => {
      most = Math.max(most, ++running)
      await turn()
      running -= 1
      done.push(item)
    })
    expect(count).toBe(20)
    expect(done.toSorted((a, b) => a - b)).toEqual(items)
    expect(most).toBe(Math.min(bounds.limit, 20))
  })

  it('takes async items, and none at all', async () => {
    async function* two() {
      yield 1
      yield 2
    }
    expect(await forEachBounded(two(), { limit: 1 }, turn)).toBe(2)
    expect(await forEachBounded([], { limit: 1 }, turn)).toBe(0)
  })

  it('stops at the first failure, after what was running', async () => {
    const finished: number[] = []
    const failing = forEachBounded(items, { limit: 3 }, async item => {
      await turn()
      if (item === 1) throw new Error(`item ${item}`)
      await turn()
      finished.push(item)
    })
    await expect(failing).rejects.toThrow('item 1')
    expect(finished.length).toBeLessThan(5)
    expect(finished).toContain(0)
  })
})
