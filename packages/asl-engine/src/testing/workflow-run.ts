import type { EngineOptions, ExecutionResult } from '../engine.ts'
import type { HistoryEvent } from '../history/event.ts'
import type { Json } from '../json.ts'
import type { ErrorClassLike, WorkflowTasks } from './workflow-task.ts'

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
