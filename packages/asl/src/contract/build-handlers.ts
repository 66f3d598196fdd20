import { closest } from '@stepwright/errors/spelling'
import type { TaskContract } from '@stepwright/task'
import type { Catcher, Json, QueryLanguage, Retrier } from '../language.ts'
import { type TaskLike, toContract } from './contract.ts'
import { buildRetry, catchExhaustedByDefault, type RetryPolicy } from './retry.ts'

export interface RetryForOptions {
  /** Also retry every failure that the task does not declare. @default only declared ones and Lambda's own */
  readonly rest?: RetryPolicy
  /**
   * Whether a second run, after one that died in the middle, does no harm. Lambda's deaths (`Lambda.Unknown`,
   * `Runtime.ExitError`, `Sandbox.Timedout`, `States.Timeout`) are then retried too. @default what the task says
   */
  readonly idempotent?: boolean
}

/**
 * The Retry of a state that calls the task, in either query language: its retryable errors as their classes say,
 * Lambda's transient errors, and never a business error.
 */
export function retryFor(task: TaskLike, options: RetryForOptions = {}): readonly Retrier[] {
  const contract = toContract(task)
  const idempotent = options.idempotent ?? contract.idempotent ?? false
  return buildRetry({ errors: contract.errors, idempotent }, options.rest)
}

/** The state that an error leads to. */
export type Route =
  | string
  | {
      readonly next: string
      /** JSONPath: where the error output goes. @default '$.error' */
      readonly resultPath?: string | null
      /** JSONata: what the state passes on. @default the input with the error output as its field `error` */
      readonly output?: Json
    }

/** Where each error leads, by its name; `*` takes all that are not named. */
export interface Routes {
  readonly [error: string]: Route
}

export interface CatchForOptions {
  /** The query language of the state. @default 'JSONPath' */
  readonly language?: QueryLanguage
  /** Whether a retryable error that outlasts its retries needs a route too. @default false, as in `checkWorkflow` */
  readonly catchExhausted?: boolean
}

/**
 * The Catch of a state that calls the task, or of a Parallel or an inline Map around several. Its catchers keep the input
 * and add the error to it.
 */
export function catchFor(
  task: TaskLike | readonly TaskLike[],
  routes: Routes,
  options: CatchForOptions = {},
): readonly Catcher[] {
  const { language = 'JSONPath', catchExhausted = catchExhaustedByDefault } = options
  const contracts = (isList(task) ? task : [task]).map(each => toContract(each))
  const isOne = contracts.length === 1
  const who = `${isOne ? 'Task' : 'None of the tasks'} ${contracts.map(({ name }) => name).join(', ')}`
  const byName = new Map(contracts.flatMap(({ errors }) => errors.map(error => [error.name, error] as const)))
  const errors = [...byName.values()]
  const declared = [...byName.keys()]
  const named = Object.keys(routes).filter(name => name !== '*')
  for (const name of named) {
    if (declared.includes(name) || name.includes('.')) continue
    const near = closest(name, declared)
    const hint =
      near === undefined
        ? `${isOne ? 'It declares' : 'They declare'} ${declared.join(', ')}.`
        : `Did you mean ${near}?`
    throw new RouteError(`${who} ${isOne ? 'does not declare' : 'declares'} ${name}. ${hint}`)
  }
  const missing = errors
    .filter(({ kind }) => catchExhausted || kind === 'business')
    .map(({ name }) => name)
    .filter(name => !Object.hasOwn(routes, name))
  if (missing.length > 0 && routes['*'] === undefined) {
    throw new RouteError(
      `No route for ${missing.map(name => `${name} of task ${whoseError(name, contracts)}`).join(', ')}. Name them, or give a route for "*".`,
    )
  }
  const groups = new Map<string, { route: Route; names: string[] }>()
  for (const name of named) {
    const route = routes[name] as Route
    const key = JSON.stringify(toCatcher([], route, language))
    const group = groups.get(key) ?? { route, names: [] }
    group.names.push(name)
    groups.set(key, group)
  }
  const rest = routes['*']
  return [
    ...[...groups.values()].map(({ route, names }) => toCatcher(names, route, language)),
    ...(rest === undefined ? [] : [toCatcher(['States.ALL'], rest, language)]),
  ]
}

function isList(task: TaskLike | readonly TaskLike[]): task is readonly TaskLike[] {
  return Array.isArray(task)
}

function whoseError(error: string, contracts: readonly TaskContract[]): string {
  return contracts.find(({ errors }) => errors.some(({ name }) => name === error))?.name ?? ''
}

/** JSONata has no ResultPath: the error is put beside the input by hand. */
const inputWithError = "{% $merge([$states.input, { 'error': $states.errorOutput }]) %}"

function toCatcher(names: readonly string[], route: Route, language: QueryLanguage): Catcher {
  const {
    next,
    resultPath = '$.error',
    output = inputWithError,
  } = typeof route === 'string' ? { next: route } : route
  return language === 'JSONata'
    ? { ErrorEquals: names, Output: output, Next: next }
    : { ErrorEquals: names, ResultPath: resultPath, Next: next }
}

/** The routes given to `catchFor` and the errors that the task declares do not go together. */
export class RouteError extends Error {
  override readonly name = 'RouteError'
}
