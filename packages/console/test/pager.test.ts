import { describe, expect, it } from 'vitest'
import { createPager, type PagerState, type Part } from '../web/pager.ts'

const pageSize = 2

/** A list of so many that is answered when it is told to, and what the pager said of it. */
function open(count: number) {
  const asked: (string | undefined)[] = []
  const answers: (() => void)[] = []
  const timers: (() => void)[] = []
  const list = { count, isBroken: false }
  const states: PagerState<number>[] = []
  const load = (after: string | undefined): Promise<Part<number>> => {
    asked.push(after)
    const { promise, resolve, reject } = Promise.withResolvers<Part<number>>()
    answers.push(() => {
      const from = Number(after ?? 0)
      const end = Math.min(list.count, from + pageSize)
      const items = Array.from({ length: Math.max(0, end - from) }, (_, index) => from + index)
      if (list.isBroken) reject(new Error('no such list'))
      else resolve({ items, next: end < list.count ? String(end) : undefined, total: list.count })
    })
    return promise
  }
  const pager = createPager(load, next => states.push(next), { setTimer: act => timers.push(act) })
  const settle = async (): Promise<void> => {
    while (answers.length > 0) {
      answers.shift()?.()
      await new Promise(resolve => setImmediate(resolve))
    }
  }
  return { pager, asked, timers, list, settle, state: () => states.at(-1) }
}

describe('createPager', () => {
  it('loads one part after the other, and none twice', async () => {
    const { pager, asked, settle, state } = open(5)
    pager.refresh()
    await settle()
    pager.more()
    pager.more()
    await settle()
    pager.more()
    await settle()
    pager.more()
    await settle()
    expect(state()).toEqual({
      items: [0, 1, 2, 3, 4],
      next: undefined,
      total: 5,
      error: undefined,
      isLoaded: true,
    })
    expect(asked).toEqual([undefined, '2', '4'])
  })

  it('keeps what is shown when it is refreshed, and does that once for many who ask', async () => {
    const { pager, asked, timers, list, settle, state } = open(4)
    pager.refresh()
    await settle()
    pager.more()
    await settle()
    list.count = 9
    asked.length = 0
    pager.refreshSoon()
    pager.refreshSoon()
    expect(timers).toHaveLength(1)
    timers[0]?.()
    pager.refresh()
    await settle()
    expect(state()).toMatchObject({ items: [0, 1, 2, 3], next: '4', total: 9 })
    expect(asked).toEqual([undefined, '2'])
    expect(timers).toHaveLength(2) // for the one who asked meanwhile
  })

  it('says what went wrong, keeps what it has, and tells nothing when it has ended', async () => {
    const { pager, list, settle, state } = open(2)
    pager.refresh()
    await settle()
    list.isBroken = true
    pager.refresh()
    await settle()
    expect(state()).toMatchObject({ items: [0, 1], error: 'no such list' })
    list.isBroken = false
    pager.refresh()
    pager.end()
    await settle()
    expect(state()).toMatchObject({ error: 'no such list' })
  })
})
