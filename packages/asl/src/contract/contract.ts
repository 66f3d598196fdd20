import {
  type AnyTask,
  describeTask,
  type ErrorContract,
  type JsonSchema,
  type TaskContract,
} from '@stepwright/task'
import type { StateNode } from '../machine/machine.ts'
import { functionNameOf, payloadOf } from '../machine/resource.ts'

/** How schemas are turned into JSON Schema. */
export type DescribeOptions = NonNullable<Parameters<typeof describeTask>[1]>

/** An error class, or the facts of one. */
export type ErrorLike =
  | {
      readonly errorName: string
      readonly kind: ErrorContract['kind']
      readonly retry?: ErrorContract['retry']
    }
  | { readonly name: string; readonly kind: ErrorContract['kind']; readonly retry?: ErrorContract['retry'] }

/** A contract as plain data, for tasks that are not written with defineTask. */
export interface PlainContract {
  readonly name: string
  readonly input?: JsonSchema | undefined
  readonly output?: JsonSchema | undefined
  readonly errors: readonly ErrorLike[]
  /** Whether a second run, after one that died in the middle, does no harm. */
  readonly idempotent?: boolean
  /** How long a run may take, whatever the function's own timeout. */
  readonly maxSeconds?: number
  readonly routes?: Readonly<Record<string, PlainContract>>
}

/** A task made by `defineTask` or a router, or a contract as plain data. */
export type TaskLike = AnyTask | PlainContract

/**
 * The tasks of a state machine, by the name of the state, of the function or of the
 * placeholder that stands for it; or a list, where the tasks' own names say it.
 */
export type Tasks = Readonly<Record<string, TaskLike>> | readonly TaskLike[]

export function toErrorContract(error: ErrorLike): ErrorContract {
  return {
    name: 'errorName' in error ? error.errorName : error.name,
    kind: error.kind,
    retry: error.retry,
  }
}

export function toContract(task: TaskLike, options: DescribeOptions = {}): TaskContract {
  if ('run' in task && typeof task.run === 'function') return describeTask(task, options)
  const { name, input, output, errors, idempotent, maxSeconds, routes } = task as PlainContract
  return {
    name,
    input,
    output,
    errors: errors.map(toErrorContract),
    ...(idempotent !== undefined && { idempotent }),
    ...(maxSeconds !== undefined && { maxSeconds }),
    ...(routes && {
      routes: Object.fromEntries(
        Object.entries(routes).map(([key, route]) => [key, toContract(route, options)]),
      ),
    }),
  }
}

/** Finds the contract behind a Task state. */
export type FindContract = (state: StateNode) => TaskContract | undefined

/** The tasks whose input or output schema says nothing that the checker can read, each with the sides that it is. */
export function findUnreadable(
  tasks: Tasks = [],
  options: DescribeOptions = {},
): ReadonlyMap<string, readonly string[]> {
  const unreadable = new Map<string, readonly string[]>()
  for (const task of Array.isArray(tasks) ? (tasks as readonly TaskLike[]) : Object.values(tasks)) {
    if (!('run' in task)) continue
    const { name, input, output } = describeTask(task, options)
    const sides = [...(input === undefined ? ['input'] : []), ...(output === undefined ? ['output'] : [])]
    if (sides.length > 0) unreadable.set(name, sides)
  }
  return unreadable
}

export function createFindContract(tasks: Tasks = [], options: DescribeOptions = {}): FindContract {
  const entries: readonly (readonly [string, TaskLike])[] = Array.isArray(tasks)
    ? tasks.map((task: TaskLike) => [task.name, task])
    : Object.entries(tasks)
  const contracts = new Map(entries.map(([key, task]) => [key, toContract(task, options)]))
  const byLooseName = new Map([...contracts].map(([key, contract]) => [looseName(key), contract]))
  const found = new Map<StateNode, TaskContract | undefined>()

  const find: FindContract = state => {
    if (state.type !== 'Task') return undefined
    const functionName = functionNameOf(state) ?? state.name
    // a key may name the state; where no key fits exactly, what the state calls says more than what it is called
    const exact = contracts.get(state.name) ?? contracts.get(functionName)
    const loose = (): TaskContract | undefined =>
      byLooseName.get(looseName(functionName)) ?? byLooseName.get(looseName(state.name))
    return followRoute(exact ?? loose(), state)
  }
  return state => {
    if (!found.has(state)) found.set(state, find(state))
    return found.get(state)
  }
}

/** `ValidateCsv`, `validate-csv`, `ValidateCsvFunctionArn` and CDK's `ValidateCsvFn8A2F31C0.Arn` are one name. */
function looseName(name: string): string {
  return name
    .replace(/\.?(Arn|ARN)$/, '')
    .replace(/(?<=[a-z])[0-9A-F]{8}$/, '')
    .replace(/(?<=.)(Function|Lambda|Fn)$/, '')
    .replace(/[^\p{L}\p{Nd}]/gu, '')
    .toLowerCase()
}

/** Behind a router, the task or contract that the payload's literal chooses. */
export function followRoute<T extends { readonly routes?: Readonly<Record<string, T>> }>(
  router: T | undefined,
  state: StateNode,
): T | undefined {
  if (router?.routes === undefined) return router
  for (const value of Object.values(payloadOf(state) ?? {})) {
    if (typeof value === 'string' && Object.hasOwn(router.routes, value)) return router.routes[value]
  }
  return undefined
}
