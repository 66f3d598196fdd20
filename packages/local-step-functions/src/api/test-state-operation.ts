import type { Json, State, StateMachine } from '@stepwright/asl'
import {
  type TestStateAnswer,
  type TestStateConfiguration,
  type TestStateMock,
  TestStateRefusal,
  type TestStateRequest,
  testState,
} from '@stepwright/asl-engine'
import { ServiceError } from '@stepwright/local-server'
import type { World } from '../world.ts'
import { inspectionLevels } from './constraints.ts'
import type { Operations } from './operation.ts'
import { createParameters, type Parameters, parseJsonText } from './request.ts'

function readRequest(parameters: Parameters): TestStateRequest {
  const text = (name: string, code: string, what: string): unknown => {
    const value = parameters.optionalText(name)
    return value === undefined ? undefined : parseJsonText(value, code, what)
  }
  const definition = parseJsonText(
    parameters.text('definition'),
    'InvalidDefinition',
    'State Machine Definition',
  )
  if (!isStructure(definition)) {
    throw new ServiceError(
      'InvalidDefinition',
      "Invalid State Machine Definition: 'SCHEMA_VALIDATION_FAILED: A state must be an object at /'",
    )
  }
  const input = text('input', 'InvalidExecutionInput', 'State Machine Execution Input')
  const variables = text('variables', 'ValidationException', 'variables')
  if (variables !== undefined && !isStructure(variables))
    throw new ServiceError('ValidationException', 'Variables must be a JSON object')
  const context = text('context', 'ValidationException', 'Context object provided')
  if (context !== undefined && parameters.optionalObject('mock') === undefined)
    throw new ServiceError('ValidationException', 'A Context object can be specified only with a mock')
  const stateName = parameters.optionalText('stateName')
  const inspectionLevel = parameters.optionalChoice('inspectionLevel', inspectionLevels)
  const roleArn = parameters.optionalText('roleArn')
  const revealSecrets = parameters.optionalBoolean('revealSecrets')
  const mock = readMock(parameters)
  const stateConfiguration = readConfiguration(parameters)
  return {
    definition: definition as unknown as State | StateMachine,
    ...(input === undefined ? {} : { input }),
    ...(variables === undefined ? {} : { variables: variables as Readonly<Record<string, Json>> }),
    ...(context === undefined ? {} : { context: context as Json }),
    ...(stateName === undefined ? {} : { stateName }),
    ...(inspectionLevel === undefined ? {} : { inspectionLevel }),
    ...(roleArn === undefined ? {} : { roleArn }),
    ...(revealSecrets === undefined ? {} : { revealSecrets }),
    ...(mock === undefined ? {} : { mock }),
    ...(stateConfiguration === undefined ? {} : { stateConfiguration }),
  }
}

function isStructure(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readMock(parameters: Parameters): TestStateMock | undefined {
  const given = parameters.optionalObject('mock')
  if (given === undefined) return undefined
  const mock = createParameters(given)
  const result = mock.optionalText('result')
  const fieldValidationMode = mock.optionalChoice('fieldValidationMode', ['STRICT', 'PRESENT', 'NONE'])
  const output = mock.optionalObject('errorOutput')
  const errorOutput = output === undefined ? undefined : createParameters(output)
  const [error, cause] = ['error', 'cause'].map(name => errorOutput?.optionalText(name))
  return {
    ...(result === undefined ? {} : { result }),
    ...(fieldValidationMode === undefined ? {} : { fieldValidationMode }),
    ...(errorOutput === undefined
      ? {}
      : {
          errorOutput: {
            ...(error === undefined ? {} : { error }),
            ...(cause === undefined ? {} : { cause }),
          },
        }),
  }
}

function readConfiguration(parameters: Parameters): TestStateConfiguration | undefined {
  const given = parameters.optionalObject('stateConfiguration')
  if (given === undefined) return undefined
  const configuration = createParameters(given)
  const retrierRetryCount = configuration.optionalInteger('retrierRetryCount')
  const mapIterationFailureCount = configuration.optionalInteger('mapIterationFailureCount')
  const errorCausedByState = configuration.optionalText('errorCausedByState')
  const mapItemReaderData = configuration.optionalText('mapItemReaderData')
  return {
    ...(retrierRetryCount === undefined ? {} : { retrierRetryCount }),
    ...(mapIterationFailureCount === undefined ? {} : { mapIterationFailureCount }),
    ...(errorCausedByState === undefined ? {} : { errorCausedByState }),
    ...(mapItemReaderData === undefined ? {} : { mapItemReaderData }),
  }
}

/** Numbers and structures of the inspection stay what they are; data travels as JSON text. */
const notText = new Set([
  'errorDetails',
  'maxConcurrency',
  'toleratedFailureCount',
  'toleratedFailurePercentage',
])

function showAnswer({ output, inspectionData, ...answer }: TestStateAnswer): object {
  return {
    ...answer,
    ...(output === undefined ? {} : { output: JSON.stringify(output) }),
    ...(inspectionData === undefined
      ? {}
      : {
          inspectionData: Object.fromEntries(
            Object.entries(inspectionData).map(([key, value]) => [
              key,
              notText.has(key) ? value : JSON.stringify(value),
            ]),
          ),
        }),
  }
}

export function testStateOperation(world: World): Operations {
  return {
    TestState: async parameters => {
      try {
        return showAnswer(
          await testState(readRequest(parameters), world.enginePorts({ stateMachineArn: '' })),
        )
      } catch (error) {
        if (error instanceof TestStateRefusal) throw new ServiceError(error.code, error.message)
        throw error
      }
    },
  }
}
