import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromAttributeValue, toAttributeValue } from './dynamodb-value.ts'

describe('toAttributeValue', () => {
  it('is undone by fromAttributeValue wherever DynamoDB can hold the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const attribute = toAttributeValue(value)
        if (attribute !== undefined) {
          expect(JSON.stringify(fromAttributeValue(attribute))).toBe(JSON.stringify(value))
        }
      }),
    )
  })

  it('has an answer for all but what DynamoDB refuses', () => {
    expect(toAttributeValue({ a: [1, 'x', true, null, 9.99e125, 1e-130, 0] })).toBeDefined()
    expect(toAttributeValue({ a: [1e126] })).toBeUndefined()
    expect(toAttributeValue(5e-324)).toBeUndefined()
    expect(toAttributeValue({ '': 1 })).toBeUndefined()
    expect(toAttributeValue(JSON.parse(`${'['.repeat(31)}${']'.repeat(31)}`))).toBeUndefined()
    expect(toAttributeValue(JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`))).toBeDefined()
  })

  it('keeps a member that is called __proto__', () => {
    const value = JSON.parse('{"__proto__":1}')
    const attribute = toAttributeValue(value)
    expect(attribute && JSON.stringify(fromAttributeValue(attribute))).toBe('{"__proto__":1}')
  })
})

describe('fromAttributeValue', () => {
  it('reads what others may have stored', () => {
    expect(fromAttributeValue({ SS: ['a', 'b'] })).toEqual(['a', 'b'])
    expect(fromAttributeValue({ NS: ['1', '2'] })).toEqual([1, 2])
  })
})
