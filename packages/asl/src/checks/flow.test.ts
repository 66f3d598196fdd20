import { defineTask, type JsonSchema } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import { toJSONSchema } from 'zod'
import * as z from 'zod/mini'
import { type CheckOptions, checkWorkflow } from '../index.ts'

const lambda = 'arn:aws:lambda:eu-west-1:123456789012:function:work'
function object(properties: Record<string, object>) {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }
}
const text = { type: 'string' }

function flow(States: object, options: CheckOptions = {}) {
  return checkWorkflow({ StartAt: Object.keys(States)[0], States }, options)
    .filter(({ rule }) => rule.startsWith('flow/'))
    .map(({ rule, pointer }) => `${rule} ${pointer.replace('/States/', '')}`)
}

function read(path: string, more: object = { End: true }) {
  return {
    Type: 'Pass',
    Parameters: { 'value.$': path },
    ...more,
  }
}
const input = object({ order: object({ id: text }), lines: { type: 'array', items: object({ sku: text }) } })

describe('a ResultPath into something that may be missing', () => {
  it('leaves nothing else there where it was', () => {
    const order = { type: 'object', properties: { order: object({ id: text }) }, additionalProperties: false }
    const machine = (path: string) => ({
      Price: { Type: 'Task', Resource: lambda, ResultPath: '$.order.price', Next: 'Read' },
      Read: read(path),
    })
    expect(flow(machine('$.order.price'), { input: order })).toEqual([])
    expect(flow(machine('$.order.id'), { input: order })).toEqual([
      'flow/optional-field Read/Parameters/value.$',
    ])
  })
})

describe('comparisons of different types', () => {
  const given = object({
    express: { type: 'boolean' },
    count: { type: 'integer' },
    sku: text,
    note: { type: ['string', 'null'] },
    any: {},
  })
  const choose = (test: object, more: object = {}) =>
    flow(
      {
        Which: { Type: 'Choice', Choices: [{ ...test, Next: 'Yes' }], Default: 'No', ...more },
        Yes: { Type: 'Succeed' },
        No: { Type: 'Fail', Error: 'No' },
      },
      { input: given },
    )
  const at = (place: string): string[] => [`flow/never-equal Which/Choices/0/${place}`]

  it.each<[object, string[]]>([
    [{ Variable: '$.express', StringEquals: 'true' }, at('Variable')],
    [{ Variable: '$.sku', BooleanEquals: true }, at('Variable')],
    [{ Variable: '$.sku', NumericGreaterThan: 1 }, at('Variable')],
    [{ Variable: '$.count', TimestampLessThan: '2026-01-01T00:00:00Z' }, at('Variable')],
    [{ Variable: '$.count', NumericEqualsPath: '$.sku' }, at('NumericEqualsPath')],
    [{ Not: { Variable: '$.express', StringEquals: 'true' } }, at('Not/Variable')],
    [{ Variable: '$.express', BooleanEquals: true }, []],
    [{ Variable: '$.note', StringEquals: 'x' }, []],
    [{ Variable: '$.any', StringEquals: 'x' }, []],
    [{ Variable: '$.count', IsString: true }, []],
    [{ Variable: '$.sku', TimestampLessThan: '2026-01-01T00:00:00Z' }, []],
  ])('are found in %j', (test, expected) => {
    expect(choose(test)).toEqual(expected)
  })

  it('are found in JSONata', () => {
    const condition = (Condition: string) => choose({ Condition }, { QueryLanguage: 'JSONata' })
    expect(condition("{% $states.input.express = 'true' %}")).toEqual(at('Condition'))
    expect(condition("{% $states.input.count != '1' %}")).toEqual(at('Condition'))
    expect(condition('{% $states.input.express = true and $states.input.count = 1 %}')).toEqual([])
    expect(condition("{% $states.input.note = 'x' or $states.input.any = 1 %}")).toEqual([])
  })

  it('are not found where a loop brings another type', () => {
    const machine = {
      Begin: { Type: 'Pass', Result: 0, ResultPath: '$.state', Next: 'Done' },
      Done: {
        Type: 'Choice',
        Choices: [{ Variable: '$.state', StringEquals: 'done', Next: 'End' }],
        Default: 'Work',
      },
      Work: { Type: 'Task', Resource: lambda, ResultPath: '$.state', Next: 'Done' },
      End: { Type: 'Succeed' },
    }
    expect(flow(machine, { input: given })).toEqual([])
  })

  it('find a name or a cause that is no text', () => {
    expect(flow({ Stop: { Type: 'Fail', ErrorPath: '$.count' } }, { input: given })).toEqual([
      'flow/wrong-type Stop/ErrorPath',
    ])
  })
})

