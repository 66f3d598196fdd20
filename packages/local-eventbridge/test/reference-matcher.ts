/**
 * Event patterns as AWS documents them (the EventBridge user guide and the README of event-ruler), as directly as
 * possible: every `$or` is multiplied out, every event is flattened into fields, and a pattern matches if one field
 * can be chosen for each name so that no two chosen fields are in different elements of the same list.
 * Slow on purpose. The differential fuzz compares the real matcher with it.
 */
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type JsonObject = { readonly [key: string]: Json }

interface Field {
  readonly name: string
  readonly value: null | boolean | number | string
  /** For every list that the field's object is in: the index of the element. */
  readonly elements: ReadonlyMap<readonly Json[], number>
}

type Test = (value: Field['value']) => boolean
type Condition = { readonly absent: true } | { readonly absent: false; readonly test: Test }
type Conjunction = ReadonlyMap<string, readonly Condition[]>

/** `undefined`: the pattern is not valid. */
export function referenceMatches(pattern: JsonObject, event: JsonObject): boolean | undefined {
  let conjunctions: readonly Conjunction[]
  try {
    if (Object.keys(pattern).length === 0) throw new InvalidPattern()
    conjunctions = expand(pattern, '')
  } catch (error) {
    if (error instanceof InvalidPattern) return undefined
    throw error
  }
  const fields = flatten(event, '', new Map())
  return conjunctions.some(conjunction => choose(inOrder(conjunction), [], fields))
}

/** event-ruler goes through the names in this order: a field is absent if no element chosen before has it. */
function inOrder(conjunction: Conjunction): readonly (readonly [string, readonly Condition[]])[] {
  return [...conjunction].sort(([one], [other]) => (one < other ? -1 : 1))
}

class InvalidPattern extends Error {
  override name = 'InvalidPattern'
}

function choose(
  open: readonly (readonly [string, readonly Condition[]])[],
  chosen: readonly Field[],
  fields: readonly Field[],
): boolean {
  const [first, ...rest] = open
  if (first === undefined) return true
  const [name, conditions] = first
  const candidates = fields.filter(
    field => field.name === name && chosen.every(other => sameElements(field, other)),
  )
  return conditions.some(condition => {
    if (condition.absent) return candidates.length === 0 && choose(rest, chosen, fields)
    return candidates.some(field => condition.test(field.value) && choose(rest, [...chosen, field], fields))
  })
}

function sameElements(one: Field, other: Field): boolean {
  return [...one.elements].every(([list, index]) => (other.elements.get(list) ?? index) === index)
}

function flatten(value: Json, name: string, elements: Field['elements']): readonly Field[] {
  if (value === null || typeof value !== 'object') return [{ name, value, elements }]
  if (Array.isArray(value)) {
    return value.flatMap((element: Json, index) =>
      flatten(
        element,
        name,
        element !== null && typeof element === 'object'
          ? new Map<readonly Json[], number>([...elements, [value, index]])
          : elements,
      ),
    )
  }
  return Object.entries(value).flatMap(([key, child]) =>
    flatten(child, name === '' ? key : `${name}.${key}`, elements),
  )
}

const reservedInOr = new Set([
  'exact',
  'equals-ignore-case',
  'prefix',
  'suffix',
  'anything-but',
  'numeric',
  'cidr',
  'exists',
  'wildcard',
])

/** The pattern as alternatives, each a condition list for every field name. */
function expand(pattern: JsonObject, path: string): readonly Conjunction[] {
  let result: readonly Conjunction[] = [new Map()]
  for (const [key, child] of Object.entries(pattern)) {
    const name = path === '' ? key : `${path}.${key}`
    result = combine(
      result,
      key === '$or' && isOr(child) ? child.flatMap(one => expandNested(one, path)) : expandChild(child, name),
    )
  }
  return result
}

function isOr(value: Json | undefined): value is readonly JsonObject[] {
  return (
    Array.isArray(value) &&
    value.length >= 2 &&
    value.every(one => isObject(one) && Object.keys(one).every(key => !reservedInOr.has(key)))
  )
}

function expandNested(pattern: JsonObject, path: string): readonly Conjunction[] {
  if (Object.keys(pattern).length === 0) throw new InvalidPattern()
  return expand(pattern, path)
}

function expandChild(child: Json, name: string): readonly Conjunction[] {
  if (isObject(child)) return expandNested(child, name)
  if (!Array.isArray(child) || child.length === 0) throw new InvalidPattern()
  return [new Map([[name, child.map(toCondition)]])]
}

function combine(left: readonly Conjunction[], right: readonly Conjunction[]): readonly Conjunction[] {
  return left.flatMap(one => right.map(other => new Map([...one, ...other])))
}

function toCondition(filter: Json): Condition {
  if (Array.isArray(filter)) throw new InvalidPattern()
  if (!isObject(filter)) return when(value => value === filter)
  const [operator, operand] = onlyEntry(filter)
  if (operator === 'exists') {
    if (typeof operand !== 'boolean') throw new InvalidPattern()
    return operand ? when(() => true) : { absent: true }
  }
  if (operator === 'anything-but') return when(anythingBut(operand))
  return when(positive(operator, operand))
}

function onlyEntry(object: JsonObject): readonly [string, Json] {
  const [entry, ...others] = Object.entries(object)
  if (entry === undefined || others.length > 0) throw new InvalidPattern()
  return entry
}

function when(test: Test): Condition {
  return { absent: false, test }
}

