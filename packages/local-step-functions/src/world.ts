import type { EngineOptions } from '@stepwright/asl-engine'
import type { TokenBucket } from './api/token-bucket.ts'
import type { Executions } from './executions/executions.ts'
import type { ExpressExecutions } from './executions/express-executions.ts'
import type { MapRuns } from './executions/map-runs.ts'
import type { Metrics } from './executions/metrics.ts'
import type { Redrives } from './executions/redrives.ts'
import type { ApiTaskTokens } from './executions/task-tokens.ts'
import type { Activities } from './machines/activities.ts'
import type { Aliases } from './machines/aliases.ts'
import type { Deletion } from './machines/deletion.ts'
import type { ExecutionTarget } from './machines/execution-target.ts'
import type { Machines } from './machines/machines.ts'
import type { Versions } from './machines/versions.ts'
import type { ExecutionHeader } from './storage/execution-store.ts'

/** Everything the operations of the API work on. */
export interface World {
  readonly region: string
  readonly account: string
  readonly now: () => number
  readonly uuid: () => string
  readonly pollMs: number
  readonly machines: Machines
  readonly versions: Versions
  readonly aliases: Aliases
  readonly targetOf: (arn: string) => ExecutionTarget
  readonly deletion: Deletion
  readonly executions: Executions
  readonly express: ExpressExecutions
  /** Whether Express executions can be read when they have ended. */
  readonly keepsExpress: boolean
  readonly redrives: Redrives
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
