import jsonata from 'jsonata'
import { describe, expect, it } from 'vitest'
import { type JsonataNode, parseJsonata } from '../../expressions/jsonata.ts'
import { noVariables } from '../arrival.ts'
import { type Shape, unknown } from '../shape.ts'
import { shapeOfSchema } from '../shape-of-schema.ts'
import { evaluateNode } from './evaluate.ts'

const row = {
  type: 'object',
  properties: { x: { type: 'number' } },
  required: ['x'],
  additionalProperties: false,
}
const schema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    n: { type: 'number' },
    flag: { type: 'boolean' },
    note: { type: 'string' },
    list: { type: 'array', items: row },
    some: { type: 'array', items: row, minItems: 1 },
    two: { type: 'array', items: row, minItems: 2 },
    inner: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] },
    nullable: { anyOf: [row, { type: 'null' }] },
  },
  required: ['id', 'n', 'flag', 'list', 'some', 'two', 'inner', 'nullable'],
  additionalProperties: false,
}

/** Inputs that fit the schema, from the poorest to the richest. */
const samples = [
  {
    id: '',
    n: 0,
    flag: false,
    list: [],
    some: [{ x: 1 }],
    two: [{ x: 1 }, { x: 2 }],
    inner: { a: '' },
    nullable: null,
  },
  {
    id: 'a',
    n: 7,
    flag: true,
    note: 'n',
    list: [{ x: 5 }],
    some: [{ x: 5 }, { x: 6 }],
    two: [{ x: 4 }, { x: 4 }, { x: 4 }],
    inner: { a: 'a', b: 1 },
    nullable: { x: 1 },
  },
  {
    id: 'b-c',
    n: -1,
    flag: true,
    list: [{ x: 1 }, { x: 2 }, { x: 9 }],
    some: [{ x: 9 }],
    two: [{ x: 0 }, { x: 9 }],
    inner: { a: 'z' },
    nullable: { x: 2 },
  },
]

function evaluate(expression: string) {
  const notes: string[] = []
  const value = evaluateNode(parseJsonata(expression) as JsonataNode, {
    environment: {
      input: shapeOfSchema(schema, { kind: 'schema', text: 'the input' }),
      context: () => unknown,
      variables: noVariables,
      record: () => {},
      note: ({ rule }) => notes.push(rule),
    },
    pointer: [],
    origin: { kind: 'other', text: 'a test' },
    locals: new Map(),
    certain: true,
    evaluate: evaluateNode,
  })
  return { presence: value.presence, types: typesOf(value.shape), notes: [...new Set(notes)] }
}

function typesOf(shape: Shape): string {
  return shape.kind === 'unknown' ? 'anything' : [...shape.types].sort().join(' or ')
}

/** What JSONata itself makes of the samples: a type, `nothing`, or `failure`. */
async function observe(expression: string): Promise<ReadonlySet<string>> {
  const outcomes = await Promise.all(
    samples.map(async input => {
      try {
        const value = await jsonata(expression).evaluate(undefined, { states: { input } })
        if (value === undefined) return 'nothing'
        return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
      } catch {
        return 'failure'
      }
    }),
  )
  return new Set(outcomes)
}

