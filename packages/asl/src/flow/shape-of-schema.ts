import type { JsonSchema } from '@stepwright/task'
import { join } from './join.ts'
import { tupleOf } from './list.ts'
import {
  arrayOf,
  type Field,
  isScalar,
  type JsonType,
  known,
  type Origin,
  objectOf,
  ofType,
  ofValue,
  type Shape,
  unknown,
} from './shape.ts'

type Schema = JsonSchema | boolean

/** The shape that a JSON Schema promises; what it leaves open is unknown. */
export function shapeOfSchema(schema: JsonSchema | undefined, origin: Origin): Shape {
  return schema === undefined ? unknown : convert(schema, { root: schema, origin, depth: 0 })
}

interface Context {
  readonly root: JsonSchema
  readonly origin: Origin
  readonly depth: number
}

function convert(schema: Schema | undefined, context: Context): Shape {
  if (schema === undefined || typeof schema === 'boolean' || context.depth > 15) return unknown
  const inner = { ...context, depth: context.depth + 1 }
  if (typeof schema['$ref'] === 'string') return convert(resolve(schema['$ref'], context.root), inner)
  if ('const' in schema) return isScalar(schema['const']) ? ofValue(schema['const']) : unknown
  if (Array.isArray(schema['enum'])) return ofEnum(schema['enum'], context.origin)
  const alternatives = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(alternatives)) {
    return ofUnion(
      alternatives.map(each => convert(each as Schema, inner)),
      context.origin,
    )
  }
  const all = schema['allOf']
  if (Array.isArray(all))
    return all.length === 1 && !('properties' in schema) ? convert(all[0] as Schema, inner) : unknown
  const type = schema['type'] ?? ('properties' in schema ? 'object' : undefined)
  const types = (Array.isArray(type) ? type : [type]) as (JsonType | 'integer' | undefined)[]
  return joinAll(
    types.map(each => ofSchemaType(each, schema, inner)),
    context.origin,
  )
}

function ofSchemaType(type: JsonType | 'integer' | undefined, schema: JsonSchema, context: Context): Shape {
  if (type === undefined) return unknown
  if (type === 'object') return ofObject(schema, context)
  if (type === 'array') return ofArray(schema, context)
  return ofType(type === 'integer' ? 'number' : type)
}

function ofObject(schema: JsonSchema, context: Context): Shape {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : [])
  const fields = new Map<string, Field>()
  for (const [name, property] of Object.entries(properties)) {
    const shape = convert(property, context)
    fields.set(
      name,
      required.has(name)
        ? { shape, presence: 'always' }
        : { shape, presence: 'sometimes', missing: context.origin },
    )
  }
  const more = schema['additionalProperties']
  const listed = fields.size > 0 && schema['patternProperties'] === undefined
  const rest = more === false ? 'none' : more === undefined && listed ? 'unmentioned' : 'maybe'
  return objectOf(fields, context.origin, rest)
}

function ofArray(schema: JsonSchema, context: Context): Shape {
  const [given, items] = [schema['prefixItems'], schema['items']]
  const tuple = Array.isArray(given) ? (given as Schema[]) : []
  const closed = tuple.length > 0 && items === false
  const most = typeof schema['maxItems'] === 'number' ? schema['maxItems'] : Number.POSITIVE_INFINITY
  const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0
  const elements = tuple.map(item => convert(item, context))
  if (closed && least >= tuple.length) return tupleOf(elements)
  const rest = closed ? [] : [convert(items as Schema | undefined, context)]
  return arrayOf(
    joinAll([...elements, ...rest], context.origin),
    closed ? Math.min(most, tuple.length) : most,
    least,
  )
}

function ofEnum(values: readonly unknown[], origin: Origin): Shape {
  return values.every(isScalar)
    ? joinAll(
        values.map(value => ofValue(value)),
        origin,
      )
    : unknown
}

/** One of several values; of objects it is remembered which there are, so that a test can tell them apart. */
function ofUnion(members: readonly Shape[], origin: Origin): Shape {
  const joined = joinAll(members, origin)
  if (joined.kind === 'unknown' || joined.object === undefined) return joined
  const alternatives = members.flatMap(member =>
    member.kind === 'unknown' || member.object === undefined
      ? []
      : (member.object.alternatives ?? [member.object]),
  )
  if (alternatives.length < 2) return joined
  return known(joined.types, { ...joined.object, alternatives }, joined.array, joined.values)
}

/** One of several values, of which the schema does not say which. */
function joinAll(shapes: readonly Shape[], origin: Origin): Shape {
  return shapes.length === 0 ? unknown : shapes.reduce((sum, shape) => join(sum, shape, origin, origin))
}

export function resolve(reference: string, root: JsonSchema): Schema | undefined {
  if (!reference.startsWith('#')) return undefined
  let found: unknown = root
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined
  }
  return found as Schema | undefined
}
