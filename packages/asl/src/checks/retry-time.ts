import { maxExpressSeconds, maxRetryDelaySeconds } from '../facts/limits.ts'
import { isObject } from '../json.ts'
import type { JsonObject } from '../language.ts'
import type { Scope, StateNode } from '../machine/machine.ts'
import type { CheckContext } from './context.ts'
import { maxAttemptsOf } from './raised.ts'

interface TimeLimit {
  readonly seconds: number
  readonly of: string
}

/** The time within which a state must be done, all retries included. */
export function timeLimitOf(
  state: StateNode,
  timeout: number | undefined,
  { express }: { readonly express: boolean },
): TimeLimit | undefined {
  for (let scope: Scope | undefined = state.scope; scope !== undefined; scope = scope.owner?.scope) {
    if (scope.kind !== 'distributed') continue
    const config = scope.owner?.fields['ItemProcessor']
    const processor = isObject(config) ? config['ProcessorConfig'] : undefined
    const expressChild = isObject(processor) && processor['ExecutionType'] === 'EXPRESS'
    return expressChild ? { seconds: maxExpressSeconds, of: 'an Express child workflow' } : undefined
  }
  if (timeout !== undefined) return { seconds: timeout, of: 'the machine' }
  return express ? { seconds: maxExpressSeconds, of: 'an Express workflow' } : undefined
}

/** Each retrier counts its own attempts, so in the worst case they add up. */
export function checkRetryTime(state: StateNode, limit: TimeLimit, context: CheckContext): void {
  const attempt = typeof state.fields['TimeoutSeconds'] === 'number' ? state.fields['TimeoutSeconds'] : 0
  let total = attempt
  for (const retrier of state.retriers) {
    total += worstCase(retrier.fields, maxAttemptsOf(retrier), attempt)
    if (total <= limit.seconds) continue
    const message = `All attempts together can take more than the ${limit.seconds} s that ${limit.of} has.`
    context.report('limits/retry-exceeds-timeout', retrier.pointer, message, {
      suggestion: 'Retry less often, wait less, or shorten the timeout of one attempt.',
    })
    return
  }
}

/** The waits of a retrier and the attempts after them. */
function worstCase(fields: JsonObject, attempts: number, attemptSeconds: number): number {
  const numberOf = (field: string, otherwise: number): number =>
    typeof fields[field] === 'number' ? fields[field] : otherwise
  const rate = numberOf('BackoffRate', 2)
  const most = numberOf('MaxDelaySeconds', maxRetryDelaySeconds)
  let delay = numberOf('IntervalSeconds', 1)
  let total = 0
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    // from here on all waits are alike
    if (delay >= most || rate === 1)
      return total + (attempts - attempt) * (Math.min(delay, most) + attemptSeconds)
    total += delay + attemptSeconds
    delay *= rate
  }
  return total
}
