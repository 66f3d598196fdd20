import { ServiceError } from '@stepwright/local-server'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWorld } from '../create-world.ts'
import { pass, role } from '../test/api-client.ts'
import { createOperations } from './operations.ts'
import { createParameters } from './request.ts'

const { world } = createWorld({ pollSeconds: 0 }, 'us-east-1')
const operations = createOperations(world)
const prefix = 'arn:aws:states:us-east-1:000000000000'
const names = [
  ...['stateMachineArn', 'executionArn', 'activityArn', 'resourceArn', 'mapRunArn', 'stateMachineAliasArn'],
  ...[
    'stateMachineVersionArn',
    'name',
    'definition',
    'roleArn',
    'type',
    'tags',
    'tagKeys',
    'input',
    'output',
  ],
  ...['loggingConfiguration', 'tracingConfiguration', 'encryptionConfiguration', 'routingConfiguration'],
  ...['publish', 'versionDescription', 'description', 'revisionId', 'maxResults', 'nextToken', 'severity'],
  ...['statusFilter', 'redriveFilter', 'includedData', 'traceHeader', 'clientToken', 'taskToken', 'error'],
  ...['mock', 'context', 'variables', 'stateConfiguration', 'inspectionLevel', 'stateName', 'revealSecrets'],
  ...['maxConcurrency', 'toleratedFailureCount', 'toleratedFailurePercentage', 'cause', 'reverseOrder'],
]
const arns = [
  ...['stateMachine:m', 'stateMachine:m:1', 'stateMachine:m:live', 'stateMachine:m/l', 'execution:m:x'],
  ...['execution:m/l:x', 'express:m:x:y', 'mapRun:m/l:x', 'activity:a'],
].map(text => `${prefix}:${text}`)
const inner = JSON.parse(pass)
const definitions = [
  { Type: 'Pass', End: true },
  { Type: 'Task', Resource: 'arn:aws:states:::states:startExecution', Parameters: {}, End: true },
  { Type: 'Map', ItemProcessor: inner, End: true },
  { Type: 'Parallel', Branches: [inner], End: true },
  { Type: 'Wait', Seconds: null, End: true },
  { Type: 'Choice', Choices: [] },
].map(definition => JSON.stringify(definition))
const fields = [
  ...['type', 'level', 'destinations', 'result', 'errorOutput', 'fieldValidationMode', 'key', 'error'],
  ...['retrierRetryCount', 'mapIterationFailureCount', 'mapItemReaderData', 'errorCausedByState'],
]
const text = fc.constantFrom(
  ...arns,
  ...definitions,
  pass,
  '{}',
  'null',
  '[]',
  '[1]',
  '"x"',
  'WyJ4Il0',
  'm',
  '',
)
const value = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(fc.constantFrom(...fields), fc.oneof(text, fc.jsonValue({ maxDepth: 1 }))),
)

async function call(operation: string, body: Readonly<Record<string, unknown>>): Promise<unknown> {
  return operations[operation]?.(createParameters(body), new AbortController().signal)
}

describe('the API', () => {
  it('never fails inside, whatever it is sent', async () => {
    await call('CreateStateMachine', { name: 'm', definition: pass, roleArn: role, publish: true })
    await call('StartExecution', { stateMachineArn: `${prefix}:stateMachine:m`, name: 'x' })
    const body = fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: 8 })
    const anything = fc.asyncProperty(
      fc.constantFrom(...Object.keys(operations)),
      body,
      async (operation, sent) => {
        const failure = await call(operation, sent).catch((error: unknown) => error)
        if (failure instanceof Error) expect(failure).toBeInstanceOf(ServiceError)
      },
    )
    await fc.assert(anything, { numRuns: 1000 })
  })
})
