import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { TaskErrorClass } from '@stepwright/errors'
import type { JsonSchema } from '@stepwright/task'

/** A state machine. */
export interface WorkflowDeclaration {
  /** The ASL file that is deployed, relative to the app's root. */
  readonly definition: string
  /** @default the app's name and the workflow's key */
  readonly stateMachineName?: string
  /** What an execution is started with. */
  readonly input?: StandardSchemaV1 | JsonSchema
  /** @default 'STANDARD' */
  readonly type?: 'STANDARD' | 'EXPRESS'
  /** What Step Functions writes to CloudWatch Logs. @default every event, without data */
  readonly logging?: WorkflowLogging
  /** What stands for `${Name}`, where it is not a function of that name. */
  readonly substitutions?: Readonly<Record<string, Substitution>>
  /**
   * What expressions of the definition can be at run time, where a permission depends on it:
   * `{ '$.s3.bucket': { bucket: 'input' }, '$.manifest.key': 'chunks/*' }`. @default anything
   */
  readonly known?: Readonly<Record<string, Substitution>>
  /** Errors that the definition names and no task declares. */
  readonly errors?: readonly TaskErrorClass[]
  /** Whether a retryable error that outlasts its retries must be caught as well. @default true */
  readonly catchExhausted?: boolean
  /** Findings of `check` that are known and wanted. */
  readonly accept?: readonly AcceptedFinding[]
}

export interface WorkflowLogging {
  /** @default 'ALL' */
  readonly level?: 'ALL' | 'ERROR' | 'FATAL' | 'OFF'
  /**
   * Whether the inputs and outputs of all states are logged: customers' data, and the tokens with which anybody may
   * answer for a task. @default false
   */
  readonly includeData?: boolean
}

export type Substitution =
  | string
  | { readonly function: string }
  | { readonly workflow: string }
  | { readonly bucket: string }
  | { readonly table: string }
  /** The queue's URL. */
  | { readonly queue: string }
  | { readonly glueJob: string }
  | { readonly catalogDatabase: string }

/** A finding that is known and wanted: it is not reported, and its reason stands in the declaration. */
export interface AcceptedFinding {
  readonly rule: string
  /** Where it is, as the report says: `/States/Validate/Retry/0`. */
  readonly pointer: string
  readonly reason: string
}