function positive(operator: string, operand: Json): Test {
  switch (operator) {
    case 'prefix':
    case 'suffix': {
      if (isObject(operand)) {
        const [inner, text] = onlyEntry(operand)
        if (inner !== 'equals-ignore-case') throw new InvalidPattern()
        const wanted = string(text).toLowerCase()
        return onText(value => edge(operator, value.toLowerCase(), wanted))
      }
      const wanted = string(operand)
      return onText(value => edge(operator, value, wanted))
    }
    case 'equals-ignore-case': {
      const wanted = string(operand).toLowerCase()
      return onText(value => value.toLowerCase() === wanted)
    }
    case 'wildcard': {
      const tokens = wildcardTokens(string(operand))
      return onText(value => wildcardMatches(tokens, value))
    }
    case 'numeric':
      return numeric(operand)
    case 'cidr':
      return cidr(string(operand))
    default:
      throw new InvalidPattern()
  }
}

function anythingBut(operand: Json): Test {
  if (isObject(operand)) {
    const [operator, inner] = onlyEntry(operand)
    if (!['prefix', 'suffix', 'equals-ignore-case', 'wildcard'].includes(operator)) throw new InvalidPattern()
    const texts = Array.isArray(inner) ? inner : [inner]
    if (texts.length === 0) throw new InvalidPattern()
    const tests = texts.map((text: Json) => {
      if (string(text) === '' && (operator === 'prefix' || operator === 'suffix')) throw new InvalidPattern()
      return positive(operator, text)
    })
    return value => !tests.some((test: Test) => test(value))
  }
  const values = Array.isArray(operand) ? operand : [operand]
  const types = new Set(values.map(value => typeof value))
  if (values.length === 0 || types.size > 1 || !(types.has('string') || types.has('number')))
    throw new InvalidPattern()
  return value => !values.includes(value)
}

function numeric(operand: Json): Test {
  if (!Array.isArray(operand)) throw new InvalidPattern()
  const [operator, bound, second, upper, ...others] = operand
  if (typeof bound !== 'number' || others.length > 0) throw new InvalidPattern()
  if (operator === '=') {
    if (operand.length !== 2) throw new InvalidPattern()
    return onNumber(value => value === bound)
  }
  if (operator === '<' || operator === '<=') {
    if (operand.length !== 2) throw new InvalidPattern()
    return onNumber(value => value < bound || (operator === '<=' && value === bound))
  }
  if (operator !== '>' && operator !== '>=') throw new InvalidPattern()
  const above = (value: number) => value > bound || (operator === '>=' && value === bound)
  if (operand.length === 2) return onNumber(above)
  if ((second !== '<' && second !== '<=') || typeof upper !== 'number' || upper <= bound)
    throw new InvalidPattern()
  return onNumber(value => above(value) && (value < upper || (second === '<=' && value === upper)))
}

function cidr(text: string): Test {
  const [address, bits, ...others] = text.split('/')
  const network = addressBits(address ?? '')
  if (network === undefined || bits === undefined || !/^\d+$/.test(bits) || others.length > 0)
    throw new InvalidPattern()
  if (Number(bits) >= network.length) throw new InvalidPattern()
  const wanted = network.slice(0, Number(bits))
  return onText(value => {
    const given = addressBits(value)
    return given !== undefined && given.length === network.length && given.startsWith(wanted)
  })
}

/** The address as a text of 32 or 128 zeros and ones. */
function addressBits(text: string): string | undefined {
  const quad = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (quad !== null) {
    const bytes = quad.slice(1).map(Number)
    return bytes.every(byte => byte < 256)
      ? bytes.map(byte => byte.toString(2).padStart(8, '0')).join('')
      : undefined
  }
  const halves = text.split('::')
  if (!text.includes(':') || halves.length > 2) return undefined
  const [head = [], tail = []] = halves.map(half => (half === '' ? [] : half.split(':')))
  const missing = 8 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const groups = [...head, ...Array<string>(missing).fill('0'), ...tail]
  if (!groups.every(group => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return groups.map(group => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('')
}

const anyText = Symbol('*')

function wildcardTokens(pattern: string): readonly (string | typeof anyText)[] {
  const tokens: (string | typeof anyText)[] = []
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index] as string
    if (character === '\\') {
      index += 1
      const escaped = pattern[index]
      if (escaped !== '*' && escaped !== '\\') throw new InvalidPattern()
      tokens.push(escaped)
    } else if (character === '*') {
      if (tokens.at(-1) === anyText) throw new InvalidPattern()
      tokens.push(anyText)
    } else tokens.push(character)
  }
  return tokens
}

function wildcardMatches(tokens: readonly (string | typeof anyText)[], value: string): boolean {
  const [first, ...rest] = tokens
  if (first === undefined) return value === ''
  if (first !== anyText) return value.startsWith(first) && wildcardMatches(rest, value.slice(1))
  return Array.from({ length: value.length + 1 }, (_, from) => from).some(from =>
    wildcardMatches(rest, value.slice(from)),
  )
}

function edge(operator: 'prefix' | 'suffix', value: string, wanted: string): boolean {
  return operator === 'prefix' ? value.startsWith(wanted) : value.endsWith(wanted)
}

function onText(test: (value: string) => boolean): Test {
  return value => typeof value === 'string' && test(value)
}

function onNumber(test: (value: number) => boolean): Test {
  return value => typeof value === 'number' && test(value)
}

function string(value: Json | undefined): string {
  if (typeof value !== 'string') throw new InvalidPattern()
  return value
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
