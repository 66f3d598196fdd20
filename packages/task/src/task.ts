import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { TaskErrorClass } from '@stepwright/errors'
import type { GivenContext } from './task-context.ts'

/** A task's call with its ports, or without where it needs none. */
type RunArguments<Ports> = object extends Ports
  ? [ports?: Ports, context?: GivenContext]
  : [ports: Ports, context?: GivenContext]

/** What a task must be given before it can run, in words and in IAM's terms. */
export interface TaskNeeds {
  /** By the port's name: what it is for, in one sentence. */
  readonly ports: Readonly<Record<string, string>>
  readonly permissions: readonly Permission[]
}

export interface Permission {
  /** As IAM names them: `s3:GetObject`. */
  readonly actions: readonly string[]
  /** What they are on, in words: `the bucket of the CSV`. */
  readonly on: string
  /** Needed only by an optional port. @default false */
  readonly optional?: boolean
}

/**
 * One unit of work, declared once. `run` checks the input, runs, checks the output, and fails only with the
 * errors that the task announces: in a unit test just as in a Lambda.
 */
export interface Task<Input = never, Output = unknown, Ports = never> {
  readonly name: string
  readonly input: StandardSchemaV1
  readonly output: StandardSchemaV1
  /** The errors that the task and its middleware declare. `describeTask` adds those that any task can have. */
  readonly errors: readonly TaskErrorClass[]
  /** For a task that only dispatches to others: which one for which value. */
  readonly routes?: Readonly<Record<string, AnyTask>>
  /** What it does, in one sentence. */
  readonly description?: string
  readonly needs?: TaskNeeds
  /** Whether a second run, after one that died in the middle, does no harm. */
  readonly idempotent?: boolean
  /** How long a run may take, whatever the function's own timeout. */
  readonly maxSeconds?: number
  run(input: Input, ...needs: RunArguments<Ports>): Promise<Output>
}

// biome-ignore lint/suspicious/noExplicitAny: any task at all, whatever it takes
export type AnyTask = Task<any, any, any>

export type InputOf<T> = T extends Task<infer Input, infer _Output, infer _Ports> ? Input : never
export type OutputOf<T> = T extends Task<infer _Input, infer Output, infer _Ports> ? Output : never
export type PortsOf<T> = T extends Task<infer _Input, infer _Output, infer Ports> ? Ports : never