describe('the data flow of JSONPath', () => {
  it.each([
    ['$.order.id', []],
    ['$.order.ident', ['flow/missing-path Read/Parameters/value.$']],
    ['$.lines[0].sku', ['flow/optional-field Read/Parameters/value.$']],
    ['$.lines[*].other', []],
    ['$.order.length()', []],
    ['$.nothing.length()', ['flow/missing-path Read/Parameters/value.$']],
    ['States.ArrayGetItem($.lines, 0)', ['flow/optional-field Read/Parameters/value.$']],
    ['States.ArrayLength($.lines)', []],
    ['States.ArrayLength($.order)', ['flow/wrong-type Read/Parameters/value.$']],
    ['States.JsonMerge($.order, $.lines, false)', ['flow/wrong-type Read/Parameters/value.$']],
    ['$.order.id.deeper', ['flow/missing-path Read/Parameters/value.$']],
    ["States.Format('{}', $.nothing)", ['flow/missing-path Read/Parameters/value.$']],
    ['$$.Execution.Input.order.id', []],
    ['$$.Execution.Input.nothing', ['flow/missing-path Read/Parameters/value.$']],
    ['$$.Map.Item.Value', ['flow/unknown-context Read/Parameters/value.$']],
  ])('reads %s from the input', (path, expected) => {
    expect(flow({ Read: read(path) }, { input })).toEqual(expected)
  })

  it('takes the index of a list that is long enough', () => {
    const long = object({ rows: { type: 'array', items: object({ id: text }), minItems: 1 } })
    expect(flow({ Read: read('$.rows[0].id') }, { input: long })).toEqual([])
    expect(flow({ Read: read('$.rows[0].name') }, { input: long })).toEqual([
      'flow/missing-path Read/Parameters/value.$',
    ])
    expect(flow({ Read: read('$.rows[1].id') }, { input: long })).toEqual([
      'flow/optional-field Read/Parameters/value.$',
    ])
  })

  it.each([
    [{ type: 'number' }, []],
    [{ enum: ['5', '10'] }, []],
    [{ enum: ['5', 'soon'] }, ['flow/doubtful-type Rest/SecondsPath']],
    [{ enum: ['soon', 'later'] }, ['flow/wrong-type Rest/SecondsPath']],
    [{ type: 'string' }, ['flow/doubtful-type Rest/SecondsPath']],
    [{ type: ['number', 'null'] }, ['flow/doubtful-type Rest/SecondsPath']],
  ])('waits for seconds that are %j', (seconds, expected) => {
    const states = { Rest: { Type: 'Wait', SecondsPath: '$.seconds', End: true } }
    expect(flow(states, { input: object({ seconds }) })).toEqual(expected)
  })

  it('learns from IsPresent that a variable is assigned', () => {
    const states = {
      Ask: {
        Type: 'Choice',
        Choices: [{ Variable: '$.order.id', StringEquals: 'a', Next: 'Set' }],
        Default: 'Check',
      },
      Set: { Type: 'Pass', Assign: { 'kept.$': '$.order' }, Next: 'Check' },
      Check: {
        Type: 'Choice',
        Choices: [{ Variable: '$kept', IsPresent: true, Next: 'Read' }],
        Default: 'Done',
      },
      Read: read('$kept.id', { Next: 'Done' }),
      Done: { Type: 'Succeed' },
    }
    expect(flow(states, { input })).toEqual([])
    const unasked = { ...states, Check: { Type: 'Pass', Next: 'Read' } }
    expect(flow(unasked, { input })).toEqual(['flow/unassigned-variable Read/Parameters/value.$'])
  })

  it('reports nothing where nothing is known', () => {
    expect(flow({ Read: read('$.anything.at[0].all') })).toEqual([])
    expect(
      flow({ Call: { Type: 'Task', Resource: lambda, Next: 'Read' }, Read: read('$.anything') }, { input }),
    ).toEqual([])
  })

  it('follows InputPath, ResultSelector, ResultPath and OutputPath', () => {
    const call = {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: { FunctionName: 'work', 'Payload.$': '$.order' },
      ResultSelector: { 'code.$': '$.StatusCode', 'body.$': '$.Payload' },
      ResultPath: '$.call.result',
      OutputPath: '$.call',
      Next: 'Read',
    }
    const readAfter = (path: string) => flow({ Call: call, Read: read(path) }, { input })
    expect(readAfter('$.result.code')).toEqual([])
    expect(readAfter('$.result.body.anything')).toEqual([])
    expect(readAfter('$.result.status')).toEqual(['flow/missing-path Read/Parameters/value.$'])
    expect(readAfter('$.order.id')).toEqual(['flow/missing-path Read/Parameters/value.$'])
  })

  it('keeps the input where ResultPath is null, and empties it where InputPath is', () => {
    const call = { Type: 'Task', Resource: lambda, ResultPath: null, Next: 'Read' }
    expect(flow({ Call: call, Read: read('$.order.id') }, { input })).toEqual([])
    expect(flow({ Read: read('$.order.id', { InputPath: null, End: true }) }, { input })).toEqual([
      'flow/missing-path Read/Parameters/value.$',
    ])
  })

  it('learns from a Choice what is there', () => {
    const optional = { ...input, required: ['lines'] }
    const machine = (test: object) => ({
      Check: { Type: 'Choice', Choices: [{ ...test, Next: 'Read' }], Default: 'Done' },
      Read: read('$.order.id'),
      Done: { Type: 'Succeed' },
    })
    expect(flow(machine({ Variable: '$.order', IsPresent: true }), { input: optional })).toEqual([])
    expect(flow(machine({ Variable: '$.lines', IsPresent: true }), { input: optional })).toEqual([
      'flow/optional-field Read/Parameters/value.$',
    ])
    const guarded = {
      And: [
        { Variable: '$.order', IsPresent: true },
        { Variable: '$.order.id', StringEquals: 'a' },
      ],
    }
    expect(flow(machine(guarded), { input: optional })).toEqual([])
    expect(flow(machine({ Not: { Variable: '$.order', IsPresent: false } }), { input: optional })).toEqual([])
    const either = {
      Or: [
        { Variable: '$.order', IsPresent: false },
        { Variable: '$.order.id', StringEquals: 'a' },
      ],
    }
    expect(flow(machine(either), { input: optional })).toEqual([
      'flow/missing-after-test Read/Parameters/value.$',
    ])
  })

  it('names the way on which a path is missing', () => {
    const states = {
      Check: {
        Type: 'Choice',
        Choices: [{ Variable: '$.order.id', StringEquals: 'x', Next: 'Add' }],
        Default: 'Read',
      },
      Add: { Type: 'Pass', Result: 1, ResultPath: '$.added', Next: 'Read' },
      Read: read('$.added'),
    }
    const [finding] = checkWorkflow({ StartAt: 'Check', TimeoutSeconds: 1, States: states }, { input })
    expect(finding).toMatchObject({
      rule: 'flow/sometimes-missing',
      message: expect.stringContaining('by way of the default of "Check"'),
    })
  })

  it('remembers where ways parted, past the state in which they met', () => {
    const states = {
      Check: {
        Type: 'Choice',
        Choices: [{ Variable: '$.order.id', StringEquals: 'x', Next: 'Add' }],
        Default: 'Meet',
      },
      Add: { Type: 'Pass', Result: 1, ResultPath: '$.added', Next: 'Meet' },
      Meet: { Type: 'Wait', Seconds: 1, Next: 'Read' },
      Read: read('$.added'),
    }
    const [finding] = checkWorkflow({ StartAt: 'Check', TimeoutSeconds: 1, States: states }, { input })
    expect(finding).toMatchObject({
      rule: 'flow/sometimes-missing',
      pointer: '/States/Read/Parameters/value.$',
      message: expect.stringContaining('the default of "Check"'),
    })
  })

  it('follows a field that a catcher loses through later states, to the catcher', () => {
    const states = {
      Call: {
        Type: 'Task',
        Resource: lambda,
        ResultPath: '$.result',
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Note' }],
        Next: 'Done',
      },
      Note: { Type: 'Task', Resource: lambda, ResultPath: null, Next: 'Read' },
      Read: read('$.order.id', { Next: 'Failed' }),
      Failed: { Type: 'Fail', CausePath: '$.value' },
      Done: { Type: 'Succeed' },
    }
    expect(flow(states, { input })).toEqual(['flow/catcher-drops-input Call/Catch/0'])
  })

  it('ends in loops, whose data it may lose but not invent', () => {
    const states = {
      Start: { Type: 'Pass', Parameters: { n: 0, 'inner.$': '$' }, Next: 'Count' },
      Count: { Type: 'Pass', Parameters: { 'n.$': 'States.MathAdd($.n, 1)', 'inner.$': '$' }, Next: 'Again' },
      Again: {
        Type: 'Choice',
        Choices: [{ Variable: '$.n', NumericLessThan: 9, Next: 'Count' }],
        Default: 'Read',
      },
      Read: read('$.n'),
    }
    expect(flow(states, { input })).toEqual([])
    expect(flow({ ...states, Read: read('$.m') }, { input })).toEqual([
      'flow/missing-path Read/Parameters/value.$',
    ])
  })

  it('looks into the items of a Map and the branches of a Parallel', () => {
    const inner = (path: string) => ({ StartAt: 'Inner', States: { Inner: read(path) } })
    const map = (path: string, more: object = {}) => ({
      Each: { Type: 'Map', ItemsPath: '$.lines', ItemProcessor: inner(path), End: true, ...more },
    })
    const at = 'flow/missing-path Each/ItemProcessor/States/Inner/Parameters/value.$'
    expect(flow(map('$.sku'), { input })).toEqual([])
    expect(flow(map('$.nothing'), { input })).toEqual([at])
    expect(
      flow(map('$.id', { ItemSelector: { 'id.$': '$.order.id', 'line.$': '$$.Map.Item.Value.sku' } }), {
        input,
      }),
    ).toEqual([])
    expect(flow(map('$.sku', { ItemSelector: { 'line.$': '$$.Map.Item.Value' } }), { input })).toEqual([at])
    expect(flow(map('$.Items', { ItemBatcher: { MaxItemsPerBatch: 5 } }), { input })).toEqual([])
    const both = {
      Both: {
        Type: 'Parallel',
        Branches: [inner('$.order.id'), { StartAt: 'Two', States: { Two: read('$.lines') } }],
        Next: 'Read',
      },
    }
    expect(flow({ ...both, Read: read('$[1].value') }, { input })).toEqual([])
    expect(flow({ ...both, Read: read('$[2]') }, { input })).toEqual([
      'flow/missing-path Read/Parameters/value.$',
    ])
  })

  it('looks at what a Map’s reader, writer and batcher read', () => {
    const map = {
      Each: {
        Type: 'Map',
        ItemReader: {
          Resource: 'arn:aws:states:::s3:getObject',
          Parameters: { Bucket: 'b', 'Key.$': '$.key' },
          ReaderConfig: { InputType: 'CSV', MaxItemsPath: '$.most' },
        },
        ItemBatcher: { MaxItemsPerBatchPath: '$.order.id', BatchInput: { 'id.$': '$.ident' } },
        ResultWriter: {
          Resource: 'arn:aws:states:::s3:putObject',
          Parameters: { 'Bucket.$': '$.order.id', 'Prefix.$': '$.prefix' },
        },
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
          StartAt: 'Inner',
          States: { Inner: { Type: 'Succeed' } },
        },
        End: true,
      },
    }
    expect(flow(map, { input }).sort()).toEqual([
      'flow/missing-path Each/ItemBatcher/BatchInput/id.$',
      'flow/missing-path Each/ItemReader/Parameters/Key.$',
      'flow/missing-path Each/ItemReader/ReaderConfig/MaxItemsPath',
      'flow/missing-path Each/ResultWriter/Parameters/Prefix.$',
    ])
  })

  it('knows that a Distributed Map’s items have an execution of their own', () => {
    const items = (path: string) => ({
      Each: {
        Type: 'Map',
        ItemsPath: '$.lines',
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
          StartAt: 'Inner',
          States: { Inner: read(path) },
        },
        End: true,
      },
    })
    expect(flow(items('$$.Execution.Input.sku'), { input })).toEqual([])
    expect(flow(items('$$.Execution.Input.order.id'), { input })).toEqual([
      'flow/missing-path Each/ItemProcessor/States/Inner/Parameters/value.$',
    ])
  })
})

