import { isObject } from '../json.ts'
import type { Scope, StateNode } from '../machine/machine.ts'
import type { CheckContext } from './context.ts'
import type { LimitOptions } from './limits.ts'
import { maxAttemptsOf } from './raised.ts'

const expressSeconds = 300

interface TimeLimit {
  readonly seconds: number
  readonly of: string
}

/** The time within which a state must be done, all retries included. */
export const timeLimitOf = (
  state: StateNode,
  timeout: number | undefined,
  options: LimitOptions,
): TimeLimit | undefined => {
  for (let scope: Scope | undefined = state.scope; scope !== undefined; scope = scope.owner?.scope) {
    if (scope.kind !== 'distributed') continue
    const config = scope.owner?.fields['ItemProcessor']
    const processor = isObject(config) ? config['ProcessorConfig'] : undefined
    const express = isObject(processor) && processor['ExecutionType'] === 'EXPRESS'
    return express ? { seconds: expressSeconds, of: 'an Express child workflow' } : undefined
  }
  if (timeout !== undefined) return { seconds: timeout, of: 'the machine' }
  return options.express ? { seconds: expressSeconds, of: 'an Express workflow' } : undefined
}

export const checkRetryTime = (state: StateNode, limit: TimeLimit, context: CheckContext): void => {
  const attempt = typeof state.fields['TimeoutSeconds'] === 'number' ? state.fields['TimeoutSeconds'] : 0
  for (const retrier of state.retriers) {
    const seconds = worstCase(retrier.fields, maxAttemptsOf(retrier), attempt, limit.seconds)
    if (seconds <= limit.seconds) continue
    const message = `All attempts together can take more than the ${limit.seconds} s that ${limit.of} has.`
    context.report('limits/retry-exceeds-timeout', retrier.pointer, message, {
      suggestion: 'Retry less often, wait less, or shorten the timeout of one attempt.',
    })
    return
  }
}

/** The waits of a retrier and the attempts around them; counting stops once past the limit. */
const worstCase = (
  fields: { readonly [name: string]: unknown },
  attempts: number,
  attemptSeconds: number,
  limit: number,
): number => {
  const interval = typeof fields['IntervalSeconds'] === 'number' ? fields['IntervalSeconds'] : 1
  const rate = typeof fields['BackoffRate'] === 'number' ? fields['BackoffRate'] : 2
  const most =
    typeof fields['MaxDelaySeconds'] === 'number' ? fields['MaxDelaySeconds'] : Number.POSITIVE_INFINITY
  let total = attemptSeconds
  let delay = interval
  for (let attempt = 0; attempt < attempts && total <= limit; attempt++) {
    total += Math.min(delay, most) + attemptSeconds
    delay *= rate
  }
  return total
}
