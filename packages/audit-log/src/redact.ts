import type { JsonSchema } from '@stepwright/task'

/** A part of a JSON Schema, which may be true or false. */
type Subschema = boolean | JsonSchema

export interface RedactorOptions {
  /**
   * Where secrets are, from the top: `userRecord.email`, `items.*.token`; `*` is any one key or index,
   * `**` any number of them: `**.password`.
   */
  readonly paths?: readonly string[]
  /**
   * Marks secrets where they are declared: everything under `"sensitive": true` or `"writeOnly": true`.
   * With zod: `z.toJSONSchema(schema)` of a schema registered with `{ sensitive: true }`.
   */
  readonly schema?: JsonSchema
  /** @default '[redacted]' */
  readonly mask?: unknown
}

/** A copy of the value without its secrets. Never throws, never changes what it was given. */
export type Redactor = (value: unknown) => unknown

export function createRedactor({ paths = [], schema = {}, mask = '[redacted]' }: RedactorOptions): Redactor {
  const patterns = paths.map(path => {
    const keys = path.split('.')
    if (keys.includes('')) throw new TypeError(`redaction path ${JSON.stringify(path)} has an empty part`)
    return keys
  })
  const top = createPlace(patterns, [schema], schema, { left: maxKnown })
  return value => {
    try {
      return redact(value, top, mask, [])
    } catch {
      // A getter that throws, or a value too deep: better nothing than a secret.
      return mask
    }
  }
}

function redact(value: unknown, place: Place, mask: unknown, parents: object[]): unknown {
  if (value !== undefined && place.isSecret) return mask
  if (typeof value !== 'object' || value === null) return value
  if (parents.includes(value)) return '[circular]'
  if (value instanceof Date) return value
  parents.push(value)
  const copy = redactWithin(value, place, mask, parents)
  parents.pop()
  return copy
}

function redactWithin(value: object, place: Place, mask: unknown, parents: object[]): unknown {
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return redact(toJSON.call(value), place, mask, parents)
  if (Array.isArray(value)) {
    return value.map((inner, index) => redact(inner, place.item(String(index)), mask, parents))
  }
  const copy: Record<string, unknown> = {}
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue
    const safe = redact((value as Record<string, unknown>)[key], place.member(key), mask, parents)
    if (key === '__proto__') Object.defineProperty(copy, key, { ...plain, value: safe })
    else copy[key] = safe
  }
  return copy
}

const plain = { enumerable: true, configurable: true, writable: true }

/** Somewhere in a value: what patterns and schemas say of it, worked out once. */
interface Place {
  readonly isSecret: boolean
  member(key: string): Place
  item(index: string): Place
}

/** Data may have any number of keys; beyond so many places, they are worked out each time. */
const maxKnown = 10_000

function createPlace(
  patterns: readonly (readonly string[])[],
  schemas: readonly Subschema[],
  root: Subschema,
  room: { left: number },
): Place {
  const rules = schemas.flatMap(schema => resolve(schema, root))
  const known = { member: new Map<string, Place>(), item: new Map<string, Place>() }
  function within(key: string, kind: 'member' | 'item'): Place {
    const found = known[kind].get(key)
    if (found) return found
    const place = createPlace(
      patterns.flatMap(pattern => advance(pattern, key)),
      rules.flatMap(rule => childSchemas(rule, key, kind === 'item')),
      root,
      room,
    )
    if (room.left > 0) known[kind].set(key, place)
    room.left -= 1
    return place
  }
  return {
    isSecret: patterns.some(isReached) || rules.some(isSensitive),
    member: key => within(key, 'member'),
    item: index => within(index, 'item'),
  }
}

function isReached(pattern: readonly string[]): boolean {
  return pattern.every(key => key === '**')
}

/** What is left of a pattern after one more key. */
function advance(pattern: readonly string[], key: string): (readonly string[])[] {
  const [first, ...rest] = pattern
  if (first === '**') return [pattern, ...(rest.length > 0 ? advance(rest, key) : [])]
  return first === '*' || first === key ? [rest] : []
}

type Rule = Readonly<Record<string, unknown>>

function isSensitive(rule: Rule): boolean {
  return rule['sensitive'] === true || rule['writeOnly'] === true
}

/** The schema with all that it refers to and combines. */
function resolve(schema: unknown, root: Subschema, seen: Set<unknown> = new Set()): Rule[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  const rule = schema as Rule
  const combined = ['allOf', 'anyOf', 'oneOf'].flatMap(keyword => toList(rule[keyword]))
  const referred = typeof rule['$ref'] === 'string' ? [lookUp(rule['$ref'], root)] : []
  return [rule, ...[...combined, ...referred].flatMap(inner => resolve(inner, root, seen))]
}

/** The part of the schema that a local reference such as `#/$defs/User` means. */
function lookUp(reference: string, root: Subschema): unknown {
  if (!reference.startsWith('#')) return undefined
  return reference
    .slice(1)
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((part, key) => own(part, key), root)
}

function childSchemas(rule: Rule, key: string, isArray: boolean): Subschema[] {
  if (isArray) {
    const prefix = toList(rule['prefixItems'])[Number(key)]
    return [prefix ?? rule['items']].filter(isSchema)
  }
  const named = own(rule['properties'], key)
  const matching = Object.entries((rule['patternProperties'] as object | undefined) ?? {}).filter(
    ([pattern]) => new RegExp(pattern, 'u').test(key),
  )
  const special = [named, ...matching.map(([, schema]) => schema)].filter(isSchema)
  return special.length > 0 ? special : [rule['additionalProperties']].filter(isSchema)
}

function own(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}

function isSchema(value: unknown): value is Subschema {
  return typeof value === 'object' && value !== null
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
