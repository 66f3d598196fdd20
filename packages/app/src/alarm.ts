import type { MetricUnit } from '@stepwright/task'

/** A metric that the app's functions publish. */
export interface MetricDeclaration {
  readonly description: string
  /** @default 'Count' */
  readonly unit?: MetricUnit
  /** The functions that publish it: an alarm on it has to know. */
  readonly by?: readonly string[]
}

/** When somebody has to look. */
export interface AlarmDeclaration {
  /** What it means, in a sentence. */
  readonly description: string
  /** The page that says where to look and what to do, as those see it whom the alarm wakes. */
  readonly runbook?: string
  readonly metric: AlarmMetric
  /** @default 'sum' */
  readonly statistic?: 'sum' | 'average' | 'maximum' | 'p95'
  readonly above: number
  /** @default 5 */
  readonly periodMinutes?: number
  /** How many periods in a row. @default 1 */
  readonly periods?: number
}

export type AlarmMetric =
  | {
      readonly workflow: string
      readonly name: 'ExecutionsFailed' | 'ExecutionsTimedOut' | 'ExecutionsAborted' | 'ExecutionTime'
      /** As a share of the executions started, in percent. @default false */
      readonly percentOfStarted?: boolean
    }
  | { readonly function: string; readonly name: 'Errors' | 'Throttles' | 'Duration' }
  | { readonly queue: string; readonly name: 'Depth' | 'OldestSeconds' | 'DeadLetters' }
  | {
      readonly metric: string
      /** As a share of another metric, in percent. @default the metric itself */
      readonly percentOf?: string
    }
