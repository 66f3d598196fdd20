import type { EngineOptions } from '@stepwright/asl-engine'
import type { TokenBucket } from './api/token-bucket.ts'
import type { Executions } from './executions/executions.ts'
import type { MapRuns } from './executions/map-runs.ts'
import type { Metrics } from './executions/metrics.ts'
import type { ApiTaskTokens } from './executions/task-tokens.ts'
import type { Activities } from './machines/activities.ts'
import type { Machines } from './machines/machines.ts'
import type { ExecutionHeader } from './storage/execution-store.ts'

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
  readonly mapRuns: MapRuns
  readonly definitionOf: (definitionId: string) => string
  readonly metrics: Metrics
  readonly startBucket: TokenBucket | undefined
  readonly enginePorts: (
    machine: Pick<ExecutionHeader, 'stateMachineArn'>,
  ) => Omit<EngineOptions, 'definition'>
}
