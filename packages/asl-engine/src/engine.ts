import type { StateMachine } from '@stepwright/asl'
import { createExecution, type EngineCore, type MapRunListener } from './execution/execution.ts'
import { keptShapes } from './execution/kept-shapes.ts'
import { runMachine } from './execution/run-machine.ts'
import { createThread } from './execution/thread.ts'
import { Interrupted, StateFailure } from './failures/state-failure.ts'
import { type HistoryEvent, toHistoryEvent } from './history/event.ts'
import { createHistory, type History } from './history/history.ts'
import type { HistoryRecord } from './history/record.ts'
import { createRecording, type Recording } from './history/recording.ts'
import { type Json, throughJson } from './json.ts'
import { awsLimits, type Limits } from './limits.ts'
import { createMemoryObjects } from './map/memory-objects.ts'
import type { ObjectStorePort } from './map/object-store.ts'
import { isPromise } from './maybe-promise.ts'
import { compileMachine } from './states/compile.ts'
import type { ActivityPort, CallService, InvokeFunction } from './task/ports.ts'
import { createTaskTokens, type TaskTokens } from './task/task-tokens.ts'
import { unknownFunction, unknownService } from './task/unknown.ts'
import { createCancellation } from './time/cancellation.ts'
import { type Clock, createRealClock } from './time/clock.ts'

export interface EngineOptions {
  readonly definition: StateMachine
  /** Runs Lambda functions. By default every function is unknown. */
  readonly invoke?: InvokeFunction
  /** Answers service integrations other than `lambda:invoke`. By default every service is unknown. */
  readonly services?: CallService
  readonly activities?: ActivityPort
  /** Where Distributed Maps read and write. By default an empty memory. */
  readonly objects?: ObjectStorePort
  /** Shared between engines whose callbacks arrive at one place. */
  readonly taskTokens?: TaskTokens
  /** @default the real clock */
  readonly clock?: Clock
  /** For jitter and `States.MathRandom`. @default Math.random */
  readonly random?: () => number
  /** @default crypto.randomUUID */
  readonly uuid?: () => string
  readonly limits?: Partial<Limits>
  /** @default 'STANDARD' */
  readonly type?: 'STANDARD' | 'EXPRESS'
  /** The state machine's name. @default 'StateMachine' */
  readonly name?: string
  /** @default 'us-east-1' */
  readonly region?: string
  /** @default '000000000000' */
  readonly account?: string
  readonly roleArn?: string
  /** Hears of Distributed Map runs. */
  readonly mapRuns?: MapRunListener
  /** Asked before every transition: how many milliseconds it has to wait. */
  readonly admit?: () => number
}

export interface RunOptions {
  /** The execution's name. @default a new UUID */
  readonly name?: string
  /** Without it events go to `onEvent` only, and `history()` stays empty. @default true for Standard; AWS keeps no history of Express executions */
  readonly keepHistory?: boolean
  /** Told of every event, and of what resuming needs besides: records whose `id` is 0, and those of children. */
  readonly onEvent?: (record: HistoryRecord) => void
  /** Goes on with an execution that was interrupted, from all that `onEvent` was told; what had ended is not done again. */
  readonly resume?: {
    readonly records: readonly HistoryRecord[]
    /** Starts again what failed; history shows it. */
    readonly redrive?: boolean
  }
}

export type ExecutionResult =
  | { readonly status: 'SUCCEEDED'; readonly output: Json }
  | {
      readonly status: 'FAILED' | 'TIMED_OUT' | 'ABORTED'
      readonly error: string | undefined
      readonly cause: string | undefined
    }

export interface RunningExecution {
  readonly arn: string
  readonly name: string
  readonly startMs: number
  readonly result: Promise<ExecutionResult>
  readonly history: () => readonly HistoryEvent[]
  readonly records: () => readonly HistoryRecord[]
  readonly abort: (reason?: { readonly error?: string; readonly cause?: string }) => void
  /** Stops without a word to anyone: the execution can be resumed from what it recorded. */
  readonly suspend: () => void
}

export interface Engine {
  readonly stateMachineArn: string
  readonly taskTokens: TaskTokens
  readonly run: (input: unknown, options?: RunOptions) => RunningExecution
}

const expressSeconds = 300

