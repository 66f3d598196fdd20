import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describeIssues, type TaskErrorClass, toIssues } from '@stepwright/errors'

/** @throws the given error with `details.issues`: the path and the trouble of each. */
export async function validate<Output>(
  schema: StandardSchemaV1<unknown, Output>,
  value: unknown,
  errorClass: TaskErrorClass,
  what: string,
): Promise<Output> {
  const result = await schema['~standard'].validate(value)
  if (result.issues === undefined) return result.value
  const issues = toIssues(result.issues) ?? [{ path: '', message: 'does not fit its schema' }]
  throw new errorClass(`${what}: ${describeIssues(issues)}`, { details: { issues } })
}
