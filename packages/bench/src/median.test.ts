import { describe, expect, it } from 'vitest'
import { median } from './median.ts'

describe('median', () => {
  it('takes the middle, or the mean of the two middle ones', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([4, 1, 3, 2])).toBe(2.5)
  })

  it('refuses nothing', () => {
    expect(() => median([])).toThrow(RangeError)
  })
})