describe('the data flow of JSONata', () => {
  const pass = (Output: unknown, more: object = { End: true }) => ({
    Type: 'Pass',
    QueryLanguage: 'JSONata',
    Output,
    ...more,
  })

  it.each([
    ['{% $states.input.order.id %}', []],
    ['{% $states.input.order.ident %}', ['flow/missing-path Note/Output']],
    ['{% $exists($states.input.order.ident) %}', []],
    ['{% $states.input.lines.sku %}', ['flow/optional-field Note/Output']],
    ['{% $states.input.lines[0].nothing %}', ['flow/missing-path Note/Output']],
    ['{% $states.input.lines[0].sku %}', ['flow/optional-field Note/Output']],
    ['{% $states.input.lines[sku = "a"] %}', ['flow/optional-field Note/Output']],
    ['{% $count($states.input.lines[sku = "a"]) %}', []],
    ['{% $filter($states.input.lines, function($line) { true }) %}', ['flow/optional-field Note/Output']],
    ['{% $map($states.input.lines, function($line) { 1 }) %}', ['flow/optional-field Note/Output']],
    ['{% $lookup($states.input, "nothing") %}', ['flow/missing-path Note/Output']],
    ['{% $states.input.order.id + 1 %}', ['flow/wrong-type Note/Output']],
    ['{% $uppercase($states.input.order.id) %}', []],
    ['{% $uppercase($states.input.order) %}', ['flow/wrong-type Note/Output']],
    ['{% $sum($states.input.lines) %}', ['flow/doubtful-type Note/Output']],
    ['{% $states.input.order[0].id %}', []],
    ['{% $states.input.order[1].id %}', ['flow/missing-path Note/Output']],
    ['{% $number($states.input.order.id) %}', ['flow/doubtful-type Note/Output']],
    ['{% $number($states.input.order) %}', ['flow/wrong-type Note/Output']],
    ['{% $merge([$states.input, $states.input.order.id]) %}', ['flow/wrong-type Note/Output']],
    ['{% $merge([$states.input, $states.input.lines]) %}', []],
    ['{% $states.context.Execution.Nme %}', ['flow/unknown-context Note/Output']],
  ])('reads %s', (Output, expected) => {
    expect(flow({ Note: pass(Output) }, { input })).toEqual(expected)
  })

  it('knows what a merge, a condition and an empty list make', () => {
    const readAfter = (Output: unknown, reads: string) =>
      flow({ Make: pass(Output, { Next: 'Note' }), Note: pass(reads) }, { input })
    const merge = '{% $merge([$states.input, { "extra": $states.input.order }]) %}'
    expect(readAfter(merge, '{% $states.input.extra.id %}')).toEqual([])
    expect(readAfter(merge, '{% $states.input.lines %}')).toEqual([])
    expect(readAfter(merge, '{% $states.input.nothing %}')).toEqual(['flow/missing-path Note/Output'])
    expect(readAfter('{% $exists($v) ? $v : 1 %}', '{% $states.input.id %}')).toEqual([
      'flow/missing-path Note/Output',
    ])
    expect(readAfter({ rows: [] }, '{% $states.input.rows.id %}')).toEqual(['flow/missing-path Note/Output'])
  })

  it('learns from $exists in a Condition what is there', () => {
    const optional = { ...input, required: ['lines'] }
    const choice = (Condition: string, reads = '{% $states.input.order.id %}') => ({
      Check: {
        Type: 'Choice',
        QueryLanguage: 'JSONata',
        Choices: [{ Condition, Next: 'Note' }],
        Default: 'Done',
      },
      Note: pass(reads, { Next: 'Done' }),
      Done: { Type: 'Succeed' },
    })
    const missing = ['flow/optional-field Note/Output']
    expect(flow(choice('{% $exists($states.input.lines) %}'), { input: optional })).toEqual(missing)
    expect(flow(choice('{% $exists($states.input.order) %}'), { input: optional })).toEqual([])
    expect(
      flow(choice('{% ($exists($states.input.order) and $count($states.input.lines) > 1) %}'), {
        input: optional,
      }),
    ).toEqual([])
    expect(
      flow(choice('{% $exists($states.input.order) or $count($states.input.lines) > 1 %}'), {
        input: optional,
      }),
    ).toEqual(missing)
    expect(flow(choice('{% $states.input.order.id = "a" %}'), { input: optional })).toEqual([])
    expect(flow(choice('{% $not($exists($states.input.order)) %}'), { input: optional })).toEqual([
      'flow/missing-path Note/Output',
    ])
  })

  it('follows Assign, Output and errorOutput', () => {
    const states = {
      Call: {
        Type: 'Task',
        QueryLanguage: 'JSONata',
        Resource: lambda,
        Assign: { order: '{% $states.input.order %}' },
        Output: { kept: "{% { 'id': $states.input.order.id } %}" },
        Catch: [
          {
            ErrorEquals: ['States.ALL'],
            Output: { cause: '{% $states.errorOutput.Cause %}' },
            Next: 'Failed',
          },
        ],
        Next: 'Note',
      },
      Note: pass({ id: '{% $states.input.kept.id %}', other: '{% $order.id %}' }),
      Failed: {
        Type: 'Fail',
        QueryLanguage: 'JSONata',
        Cause: '{% $states.input.cause %}',
        Error: '{% $order.id %}',
      },
    }
    expect(flow(states, { input })).toEqual(['flow/unassigned-variable Failed/Error'])
  })

  it('reads the conditions of a Choice', () => {
    const choice = (Condition: string) => ({
      Check: {
        Type: 'Choice',
        QueryLanguage: 'JSONata',
        Choices: [{ Condition, Next: 'Done' }],
        Default: 'Done',
      },
      Done: { Type: 'Succeed' },
    })
    expect(flow(choice("{% $states.input.order.ident = 'a' %}"), { input })).toEqual([])
    expect(flow(choice('{% $states.input.valid %}'), { input })).toEqual([
      'flow/missing-path Check/Choices/0/Condition',
    ])
  })

  it('tells of a catcher without Output', () => {
    const states = {
      Call: {
        Type: 'Task',
        QueryLanguage: 'JSONata',
        Resource: lambda,
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Note' }],
        End: true,
      },
      Note: pass('{% $states.input.order.id %}', { Next: 'Failed' }),
      Failed: { Type: 'Fail' },
    }
    expect(flow(states, { input })).toEqual(['flow/catcher-drops-input Call/Catch/0'])
  })
})

