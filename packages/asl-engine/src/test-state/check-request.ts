import type { State, StateMachine } from '@stepwright/asl'
import { type ContextField, contextFields } from '@stepwright/asl/facts'
import { isArray, isObject, type Json } from '../json.ts'
import { TestStateRefusal, type TestStateRequest } from './request.ts'

export function refusal(message: string): TestStateRefusal {
  return new TestStateRefusal('ValidationException', message)
}

/** A state alone has nowhere to go and is reached from nowhere. */
const ofTheWholeMachine = new Set(['valid/transition', 'valid/unreachable'])

export async function checkDefinition(
  name: string,
  state: State,
  definition: State | StateMachine,
): Promise<void> {
  // The checker brings parsers along that running a machine has no use for.
  const { checkWorkflow } = await import('@stepwright/asl')
  const machine = 'States' in definition ? definition : { StartAt: name, States: { [name]: state } }
  const problem = checkWorkflow(machine).find(
    ({ rule, pointer }) =>
      rule.startsWith('valid/') && !ofTheWholeMachine.has(rule) && `${pointer}/`.includes(`/States/${name}/`),
  )
  if (problem === undefined) return
  const { message, pointer } = problem
  throw new TestStateRefusal(
    'InvalidDefinition',
    `Invalid State Machine Definition: 'SCHEMA_VALIDATION_FAILED: ${message} at ${pointer}'`,
  )
}

const mockable = new Set(['Task', 'Map', 'Parallel'])

export function checkRequest(request: TestStateRequest, state: State): void {
  const { mock } = request
  if (mock === undefined) {
    if (state.Type === 'Map' || state.Type === 'Parallel') {
      throw new TestStateRefusal(
        'InvalidDefinition',
        'TestState API does not support Map or Parallel states. Supported state types include: [Task, Wait, Pass, Succeed, Fail, Choice]',
      )
    }
    if (state.Type === 'Task' && request.roleArn === undefined) {
      throw refusal('RoleArn must be specified when testing a Task state')
    }
  } else {
    if (request.revealSecrets === true)
      throw refusal('TestState does not support RevealSecrets when a mock is specified.')
    if (!mockable.has(state.Type))
      throw refusal(`State type '${state.Type}' is not supported when a mock is specified`)
    if ((mock.result === undefined) === (mock.errorOutput === undefined)) {
      throw refusal('A test mock should have only one of the following fields: [result, errorOutput].')
    }
    if (mock.result !== undefined) checkMockShape(mock.result, state)
    const readerData = request.stateConfiguration?.mapItemReaderData
    if (state.Type === 'Map' && state.ItemReader !== undefined && readerData === undefined) {
      throw refusal('ItemReader data must be specified when testing a Map state with ItemReader specified.')
    }
  }
  if (request.context !== undefined) checkContext(request.context)
}

function checkMockShape(text: string, state: State): void {
  let result: Json
  try {
    result = JSON.parse(text) as Json
  } catch {
    throw refusal('Mocked result must be valid JSON')
  }
  if (state.Type === 'Map' && state.ResultWriter !== undefined) {
    if (!isObject(result)) throw refusal('Mocked result must be a JSON object.')
  } else if (state.Type !== 'Task' && !isArray(result)) throw refusal('Mocked result must be an array.')
  if (state.Type === 'Parallel' && isArray(result) && result.length !== state.Branches.length) {
    throw refusal('Mocked result must contain the same number of items as number of Parallel branches.')
  }
}

const parts: Readonly<Record<string, Readonly<Record<string, ContextField>>>> = {
  Execution: contextFields.Execution,
  State: contextFields.State,
  StateMachine: contextFields.StateMachine,
  Task: contextFields.Task,
}

function checkContext(context: Json): void {
  const problem = (text: string): TestStateRefusal => refusal(`Invalid Context object provided: ${text}`)
  if (!isObject(context)) throw problem('it must be a JSON object')
  for (const [part, fields] of Object.entries(context)) {
    if (part === 'Map') throw problem("'Map' field is not supported when mocking a Context object")
    const allowed = Object.hasOwn(parts, part) ? parts[part] : undefined
    if (allowed === undefined) throw problem(`Field '${part}' is not allowed`)
    if (!isObject(fields)) throw problem(`Field '${part}' must be an object`)
    for (const [field, value] of Object.entries(fields)) {
      const type = Object.hasOwn(allowed, field) ? allowed[field] : undefined
      if (type === undefined) throw problem(`Field '${field}' is not allowed`)
      if (type !== 'data' && typeof value !== type) throw problem(`Field '${field}' must be a ${type}`)
    }
  }
}
