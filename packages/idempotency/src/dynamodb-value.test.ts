import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attributeBytes, fromAttributeValue, toAttributeValue } from './dynamodb-value.ts'

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

  it('has no answer for what would come back as another value', () => {
    expect(toAttributeValue('half a pair \ud83d')).toBeUndefined()
    expect(toAttributeValue([{ '\ude00': 1 }])).toBeUndefined()
    expect(toAttributeValue({ a: JSON.parse('{"__proto__":1}') })).toBeUndefined()
  })
})

describe('attributeBytes', () => {
  it.each([
    ['', 0],
    ['é', 2],
    [true, 1],
    [null, 1],
    [[], 3],
    [[''], 4],
    [{ é: {} }, 9],
  ])('counts %j as DynamoDB does', (value, bytes) => {
    expect(attributeBytes(toAttributeValue(value) as AttributeValue)).toBe(bytes)
  })

  it.each([0, 7, -12, 123.45, 1e100, -1.2345678e125])('counts %d as no less than DynamoDB', value => {
    const digits = String(Math.abs(value)).replace(/e.*|\D/g, '').length
    const least = Math.ceil(digits / 2) + (value < 0 ? 2 : 1)
    expect(attributeBytes(toAttributeValue(value) as AttributeValue)).toBeGreaterThanOrEqual(least)
  })
})

describe('fromAttributeValue', () => {
  it('reads what others may have stored', () => {
    expect(fromAttributeValue({ SS: ['a', 'b'] })).toEqual(['a', 'b'])
    expect(fromAttributeValue({ NS: ['1', '2'] })).toEqual([1, 2])
  })
})