describe('what a task is given', () => {
  const tasks = {
    work: {
      name: 'work',
      errors: [],
      input: object({ id: text, kind: { enum: ['new', 'old'] } }),
      output: object({ done: { type: 'boolean' } }),
    },
  }
  const call = (Parameters: object, more: object = { End: true }) => ({
    Call: { Type: 'Task', Resource: lambda, Parameters, ...more },
  })

  it.each([
    ['all is there', { 'id.$': '$.order.id', kind: 'new' }, []],
    ['the value is not known', { 'id.$': '$.order.id', 'kind.$': '$.order.id' }, []],
    ['a field is missing', { kind: 'new' }, ['flow/input-mismatch Call/Parameters']],
    [
      'a literal is not allowed',
      { 'id.$': '$.order.id', kind: 'other' },
      ['flow/input-mismatch Call/Parameters/kind'],
    ],
    ['a type is wrong', { 'id.$': '$.order', kind: 'new' }, ['flow/input-mismatch Call/Parameters/id.$']],
    [
      'a field is not allowed',
      { 'id.$': '$.order.id', kind: 'new', more: 1 },
      ['flow/input-mismatch Call/Parameters/more'],
    ],
  ])('is judged by its schema: %s', (_name, parameters, expected) => {
    expect(flow(call(parameters), { input, tasks })).toEqual(expected)
  })

  it('is read also from schemas that must be converted', () => {
    const schema = z.object({ id: z.string() })
    const tasks = [
      defineTask({ name: 'work', input: schema, output: schema, errors: [], run: given => given }),
    ]
    const toJsonSchema = (each: unknown, io: 'input' | 'output') =>
      toJSONSchema(each as typeof schema, { io }) as JsonSchema
    expect(flow(call({ key: 'x' }), { input, tasks })).toEqual(['flow/unreadable-schema Call'])
    expect(flow(call({ key: 'x' }), { input, tasks, toJsonSchema })).toEqual([
      'flow/input-mismatch Call/Parameters',
    ])
    expect(flow({ Read: read('$.ident') }, { input: schema, toJsonSchema })).toEqual([
      'flow/optional-field Read/Parameters/value.$',
    ])
  })

  it('is the Payload of lambda:invoke, and its output the Payload of the result', () => {
    const invoke = {
      Call: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        Parameters: { FunctionName: 'work', Payload: { kind: 'new' } },
        OutputPath: '$.Payload',
        Next: 'Read',
      },
      Read: read('$.dome'),
    }
    expect(flow(invoke, { input, tasks })).toEqual([
      'flow/input-mismatch Call/Parameters/Payload',
      'flow/missing-path Read/Parameters/value.$',
    ])
  })
})

