import type { StandardSchemaV1 } from '@standard-schema/spec'
import {
  DataValidationError,
  describeIssues,
  type Issue,
  toIssues,
  UnexpectedError,
} from '@stepwright/errors'

/** @throws DataValidationError with `details.issues`: the path and the trouble of each. */
export async function validateInput(
  task: string,
  schema: StandardSchemaV1,
  value: unknown,
): Promise<unknown> {
  const { issues, value: parsed } = await check(schema, value)
  if (issues === undefined) return parsed
  throw new DataValidationError(`input of ${task}: ${describeIssues(issues)}`, { details: { issues } })
}

/** @throws UnexpectedError: a result that breaks its own schema is a bug of the task, not of its caller. */
export async function validateOutput<Output>(
  task: string,
  schema: StandardSchemaV1<unknown, Output>,
  value: unknown,
): Promise<Output> {
  const { issues, value: parsed } = await check(schema, value)
  if (issues === undefined) return parsed as Output
  throw new UnexpectedError(`output of ${task}: ${describeIssues(issues)}`, { details: { issues } })
}

async function check(
  schema: StandardSchemaV1,
  value: unknown,
): Promise<{ readonly issues?: readonly Issue[] | undefined; readonly value?: unknown }> {
  const result = await schema['~standard'].validate(value)
  if (result.issues === undefined) return result
  return { issues: toIssues(result.issues) ?? [{ path: '', message: 'does not fit its schema' }] }
}
