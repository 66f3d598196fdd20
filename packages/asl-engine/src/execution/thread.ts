import type { Chance, Scope, Variables } from '../expressions/scope.ts'
import { type EventKind, typeOf } from '../history/event-kind.ts'
import type { EventDetails } from '../history/record.ts'
import type { Replay } from '../history/recording.ts'
import { isObject, type Json } from '../json.ts'
import type { Cancellation } from '../time/cancellation.ts'
import type { Execution } from './execution.ts'

/** What a Map hands to each of its iterations through the context object. */
export interface MapItem {
  readonly index: number
  readonly value: Json
  readonly key?: string | undefined
  /** Where it comes from: `STATE_DATA`, or an address in S3. */
  readonly source?: string
}

/** One line of control: an execution has one, a Parallel one for each branch, a Map one for each iteration. */
export interface Thread {
  readonly execution: Execution
  /** Names the thread in what is recorded. */
  readonly place: string
  readonly cancellation: Cancellation
  readonly item: MapItem | undefined
  /** What the thread had done when the execution was interrupted. */
  readonly replay: Replay | undefined
  variables: Variables
  /** At most so many bytes are in the variables; `undefined` where they were not measured yet. */
  variablesBytes: number | undefined
  /** The event that the next one follows. */
  lastEventId: number
  stateName: string
  stateType: string
  enteredMs: number
  enteredEventId: number
  enteredAfterEventId: number
  retryCount: number
  taskToken: string | undefined
}

const noVariables: Variables = {}

export function createThread(
  execution: Execution,
  cancellation: Cancellation,
  place = '',
  lastEventId = 0,
  variables: Variables = noVariables,
  item?: MapItem,
): Thread {
  return {
    execution,
    place,
    cancellation,
    item,
    replay: execution.recording?.replay(place),
    variables,
    variablesBytes: undefined,
    lastEventId,
    stateName: '',
    stateType: '',
    enteredMs: execution.startMs,
    enteredEventId: 0,
    enteredAfterEventId: 0,
    retryCount: 0,
    taskToken: undefined,
  }
}

/** A thread inside a Parallel or Map: it sees the outer variables, and what it assigns stays its own. */
export function forkThread(
  parent: Thread,
  cancellation: Cancellation,
  place: string,
  lastEventId: number,
  item: MapItem | undefined = parent.item,
): Thread {
  return createThread(parent.execution, cancellation, place, lastEventId, parent.variables, item)
}

/** Records an event that the thread goes on from, unless it is on record already. */
export function record(thread: Thread, type: string, details?: EventDetails): number
export function record<Data>(thread: Thread, kind: EventKind<Data>, data: Data, timestampMs?: number): number
export function record<Data>(
  thread: Thread,
  kind: string | EventKind<Data>,
  data?: Data,
  timestampMs?: number,
): number {
  const id = recordAfter(thread, thread.lastEventId, kind as EventKind<Data>, data as Data, timestampMs)
  thread.lastEventId = id
  return id
}

/** Records an event of the thread that the next one does not follow. */
export function recordAfter(
  thread: Thread,
  previousEventId: number,
  type: string,
  details?: EventDetails,
): number
export function recordAfter<Data>(
  thread: Thread,
  previousEventId: number,
  kind: EventKind<Data>,
  data: Data,
  timestampMs?: number,
): number
export function recordAfter<Data>(
  thread: Thread,
  previousEventId: number,
  kind: string | EventKind<Data>,
  data?: Data,
  timestampMs?: number,
): number {
  const { replay, execution } = thread
  const known = replay === undefined ? undefined : replay.take(typeOf(kind))
  return (
    known?.id ??
    execution.history.add(thread, previousEventId, kind as EventKind<Data>, data as Data, timestampMs)
  )
}

/** What an expression of a thread sees. A class, because a new closure for every evaluation costs more than it. */
class ThreadScope implements Scope {
  readonly input: Json
  readonly variables: Variables
  readonly chance: Chance
  readonly #thread: Thread
  readonly #item: MapItem | undefined

  constructor(thread: Thread, input: Json, item: MapItem | undefined) {
    this.input = input
    this.variables = thread.variables
    this.chance = thread.execution.engine.chance
    this.#thread = thread
    this.#item = item
  }

  context(): Json {
    return contextObject(this.#thread, this.#item)
  }
}

export function scopeOf(thread: Thread, input: Json, item: MapItem | undefined = thread.item): Scope {
  return new ThreadScope(thread, input, item)
}

const withRetryCount = new Set(['Task', 'Map', 'Parallel'])

/** The context object, `$$` or `$states.context`. */
export function contextObject(thread: Thread, item: MapItem | undefined): Json {
  const { execution } = thread
  const { identity } = execution
  const state: Record<string, Json> = {
    Name: thread.stateName,
    EnteredTime: new Date(thread.enteredMs).toISOString(),
  }
  if (withRetryCount.has(thread.stateType)) state['RetryCount'] = thread.retryCount
  const context: Record<string, Json> = {
    Execution: {
      Id: identity.arn,
      Input: execution.input,
      StartTime: new Date(execution.startMs).toISOString(),
      Name: identity.name,
      RoleArn: identity.roleArn,
      RedriveCount: execution.redriveCount,
      ...(execution.redriveMs === undefined
        ? {}
        : { RedriveTime: new Date(execution.redriveMs).toISOString() }),
    },
    StateMachine: { Id: identity.stateMachineArn, Name: identity.stateMachineName },
    State: state,
  }
  if (thread.taskToken !== undefined) context['Task'] = { Token: thread.taskToken }
  if (item !== undefined) {
    const { index, value, key, source } = item
    context['Map'] = {
      Item: {
        Index: index,
        Value: value,
        ...(key === undefined ? {} : { Key: key }),
        ...(source === undefined ? {} : { Source: source }),
      },
    }
  }
  const given = execution.observer?.contextObject
  return isObject(given) ? { ...context, ...given } : context
}