describe('what is learnt on the way', () => {
  it('takes what lacks a field for anything, not for an object', () => {
    const made = { Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% $f %}', Next: 'Ask' }
    const states = {
      Start: { Type: 'Pass', Assign: { 'f.$': '$.unknown' }, Next: 'Make' },
      Make: made,
      Ask: {
        Type: 'Choice',
        Choices: [{ Variable: '$.note', IsPresent: true, Next: 'End' }],
        Default: 'Read',
      },
      Read: read('$[0].x', { Next: 'End' }),
      End: { Type: 'Succeed' },
    }
    expect(flow(states)).toEqual([])
    const lost = { ...states, Read: read('$.note', { Next: 'End' }) }
    expect(flow(lost)).toEqual(['flow/missing-path Read/Parameters/value.$'])
  })

  it('says of a larger expression only the way by which it lacks something', () => {
    const states = {
      Ask: {
        Type: 'Choice',
        Choices: [{ Variable: '$.order.id', StringEquals: 'a', Next: 'List' }],
        Default: 'Read',
      },
      List: { Type: 'Pass', Result: [{ x: 1 }], Next: 'Read' },
      Read: { Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% $states.input[0].x + 1 %}', End: true },
    }
    expect(flow(states, { input })).toEqual(['flow/sometimes-missing Read/Output'])
  })

  it.each([
    ['{% $exists($states.input.lines[0]) %}', '{% $states.input.lines[0].sku %}', []],
    ['{% $count($states.input.lines) > 0 %}', '{% $states.input.lines[0].sku %}', []],
    ['{% $count($states.input.lines) >= 2 %}', '{% $states.input.lines[-2].sku %}', []],
    ['{% $not($count($states.input.lines) = 0) %}', '{% $states.input.lines[0].sku %}', []],
    [
      '{% $count($states.input.lines) > 0 %}',
      '{% $states.input.lines[1].sku %}',
      ['flow/optional-field Read/Output'],
    ],
    [
      '{% $count($states.input.lines) < 5 %}',
      '{% $states.input.lines[0].sku %}',
      ['flow/optional-field Read/Output'],
    ],
  ])('learns from %s how long a list is', (Condition, Output, expected) => {
    const states = {
      Ask: {
        Type: 'Choice',
        QueryLanguage: 'JSONata',
        Choices: [{ Condition, Next: 'Read' }],
        Default: 'End',
      },
      Read: { Type: 'Pass', QueryLanguage: 'JSONata', Output, End: true },
      End: { Type: 'Succeed' },
    }
    expect(flow(states, { input })).toEqual(expected)
  })

  it('learns from IsPresent of an element how long a list is', () => {
    const states = {
      Ask: {
        Type: 'Choice',
        Choices: [{ Variable: '$.lines[0]', IsPresent: true, Next: 'Read' }],
        Default: 'End',
      },
      Read: read('$.lines[0].sku'),
      End: { Type: 'Succeed' },
    }
    expect(flow(states, { input })).toEqual([])
  })

  it('leaves out the rule of a JSONata Choice that never holds', () => {
    const states = {
      Ask: {
        Type: 'Choice',
        QueryLanguage: 'JSONata',
        Choices: [{ Condition: '{% $exists($v) %}', Next: 'Read' }],
        Default: 'End',
      },
      Read: { Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% $v %}', End: true },
      End: { Type: 'Succeed' },
    }
    expect(flow(states)).toEqual([])
  })

  it('keeps a field that both sides of a merge may have', () => {
    const maybe = { ...object({ b: text }), required: [] }
    const states = {
      Merge: read('States.JsonMerge($.a, $.a, false)', { Next: 'Read' }),
      Read: read('$.value.b'),
    }
    expect(flow(states, { input: object({ a: maybe }) })).toEqual([
      'flow/optional-field Read/Parameters/value.$',
    ])
  })

  it('knows the length of written lists, and of tuples in schemas only what is promised', () => {
    const long = { Type: 'Pass', Result: Array.from({ length: 150 }, (_, index) => index), Next: 'Read' }
    expect(flow({ Long: long, Read: read('$[149]') })).toEqual([])
    expect(flow({ Long: long, Read: read('$[150]') })).toEqual(['flow/missing-path Read/Parameters/value.$'])
    const pair = { type: 'array', prefixItems: [text, text], items: false }
    const first = { Read: read('$.pair[0]') }
    expect(flow(first, { input: object({ pair }) })).toEqual(['flow/optional-field Read/Parameters/value.$'])
    expect(flow(first, { input: object({ pair: { ...pair, minItems: 2 } }) })).toEqual([])
  })

  it('doubts a ResultPath into what need not be an object', () => {
    const states = { Write: { Type: 'Pass', Result: 1, ResultPath: '$.a.b', End: true } }
    const nullable = object({ a: { type: ['object', 'null'] } })
    expect(flow(states, { input: nullable })).toEqual(['flow/doubtful-type Write/ResultPath'])
    expect(flow(states, { input: object({ a: text }) })).toEqual(['flow/result-path Write/ResultPath'])
  })

  it('tells of what an error output lacks also inside branches', () => {
    const branch = { StartAt: 'Read', States: { Read: read('$.order.id') } }
    const states = {
      Work: {
        Type: 'Task',
        Resource: lambda,
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Both' }],
        Next: 'Both',
      },
      Both: { Type: 'Parallel', Branches: [branch], End: true },
    }
    const work = { name: 'work', errors: [], output: object({ order: object({ id: text }) }) }
    expect(flow(states, { input: object({ other: text }), tasks: { work } })).toEqual([
      'flow/sometimes-missing Both/Branches/0/States/Read/Parameters/value.$',
    ])
  })
})