export function createEngine(options: EngineOptions): Engine {
  const {
    definition,
    type = 'STANDARD',
    name = 'StateMachine',
    region = 'us-east-1',
    account = '000000000000',
  } = options
  const machine = compileMachine(definition, { language: definition.QueryLanguage ?? 'JSONPath' })
  const core = createCore(options, region)
  const prefix = `arn:aws:states:${region}:${account}`
  const stateMachineArn = `${prefix}:stateMachine:${name}`
  const roleArn = options.roleArn ?? `arn:aws:iam::${account}:role/StepFunctionsRole`
  const timeoutSeconds =
    type === 'EXPRESS'
      ? Math.min(definition.TimeoutSeconds ?? expressSeconds, expressSeconds)
      : definition.TimeoutSeconds

  const run = (rawInput: unknown, runOptions: RunOptions = {}): RunningExecution => {
    const { resume, keepHistory = type === 'STANDARD', onEvent } = runOptions
    const executionName = runOptions.name ?? core.chance.uuid()
    const input = throughJson(rawInput)
    const history = createHistory({
      clock: core.clock,
      maxEvents: type === 'EXPRESS' ? Number.POSITIVE_INFINITY : core.limits.historyEvents,
      keep: keepHistory,
      onEvent,
      ...(resume === undefined ? {} : { earlier: resume.records }),
    })
    const earlier = resume === undefined ? undefined : recall(resume, history, core.clock)
    const startMs = resume?.records[0]?.timestampMs ?? core.clock.now()
    const execution = createExecution({
      engine: core,
      identity: {
        arn:
          type === 'EXPRESS'
            ? `${prefix}:express:${name}:${executionName}:${core.chance.uuid()}`
            : `${prefix}:execution:${name}:${executionName}`,
        name: executionName,
        stateMachineArn,
        stateMachineName: name,
        roleArn,
      },
      type,
      input,
      startMs,
      redriveCount: earlier?.redriveCount ?? 0,
      redriveMs: earlier?.redriveMs,
      history,
      recording: earlier?.recording,
      observer: undefined,
    })
    const cancellation = createCancellation()
    const thread = createThread(execution, cancellation, '', earlier?.lastEventId)
    let ending: Exclude<ExecutionResult, { status: 'SUCCEEDED' }> | undefined
    const end = (how: Exclude<ExecutionResult, { status: 'SUCCEEDED' }>): void => {
      ending ??= how
      cancellation.cancel()
    }
    const stopTimer =
      timeoutSeconds === undefined
        ? () => undefined
        : core.clock.at((execution.redriveMs ?? startMs) + timeoutSeconds * 1000, () =>
            end({ status: 'TIMED_OUT', error: 'States.Timeout', cause: undefined }),
          )
    const conclude = async (): Promise<ExecutionResult> => {
      try {
        if (earlier === undefined) history.add(thread, 0, 'ExecutionStarted', { input, roleArn })
        // A machine that need not wait ends before `run` returns.
        const running = runMachine(machine, thread, input)
        const output = isPromise(running) ? await running : running
        if (ending !== undefined) throw new Interrupted()
        history.add(thread, thread.lastEventId, 'ExecutionSucceeded', { output })
        return { status: 'SUCCEEDED', output }
      } catch (error) {
        const failed = ending ?? toFailedResult(error)
        // who stops an execution does not follow any event of it
        const previousEventId = failed.status === 'ABORTED' ? 0 : thread.lastEventId
        history.add(thread, previousEventId, closingEvents[failed.status], {
          error: failed.error,
          cause: failed.cause,
        })
        return failed
      } finally {
        stopTimer()
      }
    }
    return {
      arn: execution.identity.arn,
      name: executionName,
      startMs: execution.startMs,
      result: conclude(),
      history: () => history.records().map(toHistoryEvent),
      records: () => history.records(),
      abort: (reason = {}) => end({ status: 'ABORTED', error: reason.error, cause: reason.cause }),
      suspend: () => {
        history.mute()
        end({ status: 'ABORTED', error: undefined, cause: undefined })
      },
    }
  }
  return { stateMachineArn, taskTokens: core.taskTokens, run }
}

const closingEvents = {
  FAILED: 'ExecutionFailed',
  TIMED_OUT: 'ExecutionTimedOut',
  ABORTED: 'ExecutionAborted',
} as const

interface Earlier {
  readonly recording: Recording
  readonly lastEventId: number
  readonly redriveCount: number
  /** When it was last redriven: its timeout counts from then. */
  readonly redriveMs: number | undefined
}

/** What an interrupted execution had done; a redrive takes back what failed. */
function recall(
  { records, redrive = false }: NonNullable<RunOptions['resume']>,
  history: History,
  clock: Clock,
): Earlier {
  const redrives = records.filter(({ type }) => type === 'ExecutionRedriven')
  const last = records.findLast(({ id, place }) => id > 0 && place === undefined)
  const before = {
    lastEventId: last?.id === 1 ? 0 : (last?.id ?? 0),
    redriveCount: redrives.length,
    redriveMs: redrives.at(-1)?.timestampMs,
  }
  if (!redrive) return { ...before, recording: createRecording(records) }
  const redriveCount = redrives.length + 1
  const lastEventId = history.add({ place: '' }, before.lastEventId, 'ExecutionRedriven', { redriveCount })
  const redriveMs = clock.now()
  const redriven: HistoryRecord = {
    id: lastEventId,
    previousEventId: before.lastEventId,
    timestampMs: redriveMs,
    type: 'ExecutionRedriven',
  }
  return { recording: createRecording([...records, redriven]), lastEventId, redriveCount, redriveMs }
}

function toFailedResult(error: unknown): Exclude<ExecutionResult, { status: 'SUCCEEDED' }> {
  if (error instanceof StateFailure) return { status: 'FAILED', error: error.error, cause: error.cause }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return { status: 'FAILED', error: 'States.Runtime', cause: `The interpreter failed: ${message}` }
}

export function createCore(options: Omit<EngineOptions, 'definition'>, region: string): EngineCore {
  return {
    clock: options.clock ?? createRealClock(),
    chance: {
      random: options.random ?? Math.random,
      uuid: options.uuid ?? (() => crypto.randomUUID()),
    },
    limits: { ...awsLimits, ...options.limits },
    region,
    invoke: options.invoke ?? unknownFunction,
    services: options.services ?? unknownService,
    activities: options.activities ?? { exists: () => false, schedule: () => undefined },
    taskTokens: options.taskTokens ?? createTaskTokens(),
    objects: options.objects ?? createMemoryObjects(),
    mapRuns: options.mapRuns,
    admit: options.admit,
    keptShapes,
  }
}
