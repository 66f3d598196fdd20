import type { Json } from '@stepwright/asl'

/** What every random machine is started with. */
export const inputSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    n: { type: 'number' },
    flag: { type: 'boolean' },
    kind: { enum: ['a', 'b', 'c'] },
    list: {
      type: 'array',
      items: {
        type: 'object',
        properties: { x: { type: 'number' } },
        required: ['x'],
        additionalProperties: false,
      },
    },
    inner: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a'],
      additionalProperties: false,
    },
    note: { type: 'string' },
  },
  required: ['id', 'n', 'flag', 'kind', 'list', 'inner'],
  additionalProperties: false,
} as const

type Random = () => number

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T
}

function chance(random: Random, of: number): boolean {
  return random() < of
}

/** An input that fits the schema. */
export function randomInput(random: Random): Json {
  return {
    id: pick(random, ['', 'x', '2024-01-01T00:00:00Z']),
    n: pick(random, [0, 1, 7]),
    flag: chance(random, 0.5),
    kind: pick(random, ['a', 'b', 'c']),
    list: Array.from({ length: Math.floor(random() * 4) }, () => ({ x: Math.floor(random() * 9) })),
    inner: { a: 'a', ...(chance(random, 0.5) && { b: 1 }) },
    ...(chance(random, 0.5) && { note: 'n' }),
  }
}

const paths = [
  '$.id',
  '$.n',
  '$.flag',
  '$.kind',
  '$.list',
  '$.inner',
  '$.inner.a',
  '$',
  '$.list[*].x',
  '$.made',
  '$.made.y',
  '$$.Execution.Name',
  '$v',
]
const rarePaths = [
  '$.note',
  '$.inner.b',
  '$.list[0]',
  '$.missing',
  '$.id.x',
  '$.kind.length()',
  '$w.z',
  '$$.Map.Item.Value',
]
const expressions = [
  '$states.input.id',
  '$states.input.n + 1',
  '$states.input.inner.a',
  '$count($states.input.list)',
  '$states.input.list.x',
  '$states.input',
  '{ "id": $states.input.id }',
  '$v',
  '$sum($states.input.list.x)',
  '$string($states.input.n)',
  '$merge([$states.input, { "made": { "y": $states.input.n } }])',
  '$exists($states.input.note) ? $states.input.note : "none"',
  '[$states.input.id, "b"]',
  '$states.input.list[x > 3]',
  '$map($states.input.list, function($each) { $each.x })',
  '$uppercase($states.input.id) & "-"',
  '$states.input.n > 1 and $states.input.flag',
]
const rareExpressions = [
  '$states.input.note',
  '$states.input.list[0].x',
  '$states.input.missing',
  '$merge([$states.input, $states.input.id])',
  '$states.input.made',
  '$exists($w) ? $w : 1',
  '$number($states.input.id)',
  '$lookup($states.input, "note")',
  '$states.input.list[0]',
  '$states.input.list[-1].x + 1',
  '$states.input.list[x > 3].x',
  '$filter($states.input.list, function($each) { $each.x > 3 })',
  '$states.input.id + 1',
  '$sum($states.input.list)',
  '$length($states.input.n)',
  '$parseInteger($states.input.id, "0")',
]

function path(random: Random): string {
  return pick(random, chance(random, 0.08) ? rarePaths : paths)
}

function expression(random: Random): string {
  return `{% ${pick(random, chance(random, 0.08) ? rareExpressions : expressions)} %}`
}

function template(random: Random): Json {
  const call = (): string =>
    pick(random, [
      `States.Format('{}', ${path(random)})`,
      'States.ArrayLength($.list)',
      'States.UUID()',
      `States.JsonToString(${path(random)})`,
      'States.ArrayGetItem($.list, 0)',
      'States.ArrayContains($.list, 1)',
      'States.MathAdd($.n, 1)',
      `States.Array(${path(random)}, ${path(random)})`,
      'States.JsonMerge($.inner, $.made, false)',
    ])
  return Object.fromEntries(
    ['x', 'y', 'z']
      .slice(0, 1 + Math.floor(random() * 3))
      .map(key => [`${key}.$`, chance(random, 0.25) ? call() : path(random)]),
  )
}

type Fields = Readonly<Record<string, Json>>

