import { lambdaDeathNames, lambdaTransientNames } from '@stepwright/errors'
import type { ErrorContract, TaskContract } from '@stepwright/task'
import { isArray, isObject } from '../json.ts'
import type { Json, Retrier } from '../language.ts'

/**
 * Whether an error that outlasts its retries must be caught. Where it is not, the execution fails at that state,
 * and a redrive goes on there; a redrive of a Fail state would only fail again.
 */
export const catchExhaustedByDefault = false

export type RetryPolicy = NonNullable<ErrorContract['retry']>

/** How often and how soon Lambda's own transient errors are retried. */
const lambdaRetrier: Retrier = {
  ErrorEquals: lambdaTransientNames,
  IntervalSeconds: 2,
  MaxAttempts: 6,
  BackoffRate: 2,
}

/** A function that died may die again of the same input, so it gets fewer attempts. */
const deathRetrier: Retrier = {
  ErrorEquals: lambdaDeathNames,
  IntervalSeconds: 2,
  MaxAttempts: 2,
  BackoffRate: 2,
}

/** Lambda's own errors that a task's Retry has to take. */
export function lambdaNamesToRetry({ idempotent = false }: Retried): readonly string[] {
  return idempotent ? [...lambdaTransientNames, ...lambdaDeathNames] : lambdaTransientNames
}

/** What of a contract decides its Retry. */
export type Retried = Pick<TaskContract, 'errors' | 'idempotent'>

function toRetrier(names: readonly string[], policy: RetryPolicy): Retrier {
  return {
    ErrorEquals: names,
    IntervalSeconds: policy.intervalSeconds,
    MaxAttempts: policy.maxAttempts,
    BackoffRate: policy.backoffRate,
    ...(policy.maxDelaySeconds === undefined ? {} : { MaxDelaySeconds: policy.maxDelaySeconds }),
    ...(policy.jitter === undefined ? {} : { JitterStrategy: policy.jitter }),
  }
}

/** One retrier for each policy among the retryable errors. */
function retryableRetriers(errors: readonly ErrorContract[]): readonly Retrier[] {
  const groups = new Map<string, { names: string[]; policy: RetryPolicy }>()
  for (const { name, kind, retry } of errors) {
    if (kind !== 'retryable' || retry === undefined || retry.maxAttempts === 0) continue
    const { intervalSeconds, maxAttempts, backoffRate, maxDelaySeconds, jitter } = retry
    const key = [intervalSeconds, maxAttempts, backoffRate, maxDelaySeconds, jitter].join()
    const group = groups.get(key) ?? { names: [], policy: retry }
    group.names.push(name)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ names, policy }) => toRetrier(names, policy))
}

function neverRetried(errors: readonly ErrorContract[]): readonly Retrier[] {
  const names = errors.filter(({ kind }) => kind === 'business').map(({ name }) => name)
  return names.length === 0 ? [] : [{ ErrorEquals: names, MaxAttempts: 0 }]
}

/** The Retry of a state that calls the task; with `rest`, all other failures are retried by it. */
export function buildRetry({ errors, idempotent }: Retried, rest?: RetryPolicy): readonly Retrier[] {
  return [
    ...(rest === undefined ? [] : neverRetried(errors)),
    ...retryableRetriers(errors),
    lambdaRetrier,
    ...(idempotent ? [deathRetrier] : []),
    ...(rest === undefined ? [] : [toRetrier(['States.TaskFailed'], rest)]),
  ]
}

/** From the narrowest to the widest: the order in which they may follow each other. */
const wildcards = ['States.TaskFailed', 'States.ALL']

/**
 * The Retry that a state should have, given the one it has: the declared errors as
 * their classes say, what the author wrote about other errors kept, wildcards last.
 */
export function reconcileRetry(
  existing: Json | undefined,
  { errors, idempotent }: Retried,
): readonly Retrier[] {
  const { named, widest } = keepOthers(existing, new Set(errors.map(({ name }) => name)))
  const handled = new Set(named.flatMap(({ ErrorEquals }) => ErrorEquals))
  const missing = ({ ErrorEquals, ...retrier }: Retrier): readonly Retrier[] => {
    const names = ErrorEquals.filter(name => !handled.has(name))
    return names.length > 0 ? [{ ErrorEquals: names, ...retrier }] : []
  }
  return [
    ...(widest.length > 0 ? neverRetried(errors) : []),
    ...retryableRetriers(errors),
    ...named,
    ...missing(lambdaRetrier),
    ...(idempotent ? missing(deathRetrier) : []),
    ...widest,
  ]
}

/** What a Retry says of errors that are not declared: each name where it first stands, each wildcard by itself. */
function keepOthers(
  existing: Json | undefined,
  declared: ReadonlySet<string>,
): { readonly named: readonly Retrier[]; readonly widest: readonly Retrier[] } {
  const seen = new Set(declared)
  const named: Retrier[] = []
  const widest = new Map<string, Retrier>()
  for (const given of isArray(existing) ? existing : []) {
    if (!isObject(given) || !isArray(given['ErrorEquals'])) continue
    const retrier = given as unknown as Retrier
    const names = retrier.ErrorEquals.filter(name => !seen.has(name))
    for (const name of names) seen.add(name)
    const plain = names.filter(name => !wildcards.includes(name))
    if (plain.length > 0) named.push({ ...retrier, ErrorEquals: plain })
    for (const name of names)
      if (wildcards.includes(name)) widest.set(name, { ...retrier, ErrorEquals: [name] })
  }
  return { named, widest: wildcards.flatMap(name => widest.get(name) ?? []) }
}
