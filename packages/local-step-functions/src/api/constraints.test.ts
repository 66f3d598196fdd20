import { ServiceError } from '@stepwright/local-server'
import { describe, expect, it } from 'vitest'
import { createWorld } from '../create-world.ts'
import { pass, role } from '../test/api-client.ts'
import { createOperations } from './operations.ts'
import { createParameters } from './request.ts'

const { world } = createWorld({ pollSeconds: 0 }, 'us-east-1')
const operations = createOperations(world)

async function refusal(operation: string, body: Readonly<Record<string, unknown>>): Promise<string> {
  try {
    await operations[operation]?.(createParameters(body), new AbortController().signal)
  } catch (error) {
    if (error instanceof ServiceError) return `${error.code}: ${error.message}`
    throw error
  }
  return 'accepted'
}

function isNull(name: string): string {
  return `Value null at '${name}' failed to satisfy constraint: Member must not be null`
}

function isTooLong(value: string, name: string, max: number): string {
  return `Value ${value}at '${name}' failed to satisfy constraint: Member must have length less than or equal to ${max}`
}

// AWS's services check requests against their model first and name every violation:
// hashicorp/terraform-provider-aws issue 41023 has an answer with eight; wolfeidau/buildkite-serverless-agent
// issue 37 has StartExecution's with one. The limits are those of the API reference.
describe('the constraints of the API', () => {
  it('are named all at once', async () => {
    const notAType =
      "Value 'SLOW' at 'type' failed to satisfy constraint: Member must satisfy enum value set: [STANDARD, EXPRESS]"
    const incomplete = [isNull('name'), isNull('definition'), isNull('roleArn'), notAType].join('; ')
    expect(await refusal('CreateStateMachine', { type: 'SLOW' })).toBe(
      `ValidationException: 4 validation errors detected: ${incomplete}`,
    )
    const name = 'x'.repeat(81)
    const long = [isTooLong(`'${name}' `, 'name', 80), isTooLong('', 'input', 262_144)]
    expect(await refusal('StartExecution', { name, input: 'x'.repeat(262_145) })).toBe(
      `ValidationException: 3 validation errors detected: ${[isNull('stateMachineArn'), ...long].join('; ')}`,
    )
    expect(await refusal('CreateStateMachineAlias', {})).toBe(
      `ValidationException: 2 validation errors detected: ${isNull('name')}; ${isNull('routingConfiguration')}`,
    )
  })

  it.each([
    ['CreateStateMachine', { name: 'a b', definition: '{', roleArn: '' }],
    ['CreateStateMachine', { name: 'a b', definition: pass, roleArn: role, type: 'SLOW' }],
    ['StartExecution', { stateMachineArn: 'no-arn', input: '{', traceHeader: 'x'.repeat(257) }],
    ['StartSyncExecution', { stateMachineArn: 'no-arn', input: '{', includedData: 'SOME' }],
    ['SendTaskSuccess', { output: '{' }],
    ['SendTaskSuccess', { taskToken: 'x'.repeat(2049), output: '{' }],
    ['TestState', { definition: '{', input: '{', inspectionLevel: 'ALL' }],
    ['DescribeStateMachineAlias', { stateMachineAliasArn: 'x'.repeat(257) }],
    ['UpdateStateMachineAlias', { stateMachineAliasArn: 'no-arn', description: 'x'.repeat(257) }],
  ])('come before all that %s itself refuses: %j', async (operation, body) => {
    expect(await refusal(operation, body)).toMatch(/^ValidationException: 1 validation error detected: /)
  })

  it('come after values of a wrong type', async () => {
    expect(await refusal('StartExecution', { name: 1 })).toMatch(/^SerializationException: /)
  })

  it('allow an output without a character, which is not JSON', async () => {
    expect(await refusal('SendTaskSuccess', { taskToken: 'made-up', output: '' })).toMatch(/^InvalidOutput: /)
  })
})
