type Schema = Readonly<Record<string, unknown>>

/** A value that a JSON Schema takes, as far as a few of its keywords tell. */
export function exampleOf(schema: Schema, root: Schema, depth = 0): unknown {
  if (depth > 12 || typeof schema !== 'object' || schema === null) return null
  if (typeof schema['$ref'] === 'string') return exampleOf(resolve(schema['$ref'], root), root, depth + 1)
  for (const key of ['default', 'const']) if (key in schema) return schema[key]
  for (const key of ['examples', 'enum']) {
    const [first] = (schema[key] ?? []) as readonly unknown[]
    if (first !== undefined) return first
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const [first] = (schema[key] ?? []) as readonly Schema[]
    if (first !== undefined) return exampleOf(first, root, depth + 1)
  }
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type']
  if (type === 'object' || 'properties' in schema) return objectExample(schema, root, depth)
  if (type === 'array') return schema['items'] ? [exampleOf(schema['items'] as Schema, root, depth + 1)] : []
  if (type === 'integer' || type === 'number') return numberExample(schema)
  if (type === 'boolean') return false
  return type === 'string' ? textExample(schema) : null
}

function objectExample(schema: Schema, root: Schema, depth: number): unknown {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>)
  const required = new Set((schema['required'] ?? []) as readonly string[])
  return Object.fromEntries(
    properties
      .filter(([key]) => required.has(key))
      .map(([key, inner]) => [key, exampleOf(inner, root, depth + 1)]),
  )
}

/** The nearest to 0 that the limits let be. */
function numberExample({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: Schema): number {
  const least = Math.max(limit(minimum), limit(exclusiveMinimum) + 1)
  const most = -Math.max(limit(negative(maximum)), limit(negative(exclusiveMaximum)) + 1)
  return Math.min(Math.max(0, least), most)
}

function limit(value: unknown): number {
  return typeof value === 'number' ? value : Number.NEGATIVE_INFINITY
}

function negative(value: unknown): unknown {
  return typeof value === 'number' ? -value : value
}

const formats: Readonly<Record<string, string>> = {
  'date-time': '2030-01-01T00:00:00Z',
  date: '2030-01-01',
  email: 'ann@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com/',
}

function textExample({ format, minLength }: Schema): string {
  return formats[String(format)] ?? 'text'.padEnd(typeof minLength === 'number' ? minLength : 0, 'x')
}

function resolve(reference: string, root: Schema): Schema {
  const keys = reference.replace(/^#\/?/, '').split('/').filter(Boolean)
  return keys.reduce<Schema>((within, key) => (within?.[key] ?? {}) as Schema, root)
}
