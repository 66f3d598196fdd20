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
  return value => {
    try {
      return redact(value, patterns, [schema], schema, mask, new Set())
    } catch {
      // A getter that throws, or a value too deep: better nothing than a secret.
      return mask
    }
  }
}

function redact(
  value: unknown,
  patterns: readonly (readonly string[])[],
  schemas: readonly Subschema[],
  root: Subschema,
  mask: unknown,
  parents: Set<object>,
): unknown {
  const rules = schemas.flatMap(schema => resolve(schema, root))
  if (value !== undefined && (patterns.some(isReached) || rules.some(isSensitive))) return mask
  if (typeof value !== 'object' || value === null) return value
  if (parents.has(value)) return '[circular]'
  if (value instanceof Date) return value
  const within = new Set(parents).add(value)
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return redact(toJSON.call(value), patterns, schemas, root, mask, within)
  const child = (key: string, inner: unknown): unknown =>
    redact(
      inner,
      patterns.flatMap(pattern => advance(pattern, key)),
      rules.flatMap(rule => childSchemas(rule, key, Array.isArray(value))),
      root,
      mask,
      within,
    )
  if (Array.isArray(value)) return value.map((inner, index) => child(String(index), inner))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, child(key, inner)]))
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
