import type { Chance } from '../expressions/scope.ts'
import type { History } from '../history/history.ts'
import type { HistoryRecord } from '../history/record.ts'
import type { Recording } from '../history/recording.ts'
import type { Json } from '../json.ts'
import type { Limits } from '../limits.ts'
import type { ObjectStorePort } from '../map/object-store.ts'
import type { ActivityPort, CallService, InvokeFunction } from '../task/ports.ts'
import type { TaskTokens } from '../task/task-tokens.ts'
import type { Clock } from '../time/clock.ts'
import type { StateObserver } from './state-observer.ts'

/** What an engine's executions share. */
export interface EngineCore {
  readonly clock: Clock
  readonly chance: Chance
  readonly limits: Limits
  readonly region: string
  readonly invoke: InvokeFunction
  readonly services: CallService
  readonly activities: ActivityPort
  readonly taskTokens: TaskTokens
  readonly objects: ObjectStorePort
  readonly mapRuns: MapRunListener | undefined
  readonly admit: (() => number) | undefined
  /** Never used, see `kept-shapes.ts`. */
  readonly keptShapes: readonly unknown[]
}

/** Hears of the child executions of Distributed Maps. */
export interface MapRunListener {
  readonly onStart: (run: MapRunStatus, control: MapRunControl) => void
  readonly onChange: (run: MapRunStatus) => void
  /** Hears of a child that begins, and says who hears of the rest of it. @default nobody does */
  readonly onChild?: (child: MapRunChild, control: ChildControl) => ChildListener | undefined
}

/** What can be changed of a Map run while it runs. */
export interface MapRunLimits {
  /** 0 means "as many as there are". */
  readonly maxConcurrency?: number
  readonly toleratedFailureCount?: number
  readonly toleratedFailurePercentage?: number
}

export interface MapRunControl {
  /** From now on; children that run already go on. */
  readonly update: (limits: MapRunLimits) => void
}

export interface ChildControl {
  /** Aborts this child; its run goes on, and does not count it as failed. */
  readonly stop: (reason: { readonly error?: string; readonly cause?: string }) => void
}

/** A child execution of a Map run, as it begins. */
export interface MapRunChild {
  readonly mapRunArn: string
  /** Which of the run's children it is, from 0. */
  readonly index: number
  readonly executionArn: string
  readonly name: string
  readonly stateMachineArn: string
  readonly roleArn: string
  readonly input: Json
  readonly itemCount: number
  readonly startMs: number
  /** How often its run had been redriven. */
  readonly redriveCount: number
}

export interface ChildListener {
  readonly onEvent: (record: HistoryRecord) => void
  readonly onEnd: (end: ChildEnd) => void
}

export interface ChildEnd {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED'
  readonly output?: Json
  readonly error?: string | undefined
  readonly cause?: string | undefined
  readonly stopMs: number
}

export interface MapRunStatus {
  readonly mapRunArn: string
  readonly executionArn: string
  readonly stateName: string
  readonly maxConcurrency: number
  readonly toleratedFailureCount: number
  readonly toleratedFailurePercentage: number
  readonly startMs: number
  readonly redriveCount: number
  readonly redriveMs: number | undefined
  readonly stopMs: number | undefined
  readonly status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED'
  readonly items: MapRunCounts
  readonly executions: MapRunCounts
}

export interface MapRunCounts {
  pending: number
  running: number
  succeeded: number
  failed: number
  timedOut: number
  aborted: number
  total: number
  resultsWritten: number
}

/** What an execution is called. */
export interface ExecutionIdentity {
  readonly arn: string
  readonly name: string
  readonly stateMachineArn: string
  readonly stateMachineName: string
  readonly roleArn: string
}

/** One execution, or one child execution of a Distributed Map. */
export interface Execution {
  readonly engine: EngineCore
  readonly identity: ExecutionIdentity
  readonly type: 'STANDARD' | 'EXPRESS'
  readonly input: Json
  readonly startMs: number
  readonly redriveCount: number
  readonly redriveMs: number | undefined
  readonly history: History
  /** What was recorded before the execution was interrupted. */
  readonly recording: Recording | undefined
  /** Present in TestState. */
  readonly observer: StateObserver | undefined
  /** Transitions since the event loop last had its turn. */
  transitions: number
  /** The turn that the execution's threads wait for. */
  turn: Promise<undefined> | undefined
}

/** Every execution is made here, so that all of them have one hidden class. */
export function createExecution(fields: Omit<Execution, 'transitions' | 'turn'>): Execution {
  return {
    engine: fields.engine,
    identity: fields.identity,
    type: fields.type,
    input: fields.input,
    startMs: fields.startMs,
    redriveCount: fields.redriveCount,
    redriveMs: fields.redriveMs,
    history: fields.history,
    recording: fields.recording,
    observer: fields.observer,
    transitions: 0,
    turn: undefined,
  }
}
