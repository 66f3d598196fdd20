import { lambdaTransientNames } from '@stepwright/errors'
import type { ErrorContract } from '@stepwright/task'
import { isArray, isObject } from '../json.ts'
import type { Json, Retrier } from '../language.ts'

export type RetryPolicy = NonNullable<ErrorContract['retry']>

/** How often and how soon Lambda's own transient errors are retried. */
const lambdaRetrier: Retrier = {
  ErrorEquals: lambdaTransientNames,
  IntervalSeconds: 2,
  MaxAttempts: 6,
  BackoffRate: 2,
}

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

/** The Retry of a state that calls a task with these errors; with `rest`, all other failures are retried by it. */
export function buildRetry(errors: readonly ErrorContract[], rest?: RetryPolicy): readonly Retrier[] {
  return [
    ...(rest === undefined ? [] : neverRetried(errors)),
    ...retryableRetriers(errors),
    lambdaRetrier,
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
  errors: readonly ErrorContract[],
): readonly Retrier[] {
  const { named, widest } = keepOthers(existing, new Set(errors.map(({ name }) => name)))
  const handled = new Set(named.flatMap(({ ErrorEquals }) => ErrorEquals))
  const unhandled = lambdaTransientNames.filter(name => !handled.has(name))
  return [
    ...(widest.length > 0 ? neverRetried(errors) : []),
    ...retryableRetriers(errors),
    ...named,
    ...(unhandled.length > 0 ? [{ ...lambdaRetrier, ErrorEquals: unhandled }] : []),
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
