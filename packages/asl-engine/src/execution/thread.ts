import type { Scope, Variables } from '../expressions/scope.ts'
import type { EventDetails } from '../history/record.ts'
import type { Json } from '../json.ts'
import type { Cancellation } from '../time/cancellation.ts'
import type { Execution } from './execution.ts'

/** What a Map hands to each of its iterations through the context object. */
export interface MapItem {
  readonly index: number
  readonly value: Json
  readonly key?: string
}

/** One line of control: an execution has one, a Parallel one for each branch, a Map one for each iteration. */
export interface Thread {
  readonly execution: Execution
  readonly cancellation: Cancellation
  readonly item: MapItem | undefined
  variables: Variables
  /** The event that the next one follows. */
  lastEventId: number
  stateName: string
  stateType: string
  enteredMs: number
  enteredEventId: number
  enteredAfterEventId: number
  retryCount: number
  taskToken: string | undefined
  /** What TestState shows of the data flow; absent in ordinary executions. */
  inspection: Record<string, Json> | undefined
  /** Stands in for the state's work in TestState. */
  mock: Mock | undefined
  /** Takes the context object's place in TestState. */
  contextObject: Json | undefined
}

export interface Mock {
  /** The mocked result; throws the mocked failure. */
  readonly answer: () => Json
  /** How many of a Map's iterations are supposed to have failed. */
  readonly failedIterations: number
  /** What a Map's ItemReader is supposed to have read. */
  readonly readItems: readonly Json[] | undefined
}

export function createThread(
  execution: Execution,
  cancellation: Cancellation,
  lastEventId = 0,
  variables: Variables = {},
  item?: MapItem,
): Thread {
  return {
    execution,
    cancellation,
    item,
    variables,
    lastEventId,
    stateName: '',
    stateType: '',
    enteredMs: 0,
    enteredEventId: 0,
    enteredAfterEventId: 0,
    retryCount: 0,
    taskToken: undefined,
    inspection: undefined,
    mock: undefined,
    contextObject: undefined,
  }
}

/** A thread inside a Parallel or Map: it sees the outer variables, and what it assigns stays its own. */
export function forkThread(
  parent: Thread,
  cancellation: Cancellation,
  lastEventId: number,
  item: MapItem | undefined = parent.item,
): Thread {
  return createThread(parent.execution, cancellation, lastEventId, parent.variables, item)
}

/** Records an event that the thread goes on from. */
export function record(thread: Thread, type: string, details?: EventDetails): number {
  const id = thread.execution.history.add(thread.lastEventId, type, details)
  thread.lastEventId = id
  return id
}

export function scopeOf(thread: Thread, input: Json): Scope {
  return {
    input,
    variables: thread.variables,
    context: () => contextObject(thread),
    chance: thread.execution.engine.chance,
  }
}

const withRetryCount = new Set(['Task', 'Map', 'Parallel'])

/** The context object, `$$` or `$states.context`. */
function contextObject(thread: Thread): Json {
  if (thread.contextObject !== undefined) return thread.contextObject
  const { execution } = thread
  const state: Record<string, Json> = {
    Name: thread.stateName,
    EnteredTime: new Date(thread.enteredMs).toISOString(),
  }
  if (withRetryCount.has(thread.stateType)) state['RetryCount'] = thread.retryCount
  const context: Record<string, Json> = {
    Execution: {
      Id: execution.arn,
      Input: execution.input,
      StartTime: new Date(execution.startMs).toISOString(),
      Name: execution.name,
      RoleArn: execution.roleArn,
      RedriveCount: execution.redriveCount,
    },
    StateMachine: { Id: execution.stateMachineArn, Name: execution.stateMachineName },
    State: state,
  }
  if (thread.taskToken !== undefined) context['Task'] = { Token: thread.taskToken }
  if (thread.item !== undefined) {
    const { index, value, key } = thread.item
    context['Map'] = { Item: { Index: index, Value: value, ...(key === undefined ? {} : { Key: key }) } }
  }
  return context
}
