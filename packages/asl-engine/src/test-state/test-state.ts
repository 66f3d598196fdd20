import type { QueryLanguage, State, States } from '@stepwright/asl'
import { createCore, type EngineOptions } from '../engine.ts'
import { createExecution } from '../execution/execution.ts'
import { enterState } from '../execution/run-machine.ts'
import type { StandIn, StateObserver } from '../execution/state-observer.ts'
import { createThread, type Thread } from '../execution/thread.ts'
import type { Variables } from '../expressions/scope.ts'
import { attemptsOf, findCatcher, findRetrier, retryDelayMs } from '../failures/retry.ts'
import { StateFailure } from '../failures/state-failure.ts'
import { createHistory } from '../history/history.ts'
import { isObject, type Json } from '../json.ts'
import { compileState } from '../states/compile.ts'
import type { CompiledState } from '../states/compiled-state.ts'
import { createCancellation } from '../time/cancellation.ts'
import { createRealClock } from '../time/clock.ts'
import { checkDefinition, checkRequest, refusal } from './check-request.ts'
import { selectInspection } from './inspection.ts'
import { checkMockedResult } from './mock-schema.ts'
import type { TestStateAnswer, TestStateRequest } from './request.ts'

/** The name of a state that was sent without one. */
const loneState = 'StateName'

/** Runs one state, or what its mock says it did, and shows what became of the data. Throws a TestStateRefusal. */
export async function testState(
  request: TestStateRequest,
  ports: Omit<EngineOptions, 'definition'> = {},
): Promise<TestStateAnswer> {
  const { name, state, language } = findState(request)
  await checkDefinition(name, state, request.definition)
  checkRequest(request, state)
  checkCause(request, state)
  const compiled = compileState(name, state, { language })
  const input = (request.input ?? {}) as Json
  const inspection: Record<string, Json> = { input }
  const thread = createTestThread(request, ports, input, {
    see: (step, value) => {
      // A Map shows the result of its first pass, not what the flow makes of it later.
      if (step !== 'result' || !('result' in inspection)) inspection[step] = value
    },
    standIn: toStandIn(request, state),
    contextObject: request.context,
  })
  enterState(compiled, thread, input)
  thread.retryCount = isObject(request.context) ? 0 : (request.stateConfiguration?.retrierRetryCount ?? 0)
  const answer = await runOnce(compiled, thread, input, request)
  if (request.inspectionLevel === undefined || request.inspectionLevel === 'INFO') {
    const { inspectionData: _hidden, ...visible } = answer
    return visible
  }
  return { ...answer, inspectionData: selectInspection(inspection, state, language) }
}

async function runOnce(
  compiled: CompiledState,
  thread: Thread,
  input: Json,
  request: TestStateRequest,
): Promise<TestStateAnswer> {
  try {
    const { next, output, assigned } = await (compiled.handling?.attempt ?? compiled.work)(thread, input)
    seeVariables(thread, assigned)
    return { status: 'SUCCEEDED', output, ...(next === undefined ? {} : { nextState: next }) }
  } catch (error) {
    if (!(error instanceof StateFailure)) throw error
    return handleFailure(compiled, thread, input, error, request)
  }
}

async function handleFailure(
  { handling }: CompiledState,
  thread: Thread,
  input: Json,
  failure: StateFailure,
  request: TestStateRequest,
): Promise<TestStateAnswer> {
  const failed = {
    ...(failure.error === undefined ? {} : { error: failure.error }),
    ...(failure.cause === undefined ? {} : { cause: failure.cause }),
  }
  const details: Record<string, Json> = {}
  const conclude = (): void => {
    if (Object.keys(details).length > 0) thread.execution.observer?.see('errorDetails', details)
  }
  const retryIndex = findRetrier(handling?.retriers ?? [], failure)
  const retrier = handling?.retriers[retryIndex]
  if (retrier !== undefined) {
    details['retryIndex'] = retryIndex
    const retried = request.stateConfiguration?.retrierRetryCount ?? 0
    if (retried < attemptsOf(retrier)) {
      details['retryBackoffIntervalSeconds'] = retryDelayMs(retrier, retried, () => 1) / 1000
      conclude()
      return { status: 'RETRIABLE', ...failed }
    }
  }
  const catchIndex = findCatcher(handling?.catchers ?? [], failure)
  if (handling === undefined || catchIndex < 0) {
    conclude()
    return { status: 'FAILED', ...failed }
  }
  details['catchIndex'] = catchIndex
  conclude()
  const { next, output, assigned } = await handling.leaveBy(catchIndex, thread, input, failure)
  seeVariables(thread, assigned)
  return { status: 'CAUGHT_ERROR', ...failed, output, ...(next === undefined ? {} : { nextState: next }) }
}

