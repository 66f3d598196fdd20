import type { State } from '@stepwright/asl'
import { isArray, isObject, type Json } from '../json.ts'
import type { TestStateRequest } from './test-state.ts'

/** A request that the TestState API rejects, under the name of AWS's exception. */
export class TestStateRefusal extends Error {
  override readonly name = 'TestStateRefusal'
  readonly code: 'ValidationException' | 'InvalidDefinition'
  constructor(code: 'ValidationException' | 'InvalidDefinition', message: string) {
    super(message)
    this.code = code
  }
}

const refuse = (message: string): never => {
  throw new TestStateRefusal('ValidationException', message)
}

const MOCKABLE = new Set(['Task', 'Map', 'Parallel'])

export const checkRequest = (request: TestStateRequest, state: State): void => {
  const { mock } = request
  if (mock === undefined) {
    if (state.Type === 'Map' || state.Type === 'Parallel') {
      throw new TestStateRefusal(
        'InvalidDefinition',
        'TestState API does not support Map or Parallel states. Supported state types include: [Task, Wait, Pass, Succeed, Fail, Choice]',
      )
    }
  } else {
    if (request.revealSecrets === true) refuse('TestState does not support RevealSecrets when a mock is specified.')
    if (!MOCKABLE.has(state.Type)) refuse(`State type '${state.Type}' is not supported when a mock is specified`)
    if (mock.result !== undefined && mock.errorOutput !== undefined) {
      refuse('A test mock should have only one of the following fields: [result, errorOutput].')
    }
    if (mock.result !== undefined) checkMockShape(mock.result, state)
  }
  if (request.context !== undefined) checkContext(request.context)
}

const checkMockShape = (text: string, state: State): void => {
  let result: Json
  try {
    result = JSON.parse(text) as Json
  } catch {
    return refuse('Mocked result must be valid JSON')
  }
  if (state.Type === 'Map' && state.ResultWriter !== undefined) {
    if (!isObject(result)) refuse('Mocked result must be a JSON object.')
  } else if (state.Type !== 'Task' && !isArray(result)) refuse('Mocked result must be an array.')
}

const CONTEXT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Execution: ['Id', 'Input', 'Name', 'RoleArn', 'StartTime', 'RedriveCount', 'RedriveTime'],
  State: ['EnteredTime', 'Name', 'RetryCount'],
  StateMachine: ['Id', 'Name'],
  Task: ['Token'],
}

const checkContext = (context: Json): void => {
  const problem = (text: string): never => refuse(`Invalid Context object provided: ${text}`)
  if (!isObject(context)) return problem('it must be a JSON object')
  for (const [part, fields] of Object.entries(context)) {
    if (part === 'Map') problem("'Map' field is not supported when mocking a Context object")
    const allowed = CONTEXT_FIELDS[part] ?? problem(`Field '${part}' is not allowed`)
    for (const field of isObject(fields) ? Object.keys(fields) : []) {
      if (!allowed.includes(field)) problem(`Field '${field}' is not allowed`)
    }
  }
}
