import type { CallContext } from '../task/ports.ts'

/** What a retryable class of errors says about retrying; the fields of an ASL retrier. */
export interface RetryPolicyLike {
  readonly intervalSeconds: number
  readonly maxAttempts: number
  readonly backoffRate: number
  readonly maxDelaySeconds?: number
  readonly jitter?: 'FULL' | 'NONE'
}

/** A class of errors as `@stepwright/errors` defines them. */
export interface ErrorClassLike {
  new (message: string): Error
  readonly errorName: string
  readonly kind: 'retryable' | 'business'
  readonly retry?: RetryPolicyLike | undefined
}

/** A task as `@stepwright/task` defines it. */
export interface RunnableTask {
  readonly name: string
  readonly errors: readonly ErrorClassLike[]
  run(input: never, ports?: never, context?: never): Promise<unknown>
}

/** A task with the ports that it runs on in a test. */
export interface BoundTask {
  readonly bound: true
  readonly name: string
  readonly errors: readonly ErrorClassLike[]
  readonly run: (
    input: unknown,
    context: { readonly signal: AbortSignal; readonly now: () => number },
  ) => unknown
}

/** Written as a method, so that a function may say which input it takes. */
type TaskFunction = { call(input: unknown, context: CallContext): unknown }['call']

/** A bound task, a task that needs no ports, or a function that stands in for one. */
export type WorkflowTask = BoundTask | RunnableTask | TaskFunction

/** The tasks of a workflow, each by the name of its state or of its function. */
export type WorkflowTasks = Readonly<Record<string, WorkflowTask>>

type PortsOf<T> = T extends { run(input: never, ports: infer Ports, context?: never): unknown }
  ? Ports
  : never

/** Gives a task its ports: memory adapters, usually. */
export function bind<T extends { readonly name: string; readonly errors: readonly ErrorClassLike[] }>(
  task: T & { run(input: never, ports: never, context?: never): Promise<unknown> },
  ports: PortsOf<T>,
): BoundTask {
  return {
    bound: true,
    name: task.name,
    errors: task.errors,
    run: (input, context) => task.run(input as never, ports as never, context as never),
  }
}

export function errorsOf(task: WorkflowTask): readonly ErrorClassLike[] {
  return typeof task === 'function' ? [] : task.errors
}

/** `arn:aws:lambda:…:function:name:alias` → `name`. */
function functionName(arn: string): string {
  return arn.split(':')[6] ?? arn
}

export function findTask(
  tasks: WorkflowTasks,
  stateName: string,
  functionArn: string | undefined,
): WorkflowTask | undefined {
  return tasks[stateName] ?? (functionArn === undefined ? undefined : tasks[functionName(functionArn)])
}

export function callTask(
  task: WorkflowTask,
  input: unknown,
  context: CallContext,
  now: () => number,
): unknown {
  if (typeof task === 'function') return task(input, context)
  const own = { signal: context.signal, now }
  return 'bound' in task ? task.run(input, own) : task.run(input as never, {} as never, own as never)
}
