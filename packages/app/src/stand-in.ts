import type { EnvironmentValue } from './function.ts'

/** `glue:startJobRun`, `aws-sdk:glue:updateTable`: a Task's resource without `arn:aws:states:::` and `.sync`. */
export type StandInKey = `${string}:${string}`

/**
 * A function that answers for an AWS service where that does not run: `(parameters, { signal }) => Promise<result>`.
 * With `.sync` the promise is the job. What it throws fails the state by the error's name and message; a job that
 * failed is returned as AWS describes it, such as `{ JobRunState: 'FAILED' }`.
 */
export interface StandInDeclaration {
  /** Relative to the app's root. */
  readonly module: string
  /** What the module exports it as. @default the action, such as `startJobRun` */
  readonly export?: string
  /** @default 3600 */
  readonly timeoutSeconds?: number
  /** As a function's. */
  readonly environment?: Readonly<Record<string, EnvironmentValue>>
}