describe('what an expression makes', () => {
  it.each([
    ['"a"', 'always string'],
    ['$states.input.id', 'always string'],
    ['$states.input.note', 'sometimes string'],
    ['$states.input.absent', 'never anything'],
    ['$states.input.note & "-"', 'always string'],
    ['$states.input.n + 1', 'always number'],
    ['-$states.input.inner.b', 'sometimes number'],
    ['$states.input.n > 1', 'always boolean'],
    ['$states.input.inner.b > 1', 'sometimes boolean'],
    ['$states.input.inner.b = 1', 'always boolean'],
    ['$states.input.flag and $states.input.note', 'always boolean'],
    // lists: nothing of none, the value itself of one, a list of more
    ['$states.input.list.x', 'sometimes array or number'],
    ['$states.input.some.x', 'always array or number'],
    ['$states.input.two.x', 'always array'],
    ['$states.input.some.y', 'never anything'],
    ['$states.input.list[0]', 'sometimes object'],
    ['$states.input.some[0].x', 'always number'],
    ['$states.input.two[-2].x', 'always number'],
    ['$states.input.some[x > 3]', 'sometimes array or object'],
    ['$states.input.some[x > 3].x', 'sometimes array or number'],
    ['$states.input.some.x[]', 'always array'],
    ['$states.input.nullable.x', 'sometimes number'],
    ['[$states.input, $states.input].list', 'sometimes array or object'],
    ['[$states.input, $states.input].some.x', 'always array'],
    ['[$states.input.note, "b"]', 'always array'],
    ['[$states.input.note, "b"][1]', 'sometimes string'],
    ['[$states.input.list, 1][0]', 'always number or object'],
    ['{ "a": $states.input.note }', 'always object'],
    ['{ "a": $states.input.note }.a', 'sometimes string'],
    // functions
    ['$sum($states.input.list.x)', 'sometimes number'],
    ['$count($states.input.note)', 'always number'],
    ['$max($states.input.some.x)', 'always number'],
    ['$max($states.input.two.x)', 'always number'],
    ['$uppercase($states.input.note)', 'sometimes string'],
    ['$not($states.input.note)', 'sometimes boolean'],
    ['$exists($states.input.note)', 'always boolean'],
    ['$keys($states.input.inner)', 'always array or string'],
    ['$append($states.input.note, $states.input.id)', 'always array or string'],
    ['$append($states.input.note, $states.input.inner.b)', 'sometimes array or number or string'],
    ['$reverse($states.input.list)', 'always array'],
    ['$split($states.input.id, "-")', 'always array'],
    ['$filter($states.input.some, function($each) { $each.x > 3 })', 'sometimes array or object'],
    ['$map($states.input.some, function($each) { $each.x })', 'always array or number'],
    ['$map($states.input.list, function($each) { $each.x })', 'sometimes array or number'],
    ['$lookup($states.input.inner, "b")', 'sometimes number'],
    ['$states.input.list ~> $count', 'always number'],
    ['$states.input.note ~> $substringBefore("-")', 'sometimes string'],
    ['$merge([$states.input.inner, { "b": 1 }]).b', 'always number'],
    ['$merge([$states.input.list[0], { "b": 1 }]).x', 'sometimes number'],
    ['$merge($states.input.list)', 'always object'],
    ['$merge($states.input.list).x', 'sometimes number'],
    ['$distinct($states.input.inner)', 'always object'],
    // conditions, blocks, names of its own
    ['$exists($states.input.note) ? $states.input.note : 1', 'always number or string'],
    ['$states.input.flag ? $states.input.note : 1', 'sometimes number or string'],
    ['$states.input.flag ? $states.input.absent : 1', 'sometimes anything'],
    ['$exists($states.input.absent) ? 1 : "a"', 'always string'],
    ['$count($states.input.absent) > 0 ? $states.input.absent[0] : "a"', 'always string'],
    ['$type($states.input.note) = "string" ? $states.input.note : 1', 'always number or string'],
    ['$exists($states.input.id) ? 1 : "a"', 'always number'],
    ['($a := $states.input.inner.b; $a * 2)', 'sometimes number'],
    ['($f := function($x) { $x }; $f(1))', 'unknown anything'],
    ['($a := $b := $states.input.n; $a + $b)', 'always number'],
    // of a sequence, the only value that is left
    ['$distinct($states.input.two.x)', 'always array or number'],
    ['$distinct($states.input.two)', 'always array'],
    ['($l := $states.input.two.x; $distinct($l))', 'always array or number'],
    ['$distinct([$states.input.n, $states.input.n])', 'always array'],
    ['$split($states.input.id, "")[0]', 'sometimes string'],
    ['$split($states.input.id, "-", 0)[0]', 'sometimes string'],
    ['$split($states.input.id, "-", 1)[0]', 'always string'],
    ['$split($states.input.id, "-")[0]', 'always string'],
    ['$reduce($states.input.list.x, function($a, $b) { $a + $b })', 'sometimes anything'],
  ])('%s: %s', async (expression, expected) => {
    const { presence, types, notes } = evaluate(expression)
    expect(`${presence} ${types}`).toBe(expected)
    expect(notes).toEqual([])
    const observed = await observe(expression)
    if (presence === 'always') expect([...observed]).not.toContain('nothing')
    if (presence === 'never') expect([...observed]).toEqual(['nothing'])
    if (presence === 'sometimes') expect([...observed]).toContain('nothing')
    const allowed = types === 'anything' ? undefined : new Set(['nothing', ...types.split(' or ')])
    if (allowed !== undefined) expect([...observed].filter(outcome => !allowed.has(outcome))).toEqual([])
  })

  it.each([
    ['$states.input.id + 1', 'flow/wrong-type'],
    ['$uppercase($states.input.n)', 'flow/wrong-type'],
    ['$sum($states.input.some)', 'flow/doubtful-type'],
    ['$states.input.n > "a"', 'flow/wrong-type'],
    ['$merge([$states.input, $states.input.id])', 'flow/wrong-type'],
    ['$number($states.input.id)', 'flow/doubtful-type'],
    ['$states.input.nullable & $uppercase($states.input.some.x)', 'flow/wrong-type'],
    // a side of a condition may never be taken
    ['$states.input.flag ? $states.input.id + 1 : 1', 'flow/doubtful-type'],
    ['$states.input.flag and $states.input.id > 1', 'flow/doubtful-type'],
  ])('%s cannot go well: %s', async (expression, rule) => {
    expect(evaluate(expression).notes).toEqual([rule])
    const observed = await observe(expression)
    expect([...observed]).toContain('failure')
    if (rule === 'flow/wrong-type') expect(observed.size).toBe(1)
  })
})
