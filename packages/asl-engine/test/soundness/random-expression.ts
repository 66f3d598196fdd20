import type { Json } from '@stepwright/asl'
import { chance, pick, type Random } from './random.ts'

type Type = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object'

function typeOf(value: Json): Type {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as Type)
}

/** A value in the data, by the fields and indexes that lead to it. */
export interface Place {
  readonly steps: readonly (string | number)[]
  readonly value: Json
}

/** Every value of the data down to its third level, the whole first; not those that have to be quoted. */
export function placesOf(value: Json, steps: readonly (string | number)[] = []): readonly Place[] {
  return [
    { steps, value },
    ...(steps.length < 3 ? childrenOf(value) : []).flatMap(([key, child]) =>
      placesOf(child, [...steps, key]),
    ),
  ]
}

function childrenOf(value: Json): readonly (readonly [string | number, Json])[] {
  if (Array.isArray(value)) return [...value.entries()]
  if (typeof value !== 'object' || value === null) return []
  // which headers an answer has nobody can say
  return Object.entries(value).filter(([key]) => /^\w+$/.test(key) && !key.endsWith('HttpHeaders'))
}

function write(steps: readonly (string | number)[]): string {
  return steps.map(step => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
}

/** A place of one of the types; anything where there is none. */
function placeOf(random: Random, data: Json, types?: readonly Type[]): Place {
  const places = placesOf(data)
  const fitting = types === undefined ? places : places.filter(({ value }) => types.includes(typeOf(value)))
  return pick(random, fitting.length > 0 ? fitting : places)
}

const oddPaths = [
  '$.note',
  '$.inner.b',
  '$.list[0]',
  '$.missing',
  '$.id.x',
  '$.kind.length()',
  '$w.z',
  '$$.Map.Item.Value',
  '$.list[*].x',
  '$$.Execution.Name',
  '$.event.reason',
  '$.event.order.total',
  '$.mixed[0].x',
  '$.maybe.a',
  '$.Payload.rows',
  '$.rows',
]

/** Every so many paths and expressions may be one that does not fit the data. */
const odd = 0.15

export function randomPath(random: Random, data: Json, types?: readonly Type[]): string {
  if (chance(random, odd)) return pick(random, oddPaths)
  return `$${write(placeOf(random, data, types).steps)}`
}

export function randomTemplate(random: Random, data: Json): Json {
  const path = (...types: readonly Type[]): string =>
    randomPath(random, data, types.length === 0 ? undefined : types)
  const call = (): string =>
    pick(random, [
      () => `States.Format('{}-{}', ${path('string', 'number')}, ${path('string', 'number')})`,
      () => `States.ArrayLength(${path('array')})`,
      () => 'States.UUID()',
      () => `States.JsonToString(${path()})`,
      () => `States.ArrayGetItem(${path('array')}, 0)`,
      () => `States.ArrayContains(${path('array')}, 1)`,
      () => `States.ArrayUnique(${path('array')})`,
      () => `States.ArrayPartition(${path('array')}, 2)`,
      () => `States.MathAdd(${path('number')}, 1)`,
      () => `States.ArrayRange(1, ${path('number')}, 1)`,
      () => `States.StringSplit(${path('string')}, '-')`,
      () => `States.Base64Encode(${path('string')})`,
      () => `States.Hash(${path('string')}, 'MD5')`,
      () => `States.StringToJson(${path('string')})`,
      () => `States.Array(${path()}, ${path()})`,
      () => `States.JsonMerge(${path('object')}, ${path('object')}, false)`,
    ])()
  const keys = ['x', 'y', 'id', 'n', 'list', 'inner'].filter(() => chance(random, 0.4))
  return Object.fromEntries(
    (keys.length === 0 ? ['x'] : keys).map(key => [`${key}.$`, chance(random, 0.25) ? call() : path()]),
  )
}

const oddExpressions = [
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
  '$v',
  '$states.input.event.reason',
  '$states.input.event.order.total + 1',
  '$states.input.mixed.x',
  '$states.input.maybe.a',
  '$states.input.either + 1',
  '$merge($states.input.rows)',
  '$merge($states.input.list)',
  '$states.input.Payload.rows',
  '$states.input.rows',
]

/** An expression of JSONata, as it stands between `{%` and `%}`. */
export function randomExpression(random: Random, data: Json): string {
  if (chance(random, odd)) return pick(random, oddExpressions)
  const place = (...types: readonly Type[]): string =>
    `$states.input${write(placeOf(random, data, types.length === 0 ? undefined : types).steps)}`
  return pick(random, [
    () => place(),
    () => place(),
    () => '$states.input',
    () => `${place('number')} + 1`,
    () => `${place('number')} > 1 and ${place('boolean')}`,
    () => `$string(${place('number')})`,
    () => `$floor(${place('number')} / 2)`,
    () => `$uppercase(${place('string')}) & "-"`,
    () => `$length(${place('string')})`,
    () => `$substringBefore(${place('string')}, "-")`,
    () => `$split(${place('string')}, "-")`,
    () => `$count(${place('array')})`,
    () => `${place('array')}[0]`,
    () => `${place('array')}.x`,
    () => `$sum(${place('array')}.x)`,
    () => `$max(${place('array')}.x)`,
    () => `${place('array')}[x > 3]`,
    () => `$map(${place('array')}, function($each) { $each.x })`,
    () => `$append(${place('array')}, ${place()})`,
    () => `$reverse(${place('array')})`,
    () => `$distinct(${place('array')})`,
    () => `$merge([${place('object')}, { "made": { "y": ${place()} } }])`,
    () => `$merge(${place('array', 'object')})`,
    () => `$merge([${place('object')}, ${place('object', 'array')}])`,
    () => `$merge($map(${place('array')}, function($each) { { "k": $each } }))`,
    () => `$merge($append(${place('array')}, ${place('object')}))`,
    () => `$keys(${place('object')})`,
    () => `{ "id": ${place()}, "list": ${place('array')}, "n": ${place('number')} }`,
    () => `[${place()}, "b"]`,
    () => `$exists(${place()}) ? ${place()} : "none"`,
    () => `$exists($states.input.note) ? $states.input.note : "none"`,
    () => `(${place('number')} > 3 ? ${place()} : ${place()})`,
    () => `($a := ${place('number')}; $a * 2)`,
    () => `($rows := ${place('array')}; $rows[0].x)`,
    () => `${place('array')}[-1]`,
    () => `${place('array')}[]`,
    () => `$join(${place('array')}, ",")`,
    () => `$sort(${place('array')}.x)`,
    () => `$filter(${place('array')}, function($each) { $each.x > 3 })[0]`,
    () => `$map(${place('array')}, function($each) { { "y": $each.x + 1 } })`,
    () => `$reduce(${place('array')}.x, function($a, $b) { $a + $b })`,
    () => `$lookup(${place('object')}, "id")`,
    () => `${place('array')} ~> $count`,
    () => `$type(${place()}) = "string" ? ${place('string')} : "x"`,
    () => `$not(${place('boolean')})`,
    () => `$boolean(${place()})`,
    () => `$round(${place('number')} * 1.5, 1)`,
    () => `${place('number')} in ${place('array')}`,
    () => `-${place('number')}`,
    () => `$substring(${place('string')}, 0, 2)`,
    () => `$contains(${place('string')}, "a")`,
    () => `$range(1, ${place('number')}, 1)`,
    () => `$states.context.Execution.Name & "-" & ${place()}`,
    () => `$states.context.Execution.Input.id`,
    () => `$exists(${place('array')}[0]) ? ${place('array')}[0] : "none"`,
    () => `$count(${place('array')}) > 0 ? ${place('array')}[0] : "none"`,
    () => `(${place('string')} = "a" ? { "z": 1 } : { "z": 2, "w": ${place()} })`,
  ])()
}

export function randomCondition(random: Random, data: Json): string {
  const place = (...types: readonly Type[]): string =>
    `$states.input${write(placeOf(random, data, types).steps)}`
  return pick(random, [
    () => '$exists($states.input.note)',
    () => '$exists($v)',
    () => '$not($exists($states.input.inner.b))',
    () => `$exists(${place('string', 'number', 'array', 'object')})`,
    () => `${place('string')} = "a" and $exists($states.input.made)`,
    () => `${place('number')} > 3`,
    () => place('boolean'),
    () => `$count(${place('array')}) > 0`,
    () => `"a" in ${place('array')}`,
    () => '$states.input.event.type = "created"',
    () => '$exists($states.input.event.order)',
    () => '$states.input.kind = "a"',
    () => '$states.input.flag',
    () => '$states.input.found',
    () => '$not($states.input.flag)',
    () => `${place('string')} != "a"`,
  ])()
}
