import type { PhysicalNames } from '@stepwright/app'
import type { EventBridge } from '@stepwright/local-eventbridge'
import type { Sns } from '@stepwright/local-sns'
import type { StepFunctions } from '@stepwright/local-step-functions'
import type { Gateway } from '../gateway.ts'
import type { Lambda } from '../lambda/lambda.ts'
import type { ExecutionEnd } from './execution-ends.ts'
import type { LocalServices } from './start-services.ts'

/** Stands between a caller and a function: may call it, or not, before or after something else. */
export type Interceptor = (call: () => Promise<unknown>, event: unknown) => Promise<unknown>

/** An app that runs on this machine. */
export interface RunningApp extends AsyncDisposable {
  readonly services: LocalServices & {
    readonly stepFunctions: StepFunctions
    readonly lambda: Lambda
    readonly sns: Sns
    readonly eventBridge: EventBridge
  }
  /** Undefined for an app without routes and site. */
  readonly gateway: Gateway | undefined
  readonly names: PhysicalNames
  /** What the SDKs and the AWS CLI need to find the services: for other processes and shells. */
  readonly environment: Readonly<Record<string, string>>
  /** Everything that a function finds in its environment. */
  environmentOf(functionName: string): Readonly<Record<string, string>>
  stateMachineArn(workflow: string): string
  /** Calls a function as a trigger does. */
  invoke(functionName: string, event: unknown): Promise<unknown>
  /** Calls the target of a trigger. */
  fire(trigger: string, event: unknown): Promise<void>
  /** Starts an execution; its ARN. */
  start(workflow: string, input: unknown, name?: string): Promise<string>
  /** The next execution of the workflow that ends after this call, or the one of this name, also if it has ended. */
  ended(workflow: string, name?: string): Promise<ExecutionEnd>
  /** Puts something between callers and a function, until it is called again without. */
  intercept(functionName: string, interceptor?: Interceptor): void
  /** SIGKILL for a process that is at work on the function, or the stand-in; false if there is none. */
  kill(functionName: string): boolean
  /**
   * Takes workflows from their files again, and functions from their modules: executions that run go on with the
   * definition that they have, calls that run end as they are. What else is declared stays as it was.
   */
  reload(): Promise<void>
  /** Ends everything, in the order in which nothing is missed. Later calls do nothing. */
  stop(): Promise<void>
}
