import type { EngineOptions, MapRunStatus } from '@stepwright/asl-engine'
import type { Parameters } from './api/request.ts'
import type { TokenBucket } from './api/token-bucket.ts'
import type { ExecutionSummary, Executions } from './executions/executions.ts'
import type { Metrics } from './executions/metrics.ts'
import type { ApiTaskTokens } from './executions/task-tokens.ts'
import type { Activities } from './machines/activities.ts'
import type { Machines } from './machines/machines.ts'

/** Everything the operations of the API work on. */
export interface World {
  readonly region: string
  readonly account: string
  readonly now: () => number
  readonly uuid: () => string
  readonly pollMs: number
  readonly machines: Machines
  readonly executions: Executions
  readonly activities: Activities
  readonly taskTokens: ApiTaskTokens
  readonly mapRuns: ReadonlyMap<string, MapRunStatus>
  readonly metrics: Metrics
  readonly startBucket: TokenBucket | undefined
  readonly enginePorts: (
    machine: Pick<ExecutionSummary, 'stateMachineArn'>,
  ) => Omit<EngineOptions, 'definition'>
}

/** One operation of the API; what it returns is the answer's body. */
export type Operation = (parameters: Parameters, signal: AbortSignal) => Promise<object>

export type Operations = Readonly<Record<string, Operation>>

/** The protocol speaks of times in seconds. */
export function toSeconds(ms: number): number {
  return ms / 1000
}
