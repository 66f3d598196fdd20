import type { StateMachine } from '@stepwright/asl'
import type { EngineCore, Execution, MapRunListener } from './execution/execution.ts'
import { findResumePoint } from './execution/resume.ts'
import { runMachine } from './execution/run-machine.ts'
import { createThread, type Thread } from './execution/thread.ts'
import { Interrupted, StateFailure } from './failures/state-failure.ts'
import { type HistoryEvent, toHistoryEvent } from './history/event.ts'
import { createHistory } from './history/history.ts'
import type { HistoryRecord } from './history/record.ts'
import { type Json, throughJson } from './json.ts'
import { awsLimits, type Limits } from './limits.ts'
import { createMemoryObjects } from './map/memory-objects.ts'
import type { ObjectStorePort } from './map/object-store.ts'
import { compileMachine } from './states/compile.ts'
import { type ActivityPort, type CallService, type InvokeFunction, TaskFailure } from './task/ports.ts'
import { createTaskTokens, type TaskTokens } from './task/task-tokens.ts'
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
  readonly onEvent?: (record: HistoryRecord) => void
  /** Goes on with an execution that failed or was interrupted, from its last top-level state. */
  readonly resume?: {
    readonly records: readonly HistoryRecord[]
    /** Counts as a redrive, which history shows. */
    readonly redriveCount?: number
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
    const execution: Execution = {
      engine: core,
      arn:
        type === 'EXPRESS'
          ? `${prefix}:express:${name}:${executionName}:${core.chance.uuid()}`
          : `${prefix}:execution:${name}:${executionName}`,
      name: executionName,
      stateMachineArn,
      stateMachineName: name,
      roleArn,
      type,
      input,
      startMs: resume?.records[0]?.timestampMs ?? core.clock.now(),
      redriveCount: resume?.redriveCount ?? 0,
      history,
      transitions: 0,
    }
    const cancellation = createCancellation()
    const thread = createThread(execution, cancellation)
    let ending: Exclude<ExecutionResult, { status: 'SUCCEEDED' }> | undefined
    const end = (how: Exclude<ExecutionResult, { status: 'SUCCEEDED' }>): void => {
      ending ??= how
      cancellation.cancel()
    }
    const stopTimer =
      timeoutSeconds === undefined
        ? () => undefined
        : core.clock.at(execution.startMs + timeoutSeconds * 1000, () =>
            end({ status: 'TIMED_OUT', error: 'States.Timeout', cause: undefined }),
          )
    const conclude = async (): Promise<ExecutionResult> => {
      try {
        const start = begin(thread, definition, input, resume)
        const output = start.finished
          ? start.input
          : await runMachine(machine, thread, start.input, start.state)
        if (ending !== undefined) throw new Interrupted()
        history.add(thread.lastEventId, 'ExecutionSucceeded', { output })
        return { status: 'SUCCEEDED', output }
      } catch (error) {
        const failed = ending ?? toFailedResult(error)
        history.add(thread.lastEventId, closingEvents[failed.status], {
          error: failed.error,
          cause: failed.cause,
        })
        return failed
      } finally {
        stopTimer()
      }
    }
    return {
      arn: execution.arn,
      name: executionName,
      startMs: execution.startMs,
      result: conclude(),
      history: () => history.records().map(toHistoryEvent),
      records: history.records,
      abort: (reason = {}) => end({ status: 'ABORTED', error: reason.error, cause: reason.cause }),
    }
  }
  return { stateMachineArn, taskTokens: core.taskTokens, run }
}

const closingEvents = {
  FAILED: 'ExecutionFailed',
  TIMED_OUT: 'ExecutionTimedOut',
  ABORTED: 'ExecutionAborted',
} as const

function begin(
  thread: Thread,
  definition: StateMachine,
  input: Json,
  resume: RunOptions['resume'],
): { readonly state: string; readonly input: Json; readonly finished: boolean } {
  const { history, roleArn } = thread.execution
  if (resume === undefined) {
    history.add(0, 'ExecutionStarted', { input, roleArn })
    return { state: definition.StartAt, input, finished: false }
  }
  const point = findResumePoint(definition, resume.records, input)
  thread.variables = point.variables
  thread.lastEventId = point.lastEventId
  if (resume.redriveCount !== undefined) {
    thread.lastEventId = history.add(point.lastEventId, 'ExecutionRedriven', {
      redriveCount: resume.redriveCount,
    })
  }
  return { state: point.state ?? definition.StartAt, input: point.input, finished: point.state === undefined }
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
  }
}

const unknownFunction: InvokeFunction = functionArn => {
  throw new TaskFailure('Lambda.ResourceNotFoundException', `Function not found: ${functionArn}`)
}

const unknownService: CallService = ({ service, action }) => {
  throw new TaskFailure('States.Runtime', `No adapter answers ${service}:${action}: pass one as 'services'`)
}
