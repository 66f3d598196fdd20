import { closest } from '@stepwright/errors/spelling'
import type { Catcher, Retrier } from '../language.ts'
import { type TaskLike, toContract } from './contract.ts'
import { buildRetry, type RetryPolicy } from './retry.ts'

export interface RetryForOptions {
  /** Also retry every failure that the task does not declare. @default only declared ones and Lambda's own */
  readonly rest?: RetryPolicy
}

/**
 * The Retry of a state that calls the task: its retryable errors as their classes say, Lambda's transient
 * errors, and never a business error.
 */
export function retryFor(task: TaskLike, options: RetryForOptions = {}): readonly Retrier[] {
  return buildRetry(toContract(task).errors, options.rest)
}

/** The state that an error leads to. */
export type Route =
  | string
  | {
      readonly next: string
      /** Where the error output goes. @default '$.error' */
      readonly resultPath?: string | null
    }

/** Where each error leads, by its name; `*` takes all that are not named. */
export interface Routes {
  readonly [error: string]: Route
}

/** The Catch of a state that calls the task. Its catchers keep the input and add the error to it. */
export function catchFor(task: TaskLike, routes: Routes): readonly Catcher[] {
  const { name: taskName, errors } = toContract(task)
  const declared = errors.map(({ name }) => name)
  const named = Object.keys(routes).filter(name => name !== '*')
  for (const name of named) {
    if (declared.includes(name) || name.includes('.')) continue
    const near = closest(name, declared)
    const hint = near === undefined ? `It declares ${declared.join(', ')}.` : `Did you mean ${near}?`
    throw new RouteError(`Task ${taskName} does not declare ${name}. ${hint}`)
  }
  const missing = declared.filter(name => !Object.hasOwn(routes, name))
  if (missing.length > 0 && routes['*'] === undefined) {
    throw new RouteError(
      `No route for ${missing.join(', ')} of task ${taskName}. Name them, or give a route for "*".`,
    )
  }
  const groups = new Map<string, { route: Route; names: string[] }>()
  for (const name of named) {
    const route = routes[name] as Route
    const key = JSON.stringify(toCatcher([], route))
    const group = groups.get(key) ?? { route, names: [] }
    group.names.push(name)
    groups.set(key, group)
  }
  const rest = routes['*']
  return [
    ...[...groups.values()].map(({ route, names }) => toCatcher(names, route)),
    ...(rest === undefined ? [] : [toCatcher(['States.ALL'], rest)]),
  ]
}

function toCatcher(names: readonly string[], route: Route): Catcher {
  const { next, resultPath = '$.error' } = typeof route === 'string' ? { next: route } : route
  return { ErrorEquals: names, ResultPath: resultPath, Next: next }
}

/** The routes given to `catchFor` and the errors that the task declares do not go together. */
export class RouteError extends Error {
  override readonly name = 'RouteError'
}
