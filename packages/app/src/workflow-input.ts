import type { StandardSchemaV1 } from '@standard-schema/spec'
import { DataValidationError, describeIssues, toIssues } from '@stepwright/errors'
import { type JsonSchema, jsonSchemaOf } from '@stepwright/task'
import type { App } from './app.ts'
import { exampleOf } from './example-of.ts'

/**
 * Refuses an input that the workflow's schema refuses, before anything is started. A JSON Schema is not asked.
 * @throws DataValidationError with `details.issues`: the path and the trouble of each
 */
export async function assertWorkflowInput(app: App, workflow: string, input: unknown): Promise<void> {
  const schema = app.workflows?.[workflow]?.input
  if (!isStandard(schema)) return
  const result = await schema['~standard'].validate(input)
  if (result.issues === undefined) return
  const issues = toIssues(result.issues) ?? [{ path: '', message: 'does not fit its schema' }]
  throw new DataValidationError(
    `the workflow ${workflow} does not take this input: ${describeIssues(issues)}`,
    {
      details: { issues },
    },
  )
}

/** An input to begin with, made of the workflow's schema; undefined where the schema cannot tell its JSON Schema. */
export function exampleWorkflowInput(app: App, workflow: string): unknown {
  const schema = app.workflows?.[workflow]?.input
  const described = isStandard(schema) ? describe(schema, app) : (schema as JsonSchema | undefined)
  return described === undefined ? undefined : exampleOf(described, described)
}

function describe(schema: StandardSchemaV1, { toJsonSchema }: App): JsonSchema | undefined {
  return jsonSchemaOf(schema, 'input', toJsonSchema ? { toJsonSchema } : {})
}

function isStandard(schema: unknown): schema is StandardSchemaV1 {
  return typeof schema === 'object' && schema !== null && '~standard' in schema
}