describe('the items of a Map', () => {
  const sub = { StartAt: 'P', States: { P: { Type: 'Pass', End: true } } }
  const far = { ...sub, ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } }

  it.each([
    ['{% $states.input.order %}', sub, ['flow/wrong-type Each/Items']],
    ['{% $states.input.order %}', far, []],
    ['{% $states.input.lines %}', sub, []],
    [
      '{% $states.input.lines.sku %}',
      sub,
      ['flow/doubtful-type Each/Items', 'flow/optional-field Each/Items'],
    ],
    ['{% [$states.input.lines.sku] %}', sub, []],
  ])('%s', (Items, ItemProcessor, expected) => {
    const Each = { Type: 'Map', QueryLanguage: 'JSONata', Items, ItemProcessor, End: true }
    expect(flow({ Each }, { input })).toEqual(expected)
  })

  it.each([
    [sub, ['flow/wrong-type Each/ItemsPath']],
    [far, []],
  ])('by ItemsPath', (ItemProcessor, expected) => {
    expect(
      flow({ Each: { Type: 'Map', ItemsPath: '$.order', ItemProcessor, End: true } }, { input }),
    ).toEqual(expected)
  })
})

describe('the result of lambda:invoke', () => {
  const Resource = 'arn:aws:states:::lambda:invoke'
  const invoke = (more: object) => ({
    Work: { Type: 'Task', Resource, Parameters: { FunctionName: lambda, 'Payload.$': '$' }, ...more },
  })
  const tasks = [{ name: 'work', errors: [], output: object({ id: text }) }]

  it.each([
    ['$.Payload.id', []],
    ['$.id', ['flow/missing-path Work/ResultSelector/id.$']],
    ['$.Payload.name', ['flow/missing-path Work/ResultSelector/id.$']],
    ['$.StatusCode', []],
    ['$.SdkHttpMetadata.HttpStatusCode', []],
    ['$.SdkHttpMetadata.HttpHeaders.Date', []],
  ])('has %s: %j', (path, expected) => {
    expect(flow(invoke({ ResultSelector: { 'id.$': path }, End: true }), { tasks })).toEqual(expected)
  })

  it('is closed also where nothing is known of the function', () => {
    expect(flow(invoke({ ResultSelector: { 'id.$': '$.id' }, End: true }))).toEqual([
      'flow/missing-path Work/ResultSelector/id.$',
    ])
    expect(flow(invoke({ ResultSelector: { 'id.$': '$.Payload.id' }, End: true }))).toEqual([])
    const jsonata = {
      Work: {
        Type: 'Task',
        QueryLanguage: 'JSONata',
        Resource,
        Arguments: { FunctionName: lambda },
        Output: '{% $states.result.rows %}',
        End: true,
      },
    }
    expect(flow(jsonata)).toEqual(['flow/missing-path Work/Output'])
  })

  it('is the next state’s input', () => {
    const states = { ...invoke({ Next: 'Read' }), Read: read('$.id') }
    expect(flow(states, { tasks })).toEqual(['flow/missing-path Read/Parameters/value.$'])
  })
})

