import type { ErrorContract } from '@stepwright/task'
import type { RetryPolicy } from '../contract/retry.ts'
import { type Handler, type StateNode, statesOf } from '../machine/machine.ts'
import { under } from '../source/pointer.ts'
import { type CheckContext, listed } from './context.ts'
import { type FindRaised, firstMatch, isRetried, maxAttemptsOf, type Raised } from './raised.ts'
import { retryFix } from './retry-fix.ts'

/** Business errors are never retried, retryable ones always, and as their class says. */
export function checkKinds(context: CheckContext, findRaised: FindRaised): void {
  for (const state of statesOf(context.machine)) {
    const { errors } = findRaised(state)
    if (errors.size === 0) continue
    if (state.retriers.length > 0) checkBusiness(state, errors, context)
    if (state.type === 'Task') checkRetryable(state, errors, context)
  }
}

type Errors = Raised['errors']

function checkBusiness(state: StateNode, errors: Errors, context: CheckContext): void {
  const retried = new Map<Handler, string[]>()
  for (const { name, kind } of errors.values()) {
    const retrier = kind === 'business' ? firstMatch(state.retriers, name) : undefined
    if (retrier === undefined || maxAttemptsOf(retrier) === 0) continue
    retried.set(retrier, [...(retried.get(retrier) ?? []), name])
  }
  for (const [retrier, names] of retried) {
    const direct = names.filter(name => retrier.errors.includes(name))
    const through = retrier.errors.find(name => name === 'States.ALL' || name === 'States.TaskFailed')
    const what = direct.length > 0 ? 'This retrier' : `"${through}"`
    const plural =
      names.length > 1 ? 'business errors that no retry can cure' : 'a business error that no retry can cure'
    context.report(
      'kinds/business-retried',
      under(retrier.pointer, 'ErrorEquals'),
      `${what} also retries ${listed(names)}, ${plural}.`,
      {
        suggestion:
          direct.length > 0
            ? `Take ${listed(direct)} out of the retrier.`
            : `Put { "ErrorEquals": ${JSON.stringify(names)}, "MaxAttempts": 0 } before it, or retry named errors only.`,
        fix: retryFix(state, context),
      },
    )
  }
}

function checkRetryable(state: StateNode, errors: Errors, context: CheckContext): void {
  const missed: string[] = []
  for (const error of errors.values()) {
    if (error.kind !== 'retryable') continue
    const retrier = firstMatch(state.retriers, error.name)
    if (!isRetried(state, error.name)) missed.push(error.name)
    else if (error.retry !== undefined && retrier?.errors.includes(error.name)) {
      checkPolicy(state, retrier, error, error.retry, context)
    }
  }
  if (missed.length === 0) return
  const has = Object.hasOwn(state.fields, 'Retry')
  context.report(
    'kinds/retryable-not-retried',
    has ? under(state.pointer, 'Retry') : state.pointer,
    `No retrier matches ${listed(missed)}, which the same call may cure.`,
    { at: 'key', suggestion: `Add a retrier for ${listed(missed)}.`, fix: retryFix(state, context) },
  )
}

function checkPolicy(
  state: StateNode,
  retrier: Handler,
  error: ErrorContract,
  policy: RetryPolicy,
  context: CheckContext,
): void {
  const { fields } = retrier
  const differences = (
    [
      ['IntervalSeconds', fields['IntervalSeconds'] ?? 1, policy.intervalSeconds],
      ['MaxAttempts', maxAttemptsOf(retrier), policy.maxAttempts],
      ['BackoffRate', fields['BackoffRate'] ?? 2, policy.backoffRate],
      ['MaxDelaySeconds', fields['MaxDelaySeconds'], policy.maxDelaySeconds],
      ['JitterStrategy', fields['JitterStrategy'] ?? 'NONE', policy.jitter ?? 'NONE'],
    ] as const
  ).filter(([, given, expected]) => given !== expected)
  if (differences.length === 0) return
  const told = differences.map(
    ([field, given = 'none', expected = 'none']) => `${field} ${given} instead of ${expected}`,
  )
  context.report(
    'kinds/policy-contradicts',
    retrier.pointer,
    `${error.name} is declared otherwise: ${listed(told)}.`,
    {
      suggestion: 'Change the retrier, or the policy of the error class.',
      fix: retryFix(state, context),
    },
  )
}
