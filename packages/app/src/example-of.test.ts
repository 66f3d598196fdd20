import { describe, expect, it } from 'vitest'
import { exampleOf } from './example-of.ts'

describe('exampleOf', () => {
  it.each([
    [
      {
        type: 'object',
        properties: { a: { type: 'integer', minimum: 3 }, b: { type: 'string' } },
        required: ['a'],
      },
      { a: 3 },
    ],
    [{ type: 'array', items: { enum: ['x', 'y'] } }, ['x']],
    [{ anyOf: [{ type: 'string', format: 'email' }, { type: 'null' }] }, 'ann@example.com'],
    [{ type: 'string', minLength: 6 }, 'textxx'],
    [{ type: 'number', default: 7 }, 7],
    [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, 0],
    [{ type: 'integer', exclusiveMinimum: 0 }, 1],
    [{ type: 'integer', maximum: -5 }, -5],
    [{ $ref: '#/$defs/flag', $defs: { flag: { type: 'boolean' } } }, false],
    [{ type: ['null', 'string'] }, null],
  ])('makes of %j what it takes', (schema, value) => {
    expect(exampleOf(schema, schema)).toEqual(value)
  })

  it('ends for a schema that contains itself', () => {
    const schema = { type: 'object', properties: { inner: { $ref: '#' } }, required: ['inner'] }
    expect(JSON.stringify(exampleOf(schema, schema))).toContain('"inner":null')
  })
})
