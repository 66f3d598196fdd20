import type { Catcher, Retrier } from '@stepwright/asl'
import { matchesError } from '@stepwright/asl/facts'
import type { StateFailure } from './state-failure.ts'

function matches(names: readonly string[], { error = '', alias, ofTask }: StateFailure): boolean {
  const raisedBy = ofTask ? 'task' : 'state'
  return names.some(name => matchesError(name, error, raisedBy) || name === alias)
}

/** How long a retrier waits before retry number `retry` (the first is 0). */
export function retryDelayMs(retrier: Retrier, retry: number, random: () => number): number {
  const seconds = Math.min(
    (retrier.IntervalSeconds ?? 1) * (retrier.BackoffRate ?? 2) ** retry,
    retrier.MaxDelaySeconds ?? Number.POSITIVE_INFINITY,
  )
  return 1000 * (retrier.JitterStrategy === 'FULL' ? random() * seconds : seconds)
}

/** The first retrier that names the failure decides, even if it has no attempts left. */
export function findRetrier(retriers: readonly Retrier[], failure: StateFailure): number {
  return failure.terminal ? -1 : retriers.findIndex(retrier => matches(retrier.ErrorEquals, failure))
}

export function attemptsOf(retrier: Retrier): number {
  return retrier.MaxAttempts ?? 3
}

export function findCatcher(catchers: readonly Catcher[], failure: StateFailure): number {
  return failure.terminal ? -1 : catchers.findIndex(catcher => matches(catcher.ErrorEquals, failure))
}
