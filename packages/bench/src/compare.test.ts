import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { compare } from './compare.ts'

describe('compare', () => {
  it('takes turns, and no contender is always first', async () => {
    const order: string[] = []
    const timings = await compare(
      'turns',
      { a: () => void order.push('a'), b: () => void order.push('b') },
      { rounds: 2, warmups: 0, print: () => {} },
    )
    expect(order.join('')).toBe('abba')
    expect(timings.a.samplesMs).toHaveLength(2)
  })

  it('refuses contenders that disagree', async () => {
    await expect(compare('sums', { right: () => [2], wrong: () => [3] })).rejects.toThrow(
      'wrong gave a different',
    )
  })

  it('finalizes what one contender left before the next begins', async () => {
    setFlagsFromString('--expose-gc')
    globalThis.gc = runInNewContext('gc')
    onTestFinished(() => {
      globalThis.gc = undefined
    })
    let left = 0
    const registry = new FinalizationRegistry(() => {
      left -= 1
    })
    const leave = (): void => {
      for (let made = 0; made < 1000; made += 1) {
        const garbage = {}
        new WeakRef(garbage).deref()
        registry.register(garbage, undefined)
        left += 1
      }
    }
    const found: number[] = []
    await compare('garbage', { leave, find: () => void found.push(left) }, { rounds: 2, print: () => {} })
    expect(found).toEqual([0, 0, 0])
  })
})
