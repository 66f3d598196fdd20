import type { ErrorContract } from '@stepwright/task'
import { isArray, isObject } from '../json.ts'
import type { Json, JsonObject, Retrier } from '../language.ts'
import { lambdaTransientNames } from './error-names.ts'

export type RetryPolicy = NonNullable<ErrorContract['retry']>

/** How often and how soon Lambda's own transient errors are retried. */
const lambdaRetrier: Retrier = {
  ErrorEquals: lambdaTransientNames,
  IntervalSeconds: 2,
  MaxAttempts: 6,
  BackoffRate: 2,
}

const toRetrier = (names: readonly string[], policy: RetryPolicy): Retrier => ({
  ErrorEquals: names,
  IntervalSeconds: policy.intervalSeconds,
  MaxAttempts: policy.maxAttempts,
  BackoffRate: policy.backoffRate,
  ...(policy.maxDelaySeconds === undefined ? {} : { MaxDelaySeconds: policy.maxDelaySeconds }),
  ...(policy.jitter === undefined ? {} : { JitterStrategy: policy.jitter }),
})

/** One retrier for each policy among the retryable errors. */
const retryableRetriers = (errors: readonly ErrorContract[]): readonly Retrier[] => {
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

const neverRetried = (errors: readonly ErrorContract[]): readonly Retrier[] => {
  const names = errors.filter(({ kind }) => kind === 'business').map(({ name }) => name)
  return names.length === 0 ? [] : [{ ErrorEquals: names, MaxAttempts: 0 }]
}

/** The Retry of a state that calls a task with these errors; with `rest`, all other failures are retried by it. */
export const buildRetry = (errors: readonly ErrorContract[], rest?: RetryPolicy): readonly Retrier[] => [
  ...(rest === undefined ? [] : neverRetried(errors)),
  ...retryableRetriers(errors),
  lambdaRetrier,
  ...(rest === undefined ? [] : [toRetrier(['States.TaskFailed'], rest)]),
]

const wildcards = ['States.ALL', 'States.TaskFailed']

/**
 * The Retry that a state should have, given the one it has: the declared errors as
 * their classes say, what the author wrote about other errors kept, wildcards last.
 */
export const reconcileRetry = (
  existing: Json | undefined,
  errors: readonly ErrorContract[],
): readonly Retrier[] => {
  const declared = new Set(errors.map(({ name }) => name))
  const kept: JsonObject[] = []
  for (const retrier of isArray(existing) ? existing : []) {
    if (!isObject(retrier) || !isArray(retrier['ErrorEquals'])) continue
    const names = retrier['ErrorEquals'].filter(name => !declared.has(name as string))
    if (names.length > 0) kept.push({ ...retrier, ErrorEquals: names })
  }
  const namesOf = (retrier: JsonObject): readonly Json[] => retrier['ErrorEquals'] as readonly Json[]
  const isWildcard = (retrier: JsonObject): boolean =>
    namesOf(retrier).some(name => wildcards.includes(name as string))
  const named = kept.filter(retrier => !isWildcard(retrier))
  const rest = kept.filter(isWildcard)
  const handled = new Set(named.flatMap(namesOf))
  const unhandled = lambdaTransientNames.filter(name => !handled.has(name))
  return [
    ...(rest.length > 0 ? neverRetried(errors) : []),
    ...retryableRetriers(errors),
    ...(named as unknown as Retrier[]),
    ...(unhandled.length > 0 ? [{ ...lambdaRetrier, ErrorEquals: unhandled }] : []),
    ...(rest as unknown as Retrier[]),
  ]
}
