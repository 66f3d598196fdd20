import type { Catcher, Retrier } from '@stepwright/asl'
import type { StateFailure } from './state-failure.ts'

function matchesName(name: string, failure: StateFailure): boolean {
  if (name === 'States.ALL') return true
  if (name === 'States.TaskFailed') return failure.error !== 'States.Timeout'
  return name === failure.error || (failure.alias !== undefined && name === failure.alias)
}

function matches(names: readonly string[], failure: StateFailure): boolean {
  return names.some(name => matchesName(name, failure))
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
