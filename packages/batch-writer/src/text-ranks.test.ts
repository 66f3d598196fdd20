import fc from 'fast-check'
import { expect, it } from 'vitest'
import { textRanks } from './text-ranks.ts'

it('never orders two texts against their own order', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b', '\u0000', 'ÿ', 'þ', 'Ā', '😀') }),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), fc.string(), (texts, prefix) => {
      const all = texts.map(each => prefix + each)
      const ranks = textRanks(all)
      for (const [a, first] of all.entries()) {
        for (const [b, second] of all.entries()) {
          const difference = (ranks[a] as number) - (ranks[b] as number)
          if (difference !== 0) expect(difference < 0).toBe(first < second)
        }
      }
    }),
  )
})

it('tells texts apart behind what they have in common', () => {
  const ranks = textRanks(['person.1', 'person.2', 'person.'])
  expect([...ranks].toSorted((a, b) => a - b)).toEqual([ranks[2], ranks[0], ranks[1]])
  expect(new Set(ranks).size).toBe(3)
})
