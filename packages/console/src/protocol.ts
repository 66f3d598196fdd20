import type { Finding } from '@stepwright/asl'
import type { BilledUsage } from '@stepwright/asl-engine'
import type { MapItems } from '@stepwright/asl-graph'

// What the server and the page say to each other. Times are milliseconds since 1970.

export interface AppDescription {
  readonly name: string
  readonly workflows: readonly WorkflowDescription[]
  readonly buckets: readonly string[]
  readonly tables: readonly string[]
  readonly functions: readonly string[]
  readonly hasQueues: boolean
  readonly hasJobs: boolean
  readonly gateway: string | undefined
  readonly hasAudit: boolean
  /** Every error that a task declares, by its name. */
  readonly errors: Readonly<Record<string, ErrorDescription>>
}

export interface WorkflowDescription {
  readonly key: string
  readonly name: string
  readonly arn: string
  readonly type: 'STANDARD' | 'EXPRESS'
  /** An input that the workflow's schema takes, as JSON text. */
  readonly example: string
  readonly hasSchema: boolean
}

/** How the executions of a workflow went. */
export interface WorkflowSummary {
  readonly key: string
  /** By status; one that is missing has none. */
  readonly counts: Readonly<Record<string, number>>
  /** When the latest was started. */
  readonly latestMs: number | undefined
}

export interface ErrorDescription {
  readonly kind: string
  readonly retry: Readonly<Record<string, unknown>> | undefined
  /** The tasks that declare it. */
  readonly tasks: readonly string[]
}

export interface ListedExecution {
  readonly arn: string
  readonly name: string
  readonly workflow: string
  readonly status: string
  readonly startMs: number
  readonly stopMs: number | undefined
  readonly redriveCount: number
  /** The execution that this one was forked from. */
  readonly forkOf: string | undefined
}

export interface ExecutionPage {
  readonly executions: readonly ListedExecution[]
  readonly total: number
  /** `false` where there are more than were looked at. */
  readonly isComplete: boolean
}

export interface ExecutionDescription extends ListedExecution {
  /** The execution whose Distributed Map it is a child of. */
  readonly parent: string | undefined
  readonly input: string
  readonly output: string | undefined
  readonly error: string | undefined
  readonly cause: string | undefined
  readonly canRedrive: boolean
  readonly definition: string
  readonly findings: readonly Finding[]
  readonly mapRuns: readonly MapRunDescription[]
  readonly cost: ExecutionCost
  readonly forks: readonly string[]
}

/** What AWS would bill so far. */
export interface ExecutionCost {
  readonly own: BilledUsage
  /** Of the children of Distributed Maps that have ended. */
  readonly children: BilledUsage
  readonly dollars: number
}

export interface MapRunDescription {
  readonly arn: string
  readonly status: string
  readonly startMs: number
  readonly stopMs: number | undefined
  readonly maxConcurrency: number
  readonly toleratedFailureCount: number
  readonly toleratedFailurePercentage: number
  readonly items: MapItems & { readonly running: number; readonly pending: number; readonly aborted: number }
}

/** An event without its payloads. */
export interface LightEvent {
  readonly id: number
  readonly previousEventId: number
  readonly timestamp: number
  readonly type: string
  /** What of the details is not a payload. */
  readonly EventDetails: Readonly<Record<string, unknown>>
}

export interface StepDescription {
  readonly stages: readonly StepStage[]
  /** What the variables were when the state was entered. */
  readonly variables: Readonly<Record<string, unknown>>
  readonly calls: readonly CallDescription[]
}

export interface StepStage {
  readonly name: string
  readonly value: unknown
}

export interface CallDescription {
  readonly requestId: string
  readonly functionName: string
  readonly startMs: number
  readonly endMs: number
  readonly error: string | undefined
  readonly log: string
  readonly executionArn: string | undefined
  readonly stateName: string | undefined
  readonly retryCount: number | undefined
}

export interface ListedObject {
  readonly key: string
  readonly size: number
  readonly modifiedMs: number
}

export interface ObjectPage {
  readonly objects: readonly ListedObject[]
  readonly next: string | undefined
}

export type ObjectPreview =
  | {
      readonly kind: 'rows'
      readonly columns: readonly string[]
      readonly rows: readonly (readonly string[])[]
      readonly note: string
    }
  | { readonly kind: 'text'; readonly text: string; readonly note: string }
  | { readonly kind: 'none'; readonly note: string }

export interface TablePage {
  readonly items: readonly Readonly<Record<string, unknown>>[]
  readonly next: string | undefined
}

/** What happened to the items of a table that has a stream. */
export interface TableChanges {
  /** The attribute that ends items. */
  readonly timeToLive: string | undefined
  /** What the stream has; undefined if it is off. */
  readonly viewType: string | undefined
  /** The latest first. */
  readonly changes: readonly TableChange[]
}

export interface TableChange {
  readonly atMs: number
  readonly event: string
  readonly keys: Readonly<Record<string, unknown>>
  readonly before: Readonly<Record<string, unknown>> | undefined
  readonly after: Readonly<Record<string, unknown>> | undefined
}

export interface ListedMail {
  readonly id: string
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
}

export interface MailDescription extends ListedMail {
  readonly cc: readonly string[]
  readonly text: string | undefined
  readonly raw: string | undefined
  /** Where a sandboxed frame finds the HTML. */
  readonly htmlPath: string | undefined
}

export type { InspectedJob } from '@stepwright/app/bindings'

export interface QueueDescription {
  readonly name: string
  readonly waiting: number
  readonly inFlight: number
  readonly delayed: number
  /** The queue that messages go to which nobody could handle; may be empty. */
  readonly deadLetters: string
}

export interface ChildPage {
  readonly children: readonly ListedExecution[]
  readonly next: string | undefined
}

export interface FoundPayload {
  readonly execution: ListedExecution
  readonly where: string
  readonly eventId: number | undefined
  readonly excerpt: string
}

export interface FindPage {
  readonly found: readonly FoundPayload[]
  /** How many executions were looked at; the next search begins there. */
  readonly searched: number
  readonly total: number
}

export interface AuditPage {
  readonly entries: readonly Readonly<Record<string, unknown>>[]
  /** Where the next page begins. */
  readonly next: number | undefined
}

export interface AuditVerdict {
  readonly isWhole: boolean
  readonly message: string
}

/** What the stream of server-sent events tells. */
export type LiveMessage =
  | { readonly topic: 'executions'; readonly arn: string; readonly status: string }
  | {
      readonly topic: 'history'
      readonly arn: string
      readonly events: readonly LightEvent[]
      readonly mapRuns: readonly MapRunDescription[]
      readonly cost: ExecutionCost
    }
  | { readonly topic: 'objects' | 'mail' | 'definitions' }
  | { readonly topic: 'call'; readonly call: CallDescription }

/** Whether an event is the last one of an execution, unless it is redriven. */
export function isClosing(type: string | undefined): boolean {
  return /^Execution(Succeeded|Failed|Aborted|TimedOut)$/.test(type ?? '')
}
