import { describe, expect, it } from 'vitest'
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
})
