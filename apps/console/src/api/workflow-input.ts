import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { AnyApp } from '@stepwright/app'
import type { JsonSchema } from '@stepwright/task'
import { ConsoleProblem } from '../problem.ts'

/** Refuses an input that the workflow's schema refuses, before anything is started. */
export async function assertInput(app: AnyApp, workflow: string, text: string): Promise<void> {
  const declared = app.workflows?.[workflow]
  if (declared === undefined) throw new ConsoleProblem(404, `There is no workflow ${workflow}.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ConsoleProblem(400, `The input must be JSON: ${(error as Error).message}`)
  }
  const schema = declared.input
  if (!isStandard(schema)) return
  const { issues } = await schema['~standard'].validate(value)
  if (issues === undefined) return
  const said = issues.map(({ path = [], message }) => {
    const keys = path.map(part => String(typeof part === 'object' ? part.key : part))
    return `${keys.join('.') || 'the input'}: ${message}`
  })
  throw new ConsoleProblem(400, `The workflow does not take this input. ${said.join('; ')}`)
}

/** An input to begin with. */
export function exampleInput(app: AnyApp, workflow: string): string {
  const schema = app.workflows?.[workflow]?.input
  if (schema === undefined) return '{}'
  try {
    const described = isStandard(schema) ? app.toJsonSchema?.(schema, 'input') : (schema as JsonSchema)
    return JSON.stringify(described === undefined ? {} : exampleOf(described, described), null, 2)
  } catch {
    return '{}' // a schema that cannot tell its JSON Schema
  }
}

function isStandard(schema: unknown): schema is StandardSchemaV1 {
  return typeof schema === 'object' && schema !== null && '~standard' in schema
}

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

function numberExample({ minimum, exclusiveMinimum }: Schema): number {
  if (typeof minimum === 'number') return minimum
  return typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 0
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