describe('values that can be one or the other', () => {
  const event = z.union([
    z.object({ type: z.literal('created'), order: z.object({ total: z.number() }) }),
    z.object({ type: z.literal('deleted'), reason: z.string() }),
  ])
  const options = {
    input: z.object({ event, list: z.array(event) }),
    toJsonSchema: (schema: unknown, io: 'input' | 'output') =>
      toJSONSchema(schema as never, { io }) as JsonSchema,
  } as CheckOptions

  it.each([
    ['$.event.type', []],
    ['$.event.reason', ['flow/optional-field Read/Parameters/value.$']],
    ['$.event.order.total', ['flow/optional-field Read/Parameters/value.$']],
    ['$.event.nothing', ['flow/optional-field Read/Parameters/value.$']],
  ])('%s: %j', (path, expected) => {
    expect(flow({ Read: read(path) }, options)).toEqual(expected)
  })

  it.each([
    ['$states.input.event.reason', ['flow/optional-field Read/Output']],
    ['$states.input.list.reason', ['flow/optional-field Read/Output']],
    ['$sum($states.input.list.order.total)', ['flow/optional-field Read/Output']],
  ])('%s: %j', (expression, expected) => {
    const Read = { Type: 'Pass', QueryLanguage: 'JSONata', Output: `{% ${expression} %}`, End: true }
    expect(flow({ Read }, options)).toEqual(expected)
  })

  const closed = {
    input: object({
      event: {
        oneOf: [
          object({ type: { const: 'created' }, order: object({ total: { type: 'number' } }) }),
          object({ type: { const: 'deleted' }, reason: text }),
        ],
      },
    }),
  }
  const choose = (test: object, yes: string, no: string) => ({
    Choose: { Type: 'Choice', Choices: [{ ...test, Next: 'Yes' }], Default: 'No' },
    Yes: read(yes),
    No: read(no),
  })

  it.each([
    [{ Variable: '$.event.type', StringEquals: 'created' }, '$.event.order.total', '$.event.reason', []],
    [{ Variable: '$.event.order', IsPresent: true }, '$.event.order.total', '$.event.reason', []],
    [{ Variable: '$.event.reason', IsPresent: false }, '$.event.order.total', '$.event.reason', []],
    [
      { Variable: '$.event.type', StringEquals: 'created' },
      '$.event.reason',
      '$.event.order',
      ['flow/missing-path Yes/Parameters/value.$', 'flow/missing-path No/Parameters/value.$'],
    ],
  ])('are told apart by %j', (test, yes, no, expected) => {
    expect(flow(choose(test, yes, no), closed)).toEqual(expected)
  })

  it.each([
    ['$states.input.event.type = "created"', 'order.total', 'reason'],
    ['$states.input.event.type != "created"', 'reason', 'order.total'],
    ['$exists($states.input.event.order)', 'order.total', 'reason'],
  ])('are told apart by %s', (condition, yes, no) => {
    const output = (field: string) => ({
      Type: 'Pass',
      Output: `{% $states.input.event.${field} %}`,
      End: true,
    })
    const found = (first: string, second: string) =>
      checkWorkflow(
        {
          QueryLanguage: 'JSONata',
          StartAt: 'Choose',
          States: {
            Choose: {
              Type: 'Choice',
              Choices: [{ Condition: `{% ${condition} %}`, Next: 'Yes' }],
              Default: 'No',
            },
            Yes: output(first),
            No: output(second),
          },
        },
        closed,
      )
        .filter(({ rule }) => rule.startsWith('flow/'))
        .map(({ rule }) => rule)
    expect(found(yes, no)).toEqual([])
    expect(found(no, yes)).toEqual(['flow/missing-path', 'flow/missing-path'])
    const whole = `${condition} ? $states.input.event.${yes} : $states.input.event.${no}`
    const Read = { Type: 'Pass', QueryLanguage: 'JSONata', Output: `{% ${whole} %}`, End: true }
    expect(flow({ Read }, closed)).toEqual([])
  })

  it('are no longer told apart once something was written into them', () => {
    const states = {
      Write: { Type: 'Pass', Result: 'x', ResultPath: '$.event.reason', Next: 'Choose' },
      ...choose({ Variable: '$.event.order', IsPresent: true }, '$.event.reason', '$.event.reason'),
    }
    expect(flow(states, closed)).toEqual([])
  })

  it('are told of deep inside of what two ways bring', () => {
    const states = {
      Choose: {
        Type: 'Choice',
        Choices: [{ Variable: '$.order.id', StringEquals: 'a', Next: 'A' }],
        Default: 'B',
      },
      A: { Type: 'Pass', Result: { made: { y: 1 } }, Next: 'Read' },
      B: { Type: 'Pass', Result: { made: { z: 1 } }, Next: 'Between' },
      Between: { Type: 'Pass', Next: 'Read' },
      Read: { Type: 'Pass', Next: 'Late' },
      Late: read('$.made.y'),
    }
    expect(flow(states, { input })).toEqual(['flow/sometimes-missing Late/Parameters/value.$'])
  })
})

