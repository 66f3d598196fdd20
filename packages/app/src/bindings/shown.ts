import type { Environment } from '@stepwright/task/settings'

/** A job as a tool shows it. */
export interface InspectedJob {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly userId: string
  /** In percent. */
  readonly progress: number
  readonly attempt: number
  readonly createdMs: number
  readonly updatedMs: number
  readonly error?: unknown
  readonly result?: unknown
}

/** What tools can show of a port, by kind. */
export interface Inspected {
  readonly jobs: AsyncDisposable & {
    /** The newest first, of all users. */
    list(limit: number): Promise<readonly InspectedJob[]>
  }
  readonly trail: AsyncDisposable & {
    entries(executionId: string): AsyncIterable<object>
    /** Whether all entries are as they were written, and what is wrong. */
    verify(executionId: string): Promise<{ readonly isWhole: boolean; readonly message: string }>
  }
}

/** The part of a binding that opens it. */
export interface Openable {
  open(environment: Environment): unknown
}

/** What a tool can show of a port, and the capability's own module that reads it. */
export interface Shown<Kind extends keyof Inspected = keyof Inspected> {
  readonly kind: Kind
  /** What tells it from others of its kind, such as the name of its table. */
  readonly name: string
  /** What the module needs to know, from the environment of a function that has the port. */
  readonly of: Readonly<Record<string, Openable>>
  /** Loaded when somebody looks: `() => import('./inspect.ts')`. */
  readonly inspect: () => Promise<{
    // biome-ignore lint/suspicious/noExplicitAny: what `of` opens to
    inspect(opened: any, environment: Environment): Inspected[Kind]
  }>
}
