import type { JsonSchema } from '@stepwright/task'
import type { KnownShape, Shape } from './shape.ts'
import { resolve } from './shape-of-schema.ts'

/** Why a value of the shape can never satisfy the schema, and where. */
export interface Mismatch {
  readonly path: readonly string[]
  readonly message: string
}

/** Only what is certain: a shape that may satisfy the schema has no mismatch. */
export function findMismatches(shape: Shape, schema: JsonSchema): readonly Mismatch[] {
  return check(shape, schema, schema, [], 0)
}

type Schema = JsonSchema | boolean | undefined

function check(
  shape: Shape,
  given: Schema,
  root: JsonSchema,
  path: readonly string[],
  depth: number,
): readonly Mismatch[] {
  if (shape.kind === 'unknown' || given === undefined || typeof given === 'boolean' || depth > 15) return []
  const schema = typeof given['$ref'] === 'string' ? resolve(given['$ref'], root) : given
  if (schema === undefined || typeof schema === 'boolean') return []
  const alternatives = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(alternatives)) {
    const problems = alternatives.map(each => check(shape, each as Schema, root, path, depth + 1))
    if (problems.some(each => each.length === 0) || problems.length === 0) return []
    return problems.length === 1 ? (problems[0] ?? []) : [{ path, message: 'fits none of the alternatives' }]
  }
  const all = schema['allOf']
  if (Array.isArray(all)) return all.flatMap(each => check(shape, each as Schema, root, path, depth + 1))
  return (
    checkValues(shape, schema, path) ??
    checkType(shape, schema, path) ?? [
      ...checkObject(shape, schema, root, path, depth),
      ...checkItems(shape, schema, root, path, depth),
    ]
  )
}

function checkValues(
  shape: KnownShape,
  schema: JsonSchema,
  path: readonly string[],
): readonly Mismatch[] | undefined {
  const allowed =
    'const' in schema ? [schema['const']] : Array.isArray(schema['enum']) ? schema['enum'] : undefined
  if (allowed === undefined || shape.values === undefined) return undefined
  if (shape.values.some(value => allowed.includes(value))) return undefined
  const given = shape.values.map(value => JSON.stringify(value)).join(' or ')
  return [
    { path, message: `is ${given}, but must be ${allowed.map(value => JSON.stringify(value)).join(' or ')}` },
  ]
}

function checkType(
  shape: KnownShape,
  schema: JsonSchema,
  path: readonly string[],
): readonly Mismatch[] | undefined {
  const type = schema['type']
  if (type === undefined) return undefined
  const allowed = (Array.isArray(type) ? type : [type]).map(each =>
    each === 'integer' ? 'number' : each,
  ) as string[]
  if ([...shape.types].some(each => allowed.includes(each))) return undefined
  return [
    {
      path,
      message: `is of type ${[...shape.types].join(' or ')}, but must be of type ${allowed.join(' or ')}`,
    },
  ]
}

function checkObject(
  shape: KnownShape,
  schema: JsonSchema,
  root: JsonSchema,
  path: readonly string[],
  depth: number,
): readonly Mismatch[] {
  const { object } = shape
  if (object === undefined || shape.types.size > 1) return []
  const found: Mismatch[] = []
  for (const name of Array.isArray(schema['required']) ? (schema['required'] as string[]) : []) {
    const field = object.fields.get(name)
    const absent = field === undefined ? object.rest === 'none' : field.presence === 'never'
    if (absent) found.push({ path, message: `lacks the required field "${name}"` })
  }
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>
  for (const [name, { shape: field, presence }] of object.fields) {
    if (presence === 'never') continue
    if (Object.hasOwn(properties, name))
      found.push(...check(field, properties[name], root, [...path, name], depth + 1))
    else if (
      presence === 'always' &&
      schema['additionalProperties'] === false &&
      schema['patternProperties'] === undefined
    ) {
      found.push({ path: [...path, name], message: 'is a field that the schema does not allow' })
    }
  }
  return found
}

function checkItems(
  shape: KnownShape,
  schema: JsonSchema,
  root: JsonSchema,
  path: readonly string[],
  depth: number,
): readonly Mismatch[] {
  const items = schema['items'] as Schema
  if (
    shape.array === undefined ||
    shape.types.size > 1 ||
    items === undefined ||
    schema['prefixItems'] !== undefined
  )
    return []
  // an array that may be empty has no wrong item, so only written-down elements count
  return (shape.array.tuple ?? []).flatMap((element, index) =>
    check(element, items, root, [...path, String(index)], depth + 1),
  )
}
