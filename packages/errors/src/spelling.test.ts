import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closest } from './spelling.ts'

/** Insertions, deletions, substitutions and swaps of neighbours, counted in full. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : 1e9
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      ;(rows[i] as number[])[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped)
    }
  }
  return at(a.length, b.length)
}

describe('closest', () => {
  it('finds what a slip of the fingers meant', () => {
    const names = ['ValidationError', 'TemporaryError', 'States.ALL']
    expect(closest('ValidatoinError', names)).toBe('ValidationError')
    expect(closest('temporaryerror', names)).toBe('TemporaryError')
    expect(closest('States.Al', names)).toBe('States.ALL')
    expect(closest('Timeout', names)).toBeUndefined()
    expect(closest('', names)).toBeUndefined()
  })

  it('takes the first of the nearest, within the limit', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 })
    fc.assert(
      fc.property(
        word,
        fc.array(word, { maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        (given, known, limit) => {
          const distances = known.map(each => distance(given, each))
          const least = Math.min(...distances)
          const expected = least <= limit ? known[distances.indexOf(least)] : undefined
          expect(closest(given, known, limit)).toBe(expected)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('does not compare what is too long to be a name', () => {
    const before = process.threadCpuUsage()
    expect(closest('a'.repeat(100_000), [`${'a'.repeat(99_999)}b`])).toBeUndefined()
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(1000)
  })
})
