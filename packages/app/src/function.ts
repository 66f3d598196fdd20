import type { AnyTask } from '@stepwright/task'
import type { Shown } from './bindings/shown.ts'

/** What a function is called with: a state's input or a whole event, a request, a streamed request, messages, an event's detail, changes of items. */
export type FunctionKind = 'call' | 'http' | 'stream' | 'sqs' | 'event' | 'dynamodb'

/** A Lambda function: where its handler is, what it does, how much it gets and what it may touch. */
export interface FunctionDeclaration {
  /** The module of the handler, relative to the app's root. */
  readonly module: string
  /** What the module exports it as. */
  readonly export: string
  readonly kind: FunctionKind
  readonly task: AnyTask
  /** @default `functionDefaults.memoryMb`, 512 */
  readonly memoryMb?: number
  /** @default `functionDefaults.timeoutSeconds`, 25 */
  readonly timeoutSeconds?: number
  /** How many may run at once. @default as many as the account allows */
  readonly concurrency?: number
  /** Values, and references to what the app has: a reference also says what the function may do with it. */
  readonly environment?: Readonly<Record<string, EnvironmentValue>>
  /** What it may do besides, with things that are not the app's own. */
  readonly permissions?: readonly FunctionPermission[]
  /** What tools can show of its ports. */
  readonly shows?: readonly Shown[]
}

export interface FunctionPermission {
  /** As IAM names them: `ses:SendEmail`. */
  readonly actions: readonly string[]
  /** ARNs, or `*`. */
  readonly resources: readonly string[]
}

export type EnvironmentValue =
  | string
  | number
  | { readonly bucket: string; readonly may: readonly BucketAccess[] }
  | { readonly table: string; readonly may: readonly TableAccess[] }
  | { readonly queue: string; readonly may: readonly QueueAccess[] }
  /** The queue for what could not be processed of that one. */
  | { readonly deadLettersOf: string; readonly may: readonly QueueAccess[] }
  | { readonly workflow: string; readonly may: readonly WorkflowAccess[] }
  | { readonly function: string; readonly may: readonly ['invoke'] }
  /** The name of a configuration set of SES, and with it the right to send from any verified identity. */
  | { readonly configurationSet: string; readonly may: readonly ['send'] }
  | { readonly secret: string }
  /** The connection string of the app's database. */
  | { readonly database: 'url' }
  /** Where people reach the app's routes and its site, without a slash at its end. */
  | { readonly api: 'url' }

/** What a function has where its declaration says nothing; 25 s lie inside the 29 that API Gateway waits. */
export const functionDefaults: { readonly memoryMb: number; readonly timeoutSeconds: number } = {
  memoryMb: 512,
  timeoutSeconds: 25,
}

/**
 * Of every object, or of those that a pattern names: `read data/*`. `read` includes listing the bucket: without it S3
 * does not tell a missing object from a forbidden one.
 */
export type BucketAccess = BucketVerb | `${BucketVerb} ${string}`
type BucketVerb = 'read' | 'write' | 'delete'
/** `append` may only put items that are new. */
export type TableAccess = 'read' | 'append' | 'write'
export type QueueAccess = 'send' | 'receive'
export type WorkflowAccess = 'start' | 'stop' | 'describe' | 'redrive' | 'answer'