/** The variables after the state: those that it was given, and those that it assigned. */
function seeVariables(thread: Thread, assigned: Variables = {}): void {
  const variables = { ...thread.variables, ...assigned }
  if (Object.keys(variables).length > 0) thread.execution.observer?.see('variables', variables)
}

function findState(request: TestStateRequest): {
  readonly name: string
  readonly state: State
  readonly language: QueryLanguage
} {
  const { definition, stateName } = request
  if (!('States' in definition)) {
    if (stateName !== undefined) throw refusal('State not found in definition')
    return { name: loneState, state: definition, language: definition.QueryLanguage ?? 'JSONPath' }
  }
  const found = stateName === undefined ? undefined : searchStates(definition.States, stateName)
  if (stateName === undefined || found === undefined) {
    throw refusal('State not found in definition')
  }
  return { name: stateName, state: found, language: definition.QueryLanguage ?? 'JSONPath' }
}

function searchStates(states: States, name: string): State | undefined {
  if (Object.hasOwn(states, name)) return states[name]
  for (const state of Object.values(states)) {
    const found = searchInside(state, name)
    if (found !== undefined) return found
  }
  return undefined
}

function searchInside(state: State, name: string): State | undefined {
  const inner =
    state.Type === 'Parallel'
      ? state.Branches.map(branch => branch.States)
      : state.Type === 'Map'
        ? [(state.ItemProcessor ?? state.Iterator)?.States ?? {}]
        : []
  for (const nested of inner) {
    const found = searchStates(nested, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** The state that a mocked error comes from is one inside of the Map or Parallel. */
function checkCause({ stateConfiguration }: TestStateRequest, state: State): void {
  const name = stateConfiguration?.errorCausedByState
  if (name !== undefined && searchInside(state, name) === undefined)
    throw refusal(`State '${name}' not found inside of the state under test`)
}

function toStandIn(request: TestStateRequest, state: State): StandIn | undefined {
  const { mock, stateConfiguration } = request
  if (mock === undefined) return undefined
  const { result, errorOutput } = mock
  const readItems = stateConfiguration?.mapItemReaderData
  const failedIterations = stateConfiguration?.mapIterationFailureCount ?? 0
  return {
    answer: () => {
      if (errorOutput !== undefined) throw new StateFailure(errorOutput.error, errorOutput.cause)
      return checkMockedResult(state, request, JSON.parse(result ?? 'null') as Json)
    },
    failedIterations,
    expectInputs: count => {
      if (failedIterations > count) {
        throw refusal(
          'Map iteration failure count must be less than or equal to the number of Map iterations.',
        )
      }
      const results: unknown = JSON.parse(result ?? 'null')
      if (Array.isArray(results) && results.length !== count)
        throw refusal("Input array does not equal the mocked result array's size.")
    },
    readItems: readItems === undefined ? undefined : (JSON.parse(readItems) as readonly Json[]),
  }
}

function createTestThread(
  request: TestStateRequest,
  ports: Omit<EngineOptions, 'definition'>,
  input: Json,
  observer: StateObserver,
): Thread {
  const { region = 'us-east-1', account = '000000000000', clock = createRealClock() } = ports
  const engine = createCore({ ...ports, clock }, region)
  const machine = engine.chance.uuid()
  const name = engine.chance.uuid()
  const execution = createExecution({
    engine,
    identity: {
      arn: `arn:aws:states:${region}:${account}:express:${machine}:${name}`,
      name,
      stateMachineArn: `arn:aws:states:${region}:${account}:stateMachine:${machine}`,
      stateMachineName: machine,
      roleArn: request.roleArn ?? `arn:aws:iam::${account}:role/TestState`,
    },
    type: 'EXPRESS',
    input,
    startMs: clock.now(),
    redriveCount: 0,
    redriveMs: undefined,
    recording: undefined,
    observer,
    history: createHistory({ clock, maxEvents: Number.POSITIVE_INFINITY, keep: false, onEvent: undefined }),
  })
  const thread = createThread(execution, createCancellation())
  thread.variables = request.variables ?? {}
  return thread
}
