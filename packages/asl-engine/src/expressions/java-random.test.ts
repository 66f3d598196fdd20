import { describe, expect, it } from 'vitest'
import { javaRandom } from './java-random.ts'

describe('javaRandom', () => {
  it.each([
    [0, 0.730967787376657],
    [42, 0.7275636800328681],
    [42.9, 0.7275636800328681],
  ])('draws for the seed %s what Java draws', (seed, expected) => {
    expect(javaRandom(seed)).toBe(expected)
  })
})
