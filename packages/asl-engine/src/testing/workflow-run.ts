import type { EngineOptions, ExecutionResult } from '../engine.ts'
import type { HistoryEvent } from '../history/event.ts'
import type { Json } from '../json.ts'
import type { ErrorClassLike, WorkflowTasks } from './workflow-task.ts'

/** What a state is made to meet: an error, before or after its task has run, or a second delivery of the same call. */
export type Injection = InjectedError | RepeatedCall

interface InjectedAt {
  readonly state: string
  /** Which attempts it meets, counted from 1. @default every attempt */
  readonly attempts?: readonly number[]
}

export interface InjectedError extends InjectedAt {
  /**
   * `before`: instead of the task, which is not called. `after`: the task has run, and its response is lost.
   * @default 'before'
   */
  readonly when?: 'before' | 'after'
  /** A class of errors, an error, or the bare name that Step Functions would see, such as `States.Timeout`. */
  readonly error: ErrorClassLike | Error | string
}

/** The call is delivered twice, one after the other, as Lambda may do; the second answer counts. */
export interface RepeatedCall extends InjectedAt {
  readonly when: 'twice'
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
  readonly status: ExecutionResult['status']
  /** The state whose failure ended the execution. */
  readonly failedState: string | undefined
  readonly error: string | undefined
  readonly cause: string | undefined
  /** `undefined` unless the execution succeeded. */
  readonly output: Json | undefined
  readonly result: ExecutionResult
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
