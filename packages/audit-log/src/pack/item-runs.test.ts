import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logTypes } from '../audit-entry.ts'
import { parseIndex, toIndex } from './item-runs.ts'

describe('toIndex', () => {
  it('names every item of every type, and no other', () => {
    const entry = fc.record({ itemIndex: fc.nat(50), logType: fc.constantFrom(...logTypes) })
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1 }), entries => {
        const index = toIndex(entries.toSorted((a, b) => a.itemIndex - b.itemIndex))
        for (const logType of logTypes) {
          const items = new Set(entries.filter(one => one.logType === logType).map(one => one.itemIndex))
          const part = index.split(';').find(one => one.startsWith(logType))
          const found = (part ? (parseIndex(part) ?? []) : []).flatMap(({ from, to }) =>
            Array.from({ length: to - from + 1 }, (_, n) => from + n),
          )
          expect(found).toEqual([...items].sort((a, b) => a - b))
        }
      }),
    )
  })

  it('is read in the order of items', () => {
    expect(parseIndex('SUCCESS 1-3,9;SYSTEM_ERROR 4-5')).toEqual([
      { from: 1, to: 3 },
      { from: 4, to: 5 },
      { from: 9, to: 9 },
    ])
  })

  it.each([
    '',
    'SUCCESS',
    'SUCCESS ',
    'SUCCESS 3-1',
    'OTHER 1',
    'SUCCESS 1,',
    'SUCCESS 1;',
    'SUCCESS -1',
    'SUCCESS 1-2-3',
  ])('is not "%s"', text => {
    expect(parseIndex(text)).toBeUndefined()
  })
})
