import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffSchemas, schemaHash } from './schema-contract.ts'

const column = fc.record({
  name: fc.string({ minLength: 1 }),
  type: fc.constantFrom('bigint', 'string', 'double'),
})
const columns = fc.uniqueArray(column, { selector: ({ name }) => name, maxLength: 12 })

describe('schemaHash', () => {
  it('is the same in any order of the columns, and another for other columns', () => {
    fc.assert(
      fc.property(columns, columns, (some, others) => {
        expect(schemaHash(some.toReversed())).toBe(schemaHash(some))
        const { added, removed, retyped } = diffSchemas(some, others)
        const same = added.length + removed.length + retyped.length === 0
        expect(schemaHash(some) === schemaHash(others)).toBe(same)
      }),
    )
  })
})

describe('diffSchemas', () => {
  it('names what was added, removed and retyped', () => {
    const before = [
      { name: 'id', type: 'bigint' },
      { name: 'price', type: 'bigint' },
      { name: 'old', type: 'string' },
    ]
    const after = [
      { name: 'new', type: 'struct<a:string>' },
      { name: 'price', type: 'double' },
      { name: 'id', type: 'bigint' },
    ]
    expect(diffSchemas(before, after)).toEqual({
      added: ['new struct<a:string>'],
      removed: ['old string'],
      retyped: ['price: bigint → double'],
    })
  })
})
