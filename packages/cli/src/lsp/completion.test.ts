import { describe, expect, it } from 'vitest'
import { completionsOf } from './completion.ts'
import { openDocument } from './document.ts'

const order = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    customer: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    'odd name': { type: 'string' },
  },
  required: ['id', 'customer'],
}
const priced = { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] }
const workflow = {
  definition: 'order.asl.json',
  input: order,
  tasks: { Price: { name: 'price', output: priced, errors: [{ name: 'Odd', kind: 'business' }] } },
} as const

interface Item {
  readonly label: string
  readonly detail: string
  readonly textEdit: { readonly range: unknown; readonly newText: string }
}

/** What is offered where the text has a `|`. */
function complete(marked: string, file = 'order.asl.json'): readonly Item[] {
  const at = marked.indexOf('|')
  const text = marked.slice(0, at) + marked.slice(at + 1)
  const lines = text.slice(0, at).split('\n')
  const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
  return completionsOf(openDocument('file:///x', file, text), position, workflow) as readonly Item[]
}

function labels(marked: string, file?: string) {
  return complete(marked, file).map(({ label }) => label)
}

function inJson(field: string): string {
  return `{
  "StartAt": "Price",
  "States": {
    "Price": {
      "Type": "Task",
      "Resource": "arn:aws:lambda:us-east-1:123456789012:function:Price",
      "Assign": { "price.$": "$" },
      "ResultPath": "$.price",
      "Next": "Tell"
    },
    "Tell": { "Type": "Pass", ${field} "End": true }
  }
}`
}

function inYaml(field: string): string {
  return `StartAt: Price
States:
  Price:
    Type: Task
    Resource: arn:aws:lambda:us-east-1:123456789012:function:Price
    ResultPath: $.price
    Retry:
      - ErrorEquals:
          - Odd
        MaxAttempts: 0
    Next: Tell
  Tell:
    Type: Pass
    ${field}
    End: true
`
}

describe('completion of paths', () => {
  it.each([
    ['"InputPath": "$.|",', ['id', 'customer', 'price']],
    ['"InputPath": "$.cu|",', ['id', 'customer', 'price']],
    ['"InputPath": "$.customer.|",', ['name']],
    ['"Parameters": { "a.$": "$.price.|" },', ['total']],
    [`"Parameters": { "a.$": "States.Format('{}', $.customer.|)" },`, ['name']],
    ['"Parameters": { "a.$": "$price.|" },', ['total']],
    ['"Parameters": { "a.$": "$p|" },', ['price']],
    ['"Parameters": { "a": "$.|" },', []],
    ['"Comment": "costs $.|",', []],
  ])('offers in JSON at %s what the data flow knows', (field, expected) => {
    expect(labels(inJson(field))).toEqual(expected)
  })

  it('offers the fields of the context object', () => {
    expect(labels(inJson('"Parameters": { "a.$": "$$.Execution.|" },'))).toContain('Input')
  })

  it.each([
    ['InputPath: $.|', ['id', 'customer', 'price']],
    ['InputPath: "$.customer.|"', ['name']],
    ['InputPath: $.price.to|', ['total']],
  ])('offers in YAML at %s what the data flow knows', (field, expected) => {
    expect(labels(inYaml(field), 'order.asl.yaml')).toEqual(expected)
  })

  it.each(['"InputPath": "$.customer.|\n', '"InputPath": "$.customer.|, \n'])(
    'offers them also in a text that is not finished: %j',
    field => {
      expect(labels(inJson(field))).toEqual(['name'])
    },
  )

  it('replaces what was begun, and says what is known', () => {
    const [, customer] = complete(inJson('"InputPath": "$.cu|",'))
    expect(customer).toMatchObject({ detail: 'object', textEdit: { newText: 'customer' } })
    const line = inJson('')
      .split('\n')
      .findIndex(text => text.includes('"Tell": {'))
    const character = '    "Tell": { "Type": "Pass", "InputPath": "$.'.length
    expect(customer?.textEdit.range).toEqual({
      start: { line, character },
      end: { line, character: character + 2 },
    })
  })

  it('reads JSONata', () => {
    const jsonata = (field: string) => inJson(`"QueryLanguage": "JSONata", ${field}`)
    expect(labels(jsonata(`"Output": "{% $states.input.| %}",`))).toEqual([
      'id',
      'customer',
      'odd name',
      'price',
    ])
    expect(complete(jsonata(`"Output": "{% $states.input.| %}",`))[2]?.textEdit.newText).toBe('`odd name`')
    expect(labels(jsonata(`"Output": "{% $uppercase($states.input.customer.|) %}",`))).toEqual(['name'])
    expect(labels(jsonata(`"Output": "{% $states.| %}",`))).toEqual(['input', 'context', 'result'])
    expect(labels(jsonata(`"Output": "{% $| %}",`))).toEqual(
      expect.arrayContaining(['price', 'states', 'sum', 'parse']),
    )
  })
})

describe('completion of names in YAML', () => {
  it('offers states and errors where they belong', () => {
    expect(labels(inYaml('Next: |'), 'order.asl.yaml')).toEqual(['Price', 'Tell'])
    const errors = inYaml('').replace('- Odd', '- O|')
    expect(labels(errors, 'order.asl.yaml')).toContain('Odd')
    expect(labels(inYaml('').replace('MaxAttempts: 0', 'MaxAttempts: |'), 'order.asl.yaml')).toEqual([])
  })
})
