import type { AccessRequest } from '@stepwright/policy'

const fields = [
  'stateMachineArn',
  'executionArn',
  'mapRunArn',
  'activityArn',
  'stateMachineAliasArn',
  'resourceArn',
]

/** What a call of the Step Functions API needs. A task token does not tell its machine: any will do. */
export function toRequests(
  operation: string,
  input: Readonly<Record<string, unknown>>,
): readonly AccessRequest[] {
  const arn = fields.map(field => input[field]).find(value => typeof value === 'string') as string | undefined
  const action = `states:${operation}`
  if (arn !== undefined) return [{ action, resource: arn }]
  return [{ action, resource: '*' }]
}
