import fc from 'fast-check'

/** A pattern and an event that have names, values and beginnings of values in common, so that about half match. */
export interface PatternAndEvent {
  readonly pattern: Readonly<Record<string, unknown>>
  readonly event: Readonly<Record<string, unknown>>
}

const name = fc.constantFrom('a', 'b', 'a.b', 'b.a.b')
const texts = [
  '',
  'a',
  'A',
  'ab',
  'AB',
  'aB',
  'aba',
  'b',
  'ba',
  'bb',
  '*',
  '\\',
  'a*b',
  '1',
  'null',
  '10.0.0.1',
  '10.0.1.1',
  '::1',
  'é',
  'É',
  'ß',
]
const numbers = [0, 1, 1.5, -1, 2, 300, 1e9]
const wildcards = ['*', 'a*', '*a', 'a*b', '*b*', 'ab', '', '\\*', '*\\\\', 'a\\*b', 'a*b*']
const invalidWildcards = ['**', 'a\\b', '\\']
const blocks = ['10.0.0.0/24', '10.0.0.0/16', '::/64', '10.0.0.1/31']
const invalidBlocks = ['10.0.0.1/32', '10.0.0.1', 'a/8', '::1/x']

const text = fc.constantFrom(...texts)
const notEmpty = fc.constantFrom(...texts.slice(1))
const number = fc.constantFrom(...numbers)
const scalar = fc.oneof(
  { weight: 5, arbitrary: text },
  { weight: 3, arbitrary: number },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false) },
)
const wildcard = fc.constantFrom(...wildcards)

function oneOrMore<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof(arbitrary, fc.array(arbitrary, { minLength: 1, maxLength: 3 }))
}

const textFilter = fc.oneof(
  fc.record({ prefix: text }),
  fc.record({ suffix: text }),
  fc.record({ prefix: fc.record({ 'equals-ignore-case': text }) }),
  fc.record({ suffix: fc.record({ 'equals-ignore-case': text }) }),
  fc.record({ 'equals-ignore-case': text }),
  fc.record({ wildcard }),
)
const anythingBut = fc.record({
  'anything-but': fc.oneof(
    oneOrMore(text),
    oneOrMore(number),
    fc.record({ prefix: oneOrMore(notEmpty) }),
    fc.record({ suffix: oneOrMore(notEmpty) }),
    fc.record({ 'equals-ignore-case': oneOrMore(text) }),
    fc.record({ wildcard: oneOrMore(wildcard) }),
  ),
})
const sign = fc.constantFrom('=', '<', '<=', '>', '>=')
const numeric = fc.record({
  numeric: fc.oneof(
    fc.tuple(sign, number),
    fc.tuple(
      fc.constantFrom('>', '>='),
      fc.constantFrom(-1, 0, 1),
      fc.constantFrom('<', '<='),
      fc.constantFrom(1.5, 2, 300),
    ),
  ),
})
/** What EventBridge refuses, so that both must refuse it. */
const invalid = fc.oneof(
  fc.record({ wildcard: fc.constantFrom(...invalidWildcards) }),
  fc.record({ 'anything-but': fc.record({ wildcard: fc.constantFrom(...invalidWildcards) }) }),
  fc.record({ 'anything-but': fc.record({ prefix: oneOrMore(text) }) }),
  fc.record({ 'anything-but': fc.record({ suffix: oneOrMore(text) }) }),
  fc.record({ cidr: fc.constantFrom(...invalidBlocks) }),
  fc.record({ numeric: fc.tuple(sign, number, sign, number) }),
  fc.record({ prefix: scalar }),
  fc.record({ wildcard: fc.array(wildcard) }),
  fc.record({ 'equals-ignore-case': fc.array(text) }),
  fc.record({ 'anything-but': fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ prefix: text, suffix: text }),
  fc.record({ begins: text }),
  fc.record({ exists: scalar }),
  fc.constant([]),
  fc.constant({}),
)
const filter = fc.oneof(
  { weight: 14, arbitrary: scalar },
  { weight: 8, arbitrary: textFilter },
  { weight: 12, arbitrary: anythingBut },
  { weight: 4, arbitrary: numeric },
  { weight: 10, arbitrary: fc.record({ exists: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ cidr: fc.constantFrom(...blocks) }) },
  { weight: 1, arbitrary: invalid },
)
const filters = fc.array(filter, { minLength: 1, maxLength: 3 })

const { pattern } = fc.letrec<{ pattern: Record<string, unknown>; fields: Record<string, unknown> }>(tie => ({
  fields: fc.dictionary(
    name,
    fc.oneof({ maxDepth: 3, depthIdentifier: 'pattern' }, { weight: 3, arbitrary: filters }, tie('pattern')),
    { minKeys: 1, maxKeys: 2 },
  ),
  pattern: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'pattern' },
    { weight: 5, arbitrary: tie('fields') },
    fc
      .tuple(
        fc.dictionary(name, filters, { maxKeys: 1 }),
        fc.array(tie('fields'), { minLength: 2, maxLength: 3 }),
      )
      .map(([fields, or]) => ({ ...fields, $or: or })),
  ),
}))

const { object } = fc.letrec<{ object: Record<string, unknown>; value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'event' },
    { weight: 4, arbitrary: scalar },
    { weight: 2, arbitrary: tie('object') },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 2, arbitrary: fc.array(tie('object'), { maxLength: 3 }) },
  ),
  object: fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 3 }),
}))

export const patternAndEvent: fc.Arbitrary<PatternAndEvent> = fc.record({ pattern, event: object })
