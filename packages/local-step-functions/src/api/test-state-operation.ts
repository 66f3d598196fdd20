import type { Json, State, StateMachine } from '@stepwright/asl'
import {
  type TestStateAnswer,
  type TestStateConfiguration,
  type TestStateMock,
  TestStateRefusal,
  type TestStateRequest,
  testState,
} from '@stepwright/asl-engine'
import type { World } from '../world.ts'
import { ApiError } from './api-error.ts'
import type { Operations } from './operation.ts'
import { type Parameters, parseJsonText } from './request.ts'

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
  const input = text('input', 'InvalidExecutionInput', 'State Machine Execution Input')
  const variables = text('variables', 'ValidationException', 'variables')
  const context = text('context', 'ValidationException', 'Context object provided')
  const stateName = parameters.optionalText('stateName')
  const inspectionLevel = parameters.optionalText('inspectionLevel')
  const roleArn = parameters.optionalText('roleArn')
  const revealSecrets = parameters.optionalBoolean('revealSecrets')
  const mock = parameters.optionalObject('mock')
  const stateConfiguration = parameters.optionalObject('stateConfiguration')
  return {
    definition: definition as State | StateMachine,
    ...(input === undefined ? {} : { input }),
    ...(variables === undefined ? {} : { variables: variables as Readonly<Record<string, Json>> }),
    ...(context === undefined ? {} : { context: context as Json }),
    ...(stateName === undefined ? {} : { stateName }),
    ...(inspectionLevel === undefined
      ? {}
      : { inspectionLevel: inspectionLevel as 'INFO' | 'DEBUG' | 'TRACE' }),
    ...(roleArn === undefined ? {} : { roleArn }),
    ...(revealSecrets === undefined ? {} : { revealSecrets }),
    ...(mock === undefined ? {} : { mock: mock as TestStateMock }),
    ...(stateConfiguration === undefined
      ? {}
      : { stateConfiguration: stateConfiguration as TestStateConfiguration }),
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
        if (error instanceof TestStateRefusal) throw new ApiError(error.code, error.message)
        throw error
      }
    },
  }
}
