import type { HistoryRecord } from '@stepwright/asl-engine'

/** What is known of an execution from its beginning. */
export interface ExecutionHeader {
  readonly arn: string
  readonly name: string
  readonly stateMachineArn: string
  readonly machineName: string
  readonly roleArn: string
  readonly definitionId: string
  readonly inputText: string
  readonly startMs: number
  readonly stateMachineVersionArn?: string
  readonly stateMachineAliasArn?: string
  readonly traceHeader?: string
  /** Of the state machine that it runs; absent if that was never updated. */
  readonly revisionId?: string
}

/** An execution that has ended, as lists show it. */
export interface EndedExecution {
  readonly arn: string
  readonly name: string
  readonly stateMachineArn: string
  readonly status: string
  readonly startMs: number
  readonly stopMs: number
  readonly redriveCount: number
  readonly redriveMs?: number
  readonly stateMachineVersionArn?: string
  readonly stateMachineAliasArn?: string
}

export interface KeptExecution {
  readonly header: ExecutionHeader
  readonly records: readonly HistoryRecord[]
}

/** How long executions are kept that have ended. */
export interface Retention {
  /** @default 90, as AWS keeps them */
  readonly days?: number
  /** The latest of each state machine, and up to a quarter more. @default 10_000 */
  readonly executions?: number
}

/**
 * Where executions are kept. Those that run are found again at once; those that have ended cost nothing until
 * somebody asks for one.
 */
export interface ExecutionStore {
  /** Adds lines of JSON to an execution that runs: its header first, then its records. All of them or none. */
  readonly append: (arn: string, lines: string) => void
  /** The execution has ended: `lines` are its last. */
  readonly end: (ended: EndedExecution, lines: string) => void
  /** An execution that had ended runs again. */
  readonly reopen: (ended: EndedExecution) => void
  /** `undefined` if there is none, or if what is kept of it cannot be read. */
  readonly read: (arn: string) => KeptExecution | undefined
  readonly has: (arn: string) => boolean
  /** What was running when the last server ended. */
  readonly running: () => readonly KeptExecution[]
  /** Those of a state machine that have ended, in no order. */
  readonly ended: (stateMachineArn: string) => readonly EndedExecution[]
  readonly keepDefinition: (definitionId: string, text: string) => void
  readonly definition: (definitionId: string) => string | undefined
  readonly close: () => void
}
