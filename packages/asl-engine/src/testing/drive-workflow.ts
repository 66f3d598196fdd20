import type { StateMachine } from '@stepwright/asl'
import { substituteAll, substitutionsFor } from '@stepwright/asl/expressions'
import { createEngine, type ExecutionResult } from '../engine.ts'
import type { HistoryEvent } from '../history/event.ts'
import type { Json } from '../json.ts'
import { type CallContext, TaskFailure } from '../task/ports.ts'
import { createTaskTokens } from '../task/task-tokens.ts'
import type { VirtualClock } from '../time/clock.ts'
import { workOnActivity } from './activity-worker.ts'
import { createWaitingCalls } from './waiting-calls.ts'
import type {
  InjectedError,
  Injection,
  RunWorkflowOptions,
  TaskCallRecord,
  WorkflowRun,
} from './workflow-run.ts'
import { callTask, findTask } from './workflow-task.ts'

/** A run that may have come to a point from which only somebody outside could go on. */
export interface DrivenRun extends Omit<WorkflowRun, 'result' | 'status'> {
  readonly result: ExecutionResult | undefined
  /** `RUNNING` if it waits for something that cannot happen. */
  readonly status: ExecutionResult['status'] | 'RUNNING'
  /** The states that wait, if so. */
  readonly waitsFor: readonly string[]
}

/** How long somebody who holds the tokens may take, in real time, before nobody is expected to answer. */
const patienceMs = 2000

export async function driveWorkflow(
  definition: StateMachine,
  options: RunWorkflowOptions,
  clock: VirtualClock,
  graceMs: number = options.engine?.taskTokens || options.engine?.activities ? patienceMs : 0,
): Promise<DrivenRun> {
  const startMs = clock.now()
  const calls: TaskCallRecord[] = []
  const { taskTokens, activities } = options.engine ?? {}
  const waiting = createWaitingCalls(taskTokens ?? createTaskTokens())
  const meet = (
    input: Json,
    context: CallContext,
    functionArn?: string,
    other?: () => unknown,
  ): { readonly answer: unknown } | undefined => {
    const attempt = context.retryCount + 1
    const { stateName } = context
    calls.push({ state: stateName, attempt, atSeconds: (clock.now() - startMs) / 1000, input })
    const injected = options.inject?.find(
      ({ state, attempts }) => state === stateName && (attempts?.includes(attempt) ?? true),
    )
    if (injected !== undefined && injected.when !== 'after' && injected.when !== 'twice')
      throw toThrown(injected)
    const task = findTask(options.tasks, stateName, functionArn)
    const call = task === undefined ? other : () => callTask(task, input, context, clock.now)
    if (call === undefined) return undefined
    const answer = injected === undefined ? call() : deliver(call, injected)
    waiting.watch(stateName, answer)
    return { answer }
  }
  const require = (called: string, met: ReturnType<typeof meet>, { stateName }: CallContext): unknown => {
    if (met === undefined) throw noTask(stateName, called)
    return met.answer
  }
  const engine = createEngine({
    random: () => 0.5,
    ...options.engine,
    definition: substituteAll(
      definition as unknown as Json,
      substitutionsFor(Object.keys(options.tasks), options.substitutions),
    ) as unknown as StateMachine,
    clock,
    taskTokens: waiting.taskTokens,
    invoke: (functionArn, payload, context) => {
      waiting.name(context.taskToken, context.stateName)
      return require(functionArn, meet(payload, context, functionArn), context)
    },
    services: call => {
      waiting.name(call.taskToken, call.stateName)
      const { services } = options.engine ?? {}
      const met = meet(call.parameters, call, undefined, services && (() => services(call)))
      return require(`${call.service}:${call.action}`, met, call)
    },
    activities: {
      exists: arn => activities?.exists(arn) ?? true,
      schedule: scheduled => {
        const { activityArn, stateName } = scheduled
        waiting.name(scheduled.taskToken, stateName)
        const isOurs = findTask(options.tasks, stateName, activityArn) !== undefined
        if (!isOurs && activities !== undefined) return activities.schedule(scheduled)
        const work = (input: Json, context: CallContext): unknown =>
          require(activityArn, meet(input, context, activityArn), context)
        void workOnActivity(scheduled, work, clock, waiting)
      },
    },
  })
  const execution = engine.run(options.input ?? {}, { keepHistory: true })
  const result = await resultOf(execution.result, clock, graceMs)
  const waitsFor = result === undefined ? waiting.states() : []
  const history = execution.history()
  if (result === undefined) execution.suspend()
  const failure = result === undefined || result.status === 'SUCCEEDED' ? undefined : result
  const ofState = (state: string): readonly TaskCallRecord[] => calls.filter(call => call.state === state)
  return {
    // First what says how it went: that is how a run is printed.
    status: result?.status ?? 'RUNNING',
    failedState: failure && failedStateOf(history),
    error: failure?.error,
    cause: failure?.cause,
    output: result?.status === 'SUCCEEDED' ? result.output : undefined,
    result,
    waitsFor,
    path: history.flatMap(event => enteredState(event) ?? []),
    calls,
    attempts: state => Math.max(0, ...ofState(state).map(call => call.attempt)),
    waitsSeconds: state => waitsBetween(ofState(state)),
    elapsedSeconds: (clock.now() - startMs) / 1000,
    history,
  }
}

/** The state that the last event goes back to. */
function failedStateOf(history: readonly HistoryEvent[]): string | undefined {
  const byId = new Map(history.map(event => [event.id, event]))
  for (let event = history.at(-1); event !== undefined; event = byId.get(event.previousEventId)) {
    const name = enteredState(event)
    if (name !== undefined) return name
  }
  return undefined
}

/** The result; `undefined` once nothing is under way and no timer is left, and nobody changes that within the grace. */
async function resultOf(
  result: Promise<ExecutionResult>,
  clock: VirtualClock,
  graceMs: number,
): Promise<ExecutionResult | undefined> {
  let timer: NodeJS.Timeout | undefined
  const stalled = new Promise<undefined>(resolve => {
    clock.onIdle(() => {
      if (graceMs === 0) return resolve(undefined)
      clearTimeout(timer)
      timer = setTimeout(() => {
        if (clock.isIdle()) resolve(undefined)
      }, graceMs)
    })
  })
  try {
    return await Promise.race([result, stalled])
  } finally {
    clearTimeout(timer)
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

/** Runs the task, and loses what it answered. */
async function deliver(call: () => unknown, injected: Injection): Promise<unknown> {
  try {
    await call()
  } catch {
    // that it failed is lost as well
  }
  if (injected.when === 'twice') return call()
  throw toThrown(injected)
}

function toThrown({ error, state }: InjectedError): Error {
  if (typeof error === 'string') return new TaskFailure(error, `injected at ${state}`)
  return error instanceof Error ? error : new error(`injected at ${state}`)
}

/** A workflow that calls what the test does not offer: a mistake in the test, said as such. */
function noTask(state: string, called: string): Error {
  const error = new Error(`state '${state}' calls ${called}: add it to 'tasks', by state or function name`)
  error.name = 'TaskNotProvidedError'
  return error
}
