import {
  DescribeExecutionCommand,
  DescribeStateMachineForExecutionCommand,
  type HistoryEvent,
} from '@aws-sdk/client-sfn'
import type { State, StateMachine } from '@stepwright/asl'
import { testState } from '@stepwright/asl-engine'
import { createVisitReader, detailsOf, type Visit } from '@stepwright/asl-graph'
import type { FunctionCall } from '@stepwright/local-cloud'
import { ConsoleProblem } from '../problem.ts'
import type { CallDescription, StepDescription, StepStage } from '../protocol.ts'
import type { ApiContext, ApiRoutes } from './context.ts'
import { findState } from './find-state.ts'
import { readCount } from './read-query.ts'

export const stepRoutes: ApiRoutes = {
  'GET /api/step': async ({ query }, context): Promise<StepDescription> => {
    const arn = query.get('arn') ?? ''
    const enterId = readCount(query, 'enter')
    const events = await context.histories.read(arn)
    const reader = createVisitReader()
    reader.add(events as readonly object[])
    const visit = reader.visits.find(one => one.enterId === enterId)
    if (visit === undefined)
      throw new ConsoleProblem(404, `There is no state that was entered with event ${enterId}.`)
    const byId = new Map(events.map(event => [event.id ?? 0, event]))
    const variables = variablesBefore(reader.visits, visit, byId)
    return {
      stages: await stagesOf(context, arn, visit, byId, variables),
      variables,
      calls: callsOf(context, arn, visit),
    }
  },

  'GET /api/calls': async ({ query }, { feed }) => {
    const name = query.get('function') ?? ''
    const calls = feed.calls.filter(({ functionName }) => name === '' || functionName === name)
    return { calls: calls.slice(-500).reverse().map(toCallDescription) }
  },
}

/** The data at each stage: what the history says, and what path processing made of it in between. */
async function stagesOf(
  context: ApiContext,
  executionArn: string,
  visit: Visit,
  byId: ReadonlyMap<number, HistoryEvent>,
  variables: Readonly<Record<string, unknown>>,
): Promise<readonly StepStage[]> {
  const own = visit.eventIds.flatMap(id => byId.get(id) ?? [])
  const input = payloadOf(own[0], 'input')
  const sent = own.findLast(({ type = '' }) => type.endsWith('Scheduled'))
  const answered = own.findLast(({ type = '' }) => /^(Task|LambdaFunction|Activity)Succeeded$/.test(type))
  const taskInput = payloadOf(sent, 'parameters') ?? payloadOf(sent, 'input')
  const result = payloadOf(answered, 'output')
  const output = payloadOf(
    own.findLast(({ type = '' }) => type.endsWith('StateExited')),
    'output',
  )
  const between = await inspect(context, executionArn, visit, input, result, variables)
  const stages: [string, unknown][] = [
    ['Input', input],
    ['After InputPath', between['afterInputPath']],
    ['After Parameters', between['afterParameters'] ?? between['afterArguments']],
    ['Task input', taskInput],
    ['Result', result],
    ['After ResultSelector', between['afterResultSelector']],
    ['After ResultPath', between['afterResultPath']],
    ['Output', output],
  ]
  return stages.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
}

/** Plays the state again with the result that it had: nothing is called. */
async function inspect(
  { stepFunctions }: ApiContext,
  executionArn: string,
  visit: Visit,
  input: unknown,
  result: unknown,
  variables: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const [{ definition = '{}' }, described] = await Promise.all([
    stepFunctions.send(new DescribeStateMachineForExecutionCommand({ executionArn })),
    stepFunctions.send(new DescribeExecutionCommand({ executionArn })),
  ])
  const machine = JSON.parse(definition) as StateMachine
  const state = findState(machine, visit.name)
  if (state === undefined || !['Task', 'Pass', 'Choice', 'Wait', 'Succeed'].includes(state.Type)) return {}
  const isMocked = state.Type === 'Task'
  if (isMocked && result === undefined) return {}
  const language = machine.QueryLanguage
  try {
    const { inspectionData = {} } = await testState({
      definition: { ...(language && { QueryLanguage: language }), ...state } as State,
      input,
      variables: variables as never,
      inspectionLevel: 'TRACE',
      context: {
        Execution: {
          Id: executionArn,
          Name: described.name ?? '',
          Input: JSON.parse(described.input ?? '{}'),
          StartTime: described.startDate?.toISOString() ?? '',
          RoleArn: '',
          RedriveCount: 0,
        },
        State: { Name: visit.name, EnteredTime: new Date(visit.enterMs).toISOString(), RetryCount: 0 },
        StateMachine: { Id: described.stateMachineArn ?? '', Name: '' },
        ...(visit.iteration !== undefined && { Map: { Item: { Index: visit.iteration, Value: input } } }),
      } as never,
      ...(isMocked && { mock: { result: JSON.stringify(result), fieldValidationMode: 'NONE' as const } }),
    })
    return inspectionData
  } catch {
    return {} // the stages that the history tells are there all the same
  }
}

/** What was assigned before the state was entered, as far as the state sees it. */
function variablesBefore(
  visits: readonly Visit[],
  visit: Visit,
  byId: ReadonlyMap<number, HistoryEvent>,
): Readonly<Record<string, unknown>> {
  const variables: Record<string, unknown> = {}
  const isVisible = (other: Visit): boolean => {
    for (let inner: Visit | undefined = visit; inner !== undefined; inner = inner.parent) {
      if (other.parent === inner.parent && other.iteration === inner.iteration) return true
    }
    return false
  }
  for (const other of visits) {
    if (other.exitId === undefined || other.exitId > visit.enterId || !isVisible(other)) continue
    const assigned = detailsOf((byId.get(other.exitId) ?? {}) as object)['assignedVariables']
    for (const [name, text] of Object.entries((assigned ?? {}) as Record<string, string>)) {
      variables[name] = parseJson(text)
    }
  }
  return variables
}

function callsOf({ feed }: ApiContext, arn: string, visit: Visit): readonly CallDescription[] {
  const isOwn = ({ state, startMs }: FunctionCall): boolean =>
    state?.executionArn === arn &&
    state.stateName === visit.name &&
    startMs >= visit.enterMs - 50 &&
    startMs <= (visit.exitMs ?? Number.POSITIVE_INFINITY) + 50
  return feed.calls.filter(isOwn).slice(0, 100).map(toCallDescription)
}

export function toCallDescription(call: FunctionCall): CallDescription {
  const { requestId, functionName, startMs, endMs, error, log, state } = call
  return {
    requestId,
    functionName,
    startMs,
    endMs,
    log,
    error: error && `${error.name}: ${error.message.split('\n')[0]}`,
    executionArn: state?.executionArn,
    stateName: state?.stateName,
    retryCount: state?.retryCount,
  }
}

function payloadOf(event: HistoryEvent | undefined, field: string): unknown {
  const text = event && detailsOf(event as object)[field]
  return typeof text === 'string' ? parseJson(text) : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
