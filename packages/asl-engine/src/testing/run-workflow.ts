import type { StateMachine } from '@stepwright/asl'
import { substituteAll, substitutionsFor } from '@stepwright/asl/expressions'
import { createEngine, type EngineOptions, type ExecutionResult } from '../engine.ts'
import type { HistoryEvent } from '../history/event.ts'
import type { Json } from '../json.ts'
import { type CallContext, TaskFailure } from '../task/ports.ts'
import { createVirtualClock } from '../time/clock.ts'
import { callTask, type ErrorClassLike, findTask, type WorkflowTasks } from './workflow-task.ts'

/** An error that a state is made to meet instead of its task's answer. */
export interface Injection {
  readonly state: string
  /** Which attempts fail, counted from 1. @default every attempt */
  readonly attempts?: readonly number[]
  /** A class of errors, an error, or the bare name that Step Functions would see, such as `States.Timeout`. */
  readonly error: ErrorClassLike | Error | string
}

export interface RunWorkflowOptions {
  readonly tasks: WorkflowTasks
  readonly input?: unknown
  readonly inject?: readonly Injection[]
  /** Values for `${…}` in the definition. @default a placeholder named like a task is that task */
  readonly substitutions?: Readonly<Record<string, string>>
  /** Anything else that the engine takes: service adapters, an object store, limits. */
  readonly engine?: Partial<Omit<EngineOptions, 'definition' | 'invoke' | 'clock'>>
}

/** One call of a state's task. */
export interface TaskCallRecord {
  readonly state: string
  readonly attempt: number
  readonly atSeconds: number
  readonly input: Json
}

/** What happened, ready for assertions. */
export interface WorkflowRun {
  readonly result: ExecutionResult
  readonly status: ExecutionResult['status']
  /** `undefined` unless the execution succeeded. */
  readonly output: Json | undefined
  readonly error: string | undefined
  readonly cause: string | undefined
  /** The states in the order in which they were entered. */
  readonly path: readonly string[]
  readonly calls: readonly TaskCallRecord[]
  /** How often the state's task was tried; in a Map, for the item that needed most. */
  readonly attempts: (state: string) => number
  /** The waits before the state's retries. */
  readonly waitsSeconds: (state: string) => readonly number[]
  /** Virtual time from start to end. */
  readonly elapsedSeconds: number
  readonly history: readonly HistoryEvent[]
}

/** Runs a definition with real tasks in virtual time, as Step Functions would, without AWS. */
export async function runWorkflow(
  definition: StateMachine,
  options: RunWorkflowOptions,
): Promise<WorkflowRun> {
  const clock = createVirtualClock()
  const startMs = clock.now()
  const calls: TaskCallRecord[] = []
  const meet = (
    input: Json,
    context: CallContext,
    functionArn?: string,
  ): { readonly answer: unknown } | undefined => {
    const attempt = context.retryCount + 1
    calls.push({ state: context.stateName, attempt, atSeconds: (clock.now() - startMs) / 1000, input })
    const injected = options.inject?.find(
      ({ state, attempts }) => state === context.stateName && (attempts?.includes(attempt) ?? true),
    )
    if (injected !== undefined) throw toThrown(injected)
    const task = findTask(options.tasks, context.stateName, functionArn)
    return task === undefined ? undefined : { answer: callTask(task, input, context, clock.now) }
  }
  const engine = createEngine({
    random: () => 0.5,
    ...options.engine,
    definition: substituteAll(
      definition as unknown as Json,
      substitutionsFor(Object.keys(options.tasks), options.substitutions),
    ) as unknown as StateMachine,
    clock,
    invoke: (functionArn, payload, context) => {
      const met = meet(payload, context, functionArn)
      if (met === undefined) throw noTask(context.stateName, functionArn)
      return met.answer
    },
    services: call => {
      const met = meet(call.parameters, call)
      if (met !== undefined) return met.answer
      if (options.engine?.services !== undefined) return options.engine.services(call)
      throw noTask(call.stateName, `${call.service}:${call.action}`)
    },
  })
  const execution = engine.run(options.input ?? {}, { keepHistory: true })
  const result = await execution.result
  const history = execution.history()
  const ofState = (state: string): readonly TaskCallRecord[] => calls.filter(call => call.state === state)
  return {
    result,
    status: result.status,
    output: result.status === 'SUCCEEDED' ? result.output : undefined,
    error: result.status === 'SUCCEEDED' ? undefined : result.error,
    cause: result.status === 'SUCCEEDED' ? undefined : result.cause,
    path: history.flatMap(event => enteredState(event) ?? []),
    calls,
    attempts: state => Math.max(0, ...ofState(state).map(call => call.attempt)),
    waitsSeconds: state => waitsBetween(ofState(state)),
    elapsedSeconds: (clock.now() - startMs) / 1000,
    history,
  }
}

function enteredState(event: HistoryEvent): string | undefined {
  return event.stateEnteredEventDetails?.['name'] as string | undefined
}

function waitsBetween(calls: readonly TaskCallRecord[]): readonly number[] {
  const firstAt = new Map<number, number>()
  for (const { attempt, atSeconds } of calls) if (!firstAt.has(attempt)) firstAt.set(attempt, atSeconds)
  const times = [...firstAt].sort(([a], [b]) => a - b).map(([, atSeconds]) => atSeconds)
  return times.slice(1).map((atSeconds, index) => atSeconds - (times[index] as number))
}

function toThrown({ error, state }: Injection): Error {
  if (typeof error === 'string') return new TaskFailure(error, `injected at ${state}`)
  return error instanceof Error ? error : new error(`injected at ${state}`)
}

/** A workflow that calls what the test does not offer: a mistake in the test, said as such. */
function noTask(state: string, called: string): Error {
  const error = new Error(`state '${state}' calls ${called}: add it to 'tasks', by state or function name`)
  error.name = 'TaskNotProvidedError'
  return error
}