describe('a Choice of JSONata', () => {
  const done = { Type: 'Succeed' }
  const unmatched = (...conditions: string[]) =>
    checkWorkflow(
      {
        QueryLanguage: 'JSONata',
        StartAt: 'Choose',
        States: {
          Choose: {
            Type: 'Choice',
            Choices: conditions.map(condition => ({ Condition: `{% ${condition} %}`, Next: 'Done' })),
          },
          Done: done,
        },
      },
      { input: object({ kind: text }) },
    ).filter(({ rule }) => rule === 'routes/no-default').length

  it.each([
    [['$states.input.n > 3'], 1],
    [['$states.input.n > 3', '$states.input.n < 2'], 1],
    [['$states.input.n > 3', '$states.input.n <= 3'], 0],
    [['$states.input.kind = "a"', '$states.input.kind != "a"'], 0],
    // where there is none, neither holds
    [['$states.input.note = "a"', '$states.input.note != "a"'], 1],
    [['$states.input.flag', '$not($states.input.flag)'], 0],
    [['$states.input.n >= 3', '$states.input.n<3'], 0],
    [['$states.input.n > 3', 'true'], 0],
  ])('without Default takes not everything: %j', (conditions, expected) => {
    expect(unmatched(...conditions)).toBe(expected)
  })
})

describe('$merge', () => {
  const numbers = object({
    some: { type: 'array', items: { type: 'number' }, minItems: 1 },
    any: { type: 'array', items: { type: 'number' } },
    order: object({ id: text }),
  })

  it.each([
    ['$merge($states.input.some)', ['flow/wrong-type Read/Output']],
    ['$merge($states.input.any)', ['flow/doubtful-type Read/Output']],
    ['$merge([$states.input.order, $states.input.some])', ['flow/wrong-type Read/Output']],
    ['$merge([$states.input.order, {"a": 1}])', []],
    ['$merge($states.input.order).id', []],
    ['$merge($states.input.order).name', ['flow/missing-path Read/Output']],
  ])('%s: %j', (expression, expected) => {
    const Read = { Type: 'Pass', QueryLanguage: 'JSONata', Output: `{% ${expression} %}`, End: true }
    expect(flow({ Read }, { input: numbers })).toEqual(expected)
  })
})

describe('an index behind a field of each element', () => {
  it('is that of each of them', () => {
    const rows = object({
      rows: {
        type: 'array',
        items: object({ list: { type: 'array', items: text, minItems: 1 } }),
        minItems: 2,
      },
    })
    const wait = (expression: string) => ({
      Read: { Type: 'Wait', QueryLanguage: 'JSONata', Timestamp: `{% ${expression} %}`, End: true },
    })
    expect(flow(wait('$states.input.rows.list[0]'), { input: rows })).toEqual([
      'flow/wrong-type Read/Timestamp',
    ])
    expect(flow(wait('$states.input.rows[0].list[0]'), { input: rows })).toEqual([])
  })
})
