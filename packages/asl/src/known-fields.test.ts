import { describe, expect, it } from 'vitest'
import { readableAt } from './known-fields.ts'

const order = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    customer: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    rows: {
      type: 'array',
      items: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
    },
  },
  required: ['id', 'customer'],
}
const priced = { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] }
const tasks = { Price: { name: 'price', output: priced, errors: [] } }

const jsonPath = {
  StartAt: 'Price',
  States: {
    Price: {
      Type: 'Task',
      Resource: 'arn:aws:lambda:us-east-1:123456789012:function:Price',
      Parameters: { 'order.$': '$' },
      ResultPath: '$.price',
      Assign: { 'total.$': '$.total' },
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Tell' }],
      Next: 'Tell',
    },
    Tell: {
      Type: 'Map',
      ItemsPath: '$.rows',
      ItemSelector: { 'row.$': '$$.Map.Item.Value' },
      ItemProcessor: {
        StartAt: 'One',
        States: { One: { Type: 'Pass', Parameters: { 'x.$': '$' }, End: true } },
      },
      End: true,
    },
  },
}
const options = { tasks, input: order }

function names(pointer: readonly (string | number)[], path: string, definition: object = jsonPath) {
  const fields = readableAt(definition as never, pointer, options)?.fieldsBehind(path) ?? []
  return fields.map(({ name }) => name)
}

describe('readableAt', () => {
  it('knows the fields of the input, and those below them', () => {
    const at = ['States', 'Price', 'Parameters', 'order.$']
    expect(names(at, '$')).toEqual(['id', 'customer', 'rows'])
    expect(names(at, '$.customer')).toEqual(['name'])
    expect(names(at, '$.rows[0]')).toEqual(['sku'])
    expect(names(at, '$.rows[*]')).toEqual(['sku'])
    expect(names(at, '$$.Execution')).toContain('StartTime')
  })

  it('knows what a task has answered, and what came by one way only', () => {
    const at = ['States', 'Tell', 'ItemsPath']
    expect(names(at, '$')).toEqual(['id', 'customer', 'rows', 'price', 'error'])
    expect(names(at, '$.price')).toEqual(['total'])
    const fields = readableAt(jsonPath as never, at, options)?.fieldsBehind('$') ?? []
    expect(fields.find(({ name }) => name === 'price')?.isCertain).toBe(false)
    expect(fields.find(({ name }) => name === 'id')).toEqual({
      name: 'id',
      types: ['string'],
      isCertain: true,
    })
  })

  it('knows what an item of a Map is', () => {
    const inside = ['States', 'Tell', 'ItemProcessor', 'States', 'One', 'Parameters', 'x.$']
    expect(names(inside, '$')).toEqual(['row'])
    expect(names(inside, '$.row')).toEqual(['sku'])
    expect(names(['States', 'Tell', 'ItemSelector', 'row.$'], '$$.Map.Item')).toEqual(
      expect.arrayContaining(['Index', 'Value']),
    )
  })

  it('knows the variables', () => {
    const readable = readableAt(jsonPath as never, ['States', 'Tell', 'ItemsPath'], options)
    expect(readable?.variables()).toEqual([{ name: 'total', types: ['number'], isCertain: false }])
    expect(names(['States', 'Tell', 'ItemsPath'], '$.nothing')).toEqual([])
  })

  it('reads JSONata', () => {
    const jsonata = {
      QueryLanguage: 'JSONata',
      StartAt: 'Price',
      States: {
        Price: {
          Type: 'Task',
          Resource: 'arn:aws:lambda:us-east-1:123456789012:function:Price',
          Arguments: { a: '{% $sum($states.input.rows.price) + $states.input. %}' },
          Output: '{% $states.result %}',
          Assign: { customer: '{% $states.input.customer %}' },
          Next: 'Tell',
        },
        Tell: { Type: 'Succeed', Output: '{% $x %}' },
      },
    }
    expect(names(['States', 'Price', 'Arguments', 'a'], '$states.input', jsonata)).toEqual([
      'id',
      'customer',
      'rows',
    ])
    expect(names(['States', 'Price', 'Arguments', 'a'], '$states.input.rows', jsonata)).toEqual(['sku'])
    expect(names(['States', 'Price', 'Output'], '$states.result', jsonata)).toEqual(['total'])
    expect(names(['States', 'Tell', 'Output'], '$customer', jsonata)).toEqual(['name'])
    expect(readableAt(jsonata as never, ['States', 'Tell', 'Output'], options)?.variables()).toMatchObject([
      { name: 'customer', isCertain: true },
    ])
  })

  it('knows nothing where no state is', () => {
    expect(readableAt(jsonPath as never, ['StartAt'])).toBeUndefined()
    expect(readableAt(null, [])).toBeUndefined()
  })
})
