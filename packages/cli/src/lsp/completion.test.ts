import { describe, expect, it } from 'vitest'
import { completionsOf } from './completion.ts'
import { machineAround, openDocument } from './document.ts'

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
  const machine = machineAround(openDocument('file:///x', file, text), position)
  return machine ? (completionsOf(machine, position, workflow) as readonly Item[]) : []
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

describe('what a place has a choice of', () => {
  const machine = (state: string, more = ''): string =>
    `{\n  "StartAt": "A",\n  "States": {\n    "A": {\n      ${state}\n    }${more}\n  }\n}\n`

  it.each<[string, string, string]>([
    ['types of states', '"Type": "|",\n      "End": true', 'Parallel'],
    ['types while one types', '"Type": "Pa|\n', 'Pass'],
    ['modes', '"Type": "Map", "ItemProcessor": { "ProcessorConfig": { "Mode": "|" } }', 'DISTRIBUTED'],
    ['integrations', '"Type": "Task",\n      "Resource": "arn:aws:|"', 'arn:aws:states:::sqs:sendMessage'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the definition
    ['functions', '"Type": "Task",\n      "Resource": "|"', '${Price}'],
    [
      'actions of the SDK',
      '"Type": "Task",\n      "Resource": "arn:aws:states:::aws-sdk:s3:|"',
      'arn:aws:states:::aws-sdk:s3:copyObject',
    ],
    ['fields of a state', '"Type": "Task",\n      "|"', 'Resource'],
    ['fields while one types', '"Type": "Task",\n      "Res|\n', 'ResultPath'],
    ['fields before others', '"Type": "Wait",\n      "|\n      "Next": "B"', 'Seconds'],
    ['fields of a retrier', '"Type": "Task", "Retry": [{ "|" }]', 'ErrorEquals'],
  ])('offers %s', (_what, state, label) => {
    expect(labels(machine(state))).toContain(label)
  })

  it.each<[string, string, string]>([
    ['types', 'StartAt: A\nStates:\n  A:\n    Type: |\n', 'Succeed'],
    ['fields', 'StartAt: A\nStates:\n  A:\n    Type: Task\n    Re|\n', 'Resource'],
    ['fields of a catcher', 'StartAt: A\nStates:\n  A:\n    Type: Task\n    Catch:\n      - N|\n', 'Next'],
    [
      'integrations',
      'StartAt: A\nStates:\n  A:\n    Type: Task\n    Resource: arn:aws:s|\n',
      'arn:aws:states:::sns:publish',
    ],
  ])('offers %s in YAML', (_what, marked, label) => {
    expect(labels(marked, 'order.asl.yaml')).toContain(label)
  })

  it('replaces what is there already', () => {
    const [first] = complete(machine('"Type": "Task",\n      "Resource": "arn:aws:states:::sq|"'))
    expect(first?.textEdit.range).toEqual({
      start: { line: 5, character: 19 },
      end: { line: 5, character: 38 },
    })
  })

  it('offers nothing inside data', () => {
    expect(labels(machine('"Type": "Pass", "Result": { "|" }'))).toEqual([])
  })

  it('knows ErrorEquals in YAML, however many names it has', () => {
    const names = Array.from({ length: 200 }, (_, index) => `          - Error${index}\n`).join('')
    const text = (end: string): string =>
      `StartAt: A\nStates:\n  A:\n    Type: Task\n    Catch:\n      - ErrorEquals:\n${names}${end}`
    expect(labels(text('          - O|'), 'order.asl.yaml')).toContain('Odd')
    expect(labels(text('        Comment: O|'), 'order.asl.yaml')).not.toContain('Odd')
  })
})