function jsonPathState(random: Random, depth: number): Fields {
  const more: Record<string, Json> = {
    ...(chance(random, 0.4) && {
      ResultPath: pick(random, ['$.made', '$.made.y', '$.list', '$.inner.c', '$.list.z', '$.id.z']),
    }),
    ...(chance(random, 0.15) && { OutputPath: path(random) }),
    ...(chance(random, 0.15) && { InputPath: path(random) }),
    ...(chance(random, 0.25) && { Assign: { 'v.$': path(random) } }),
  }
  const kind = random()
  if (kind < 0.55) return { Type: 'Pass', Parameters: template(random), ...more }
  if (kind < 0.65) return { Type: 'Wait', SecondsPath: pick(random, ['$.n', '$.n', '$.id', '$.made']) }
  if (kind < 0.8 && depth < 2)
    return {
      Type: 'Map',
      ItemsPath: pick(random, ['$.list', '$.list', '$.inner', '$.made']),
      ItemProcessor: subMachine(random, depth),
      ...more,
    }
  if (kind < 0.9 && depth < 2)
    return { Type: 'Parallel', Branches: [subMachine(random, depth), subMachine(random, depth)], ...more }
  return { Type: 'Pass', Result: { y: 1 }, ...more }
}

function jsonataState(random: Random, depth: number): Fields {
  const more: Record<string, Json> = {
    QueryLanguage: 'JSONata',
    ...(chance(random, 0.25) && { Assign: { v: expression(random) } }),
  }
  const kind = random()
  if (kind < 0.7)
    return {
      Type: 'Pass',
      Output: chance(random, 0.5) ? expression(random) : { id: expression(random), list: [], n: 1 },
      ...more,
    }
  if (kind < 0.8)
    return {
      Type: 'Wait',
      Seconds: pick(random, ['{% $states.input.n %}', '{% $states.input.id %}']),
      ...more,
    }
  if (depth < 2)
    return {
      Type: 'Map',
      Items: pick(random, ['{% $states.input.list %}', '{% $states.input.id %}']),
      ItemProcessor: subMachine(random, depth),
      ...more,
    }
  return { Type: 'Pass', ...more }
}

function condition(random: Random): string {
  return pick(random, [
    '{% $exists($states.input.note) %}',
    '{% $exists($v) %}',
    '{% $not($exists($states.input.inner.b)) %}',
    '{% $states.input.kind = "a" and $exists($states.input.made) %}',
    '{% $states.input.n > 3 %}',
    '{% $states.input.flag %}',
  ])
}

let counter = 0

function subMachine(random: Random, depth: number): Json {
  return machineOf(random, depth + 1) as Json
}

function machineOf(random: Random, depth: number): Record<string, Json> {
  const names = Array.from(
    { length: 1 + Math.floor(random() * (depth === 0 ? 5 : 2)) },
    () => `S${counter++}`,
  )
  const states: Record<string, Json> = {}
  for (const [index, name] of names.entries()) {
    const next = names[index + 1]
    const on: Fields = next === undefined ? { End: true } : { Next: next }
    const last = names.at(-1) as string
    if (next !== undefined && chance(random, 0.15)) {
      if (chance(random, 0.3)) {
        states[name] = {
          Type: 'Choice',
          QueryLanguage: 'JSONata',
          Choices: [{ Condition: condition(random), Next: next }],
          Default: last,
        }
        continue
      }
      const rule = pick<Fields>(random, [
        { Variable: '$.kind', StringEquals: 'a' },
        { Variable: '$.flag', BooleanEquals: true },
        { Variable: '$.note', IsPresent: true },
        { Variable: path(random), IsString: true },
        { Variable: '$.n', NumericGreaterThan: 3 },
        { Variable: '$v', IsPresent: true },
        { Not: { Variable: '$.made', IsPresent: true } },
      ])
      states[name] = {
        Type: 'Choice',
        Choices: [{ ...rule, Next: next }],
        ...(chance(random, 0.8) && { Default: last }),
      }
    } else
      states[name] = {
        ...(chance(random, 0.35) ? jsonataState(random, depth) : jsonPathState(random, depth)),
        ...on,
      }
  }
  return { StartAt: names[0] as string, States: states }
}

/** A machine of passing, waiting, choosing, mapping and forking states, mostly right. */
export function randomMachine(random: Random): Json {
  counter = 0
  return { ...machineOf(random, 0), TimeoutSeconds: 9999 }
}
