import type { Catcher, Retrier, State } from '@stepwright/asl'
import type { Attempt, Visit } from '@stepwright/asl-graph'
import type { ErrorDescription } from '../../src/protocol.ts'
import { duration } from '../format.ts'

/** What became of a failed attempt, and by whose rule. */
export interface Reason {
  readonly attempt: Attempt
  readonly number: number
  readonly happened: string
  readonly otherwise: string
  readonly rule: string | undefined
  /** The rule as the definition has it. */
  readonly source: Retrier | Catcher | undefined
  readonly error: ErrorDescription | undefined
}

/** Explains every failed attempt of a visit. */
export function explain(
  visit: Visit,
  state: State | undefined,
  errors: Readonly<Record<string, ErrorDescription>>,
): readonly Reason[] {
  const { Retry = [], Catch = [] } = (state ?? {}) as {
    Retry?: readonly Retrier[]
    Catch?: readonly Catcher[]
  }
  const used = new Map<number, number>()
  return visit.attempts.flatMap((attempt, index): readonly Reason[] => {
    if (attempt.status !== 'failed') return []
    const name = attempt.error ?? visit.error ?? 'States.TaskFailed'
    const retrierIndex = Retry.findIndex(({ ErrorEquals }) => matches(ErrorEquals, name))
    const catcherIndex = Catch.findIndex(({ ErrorEquals }) => matches(ErrorEquals, name))
    const catcher = Catch[catcherIndex]
    const caught = catcher && `caught by Catch ${catcherIndex + 1}, which leads to ${catcher.Next}`
    const next = visit.attempts[index + 1]
    const retrier = Retry[retrierIndex]
    const base = { attempt, number: index + 1, error: errors[name] }
    if (next !== undefined && retrier !== undefined) {
      const nth = (used.get(retrierIndex) ?? 0) + 1
      used.set(retrierIndex, nth)
      const pause = duration(next.scheduledMs - (attempt.endMs ?? attempt.scheduledMs))
      return [
        {
          ...base,
          rule: `Retry ${retrierIndex + 1}`,
          source: retrier,
          happened: `${name} was retried after ${pause}: retry ${nth} of ${retrier.MaxAttempts ?? 3}.`,
          otherwise: `Without this retrier it would have been ${caught ?? 'the end of the execution'}.`,
        },
      ]
    }
    const spent = retrier
      ? ` Retry ${retrierIndex + 1} matches too, and was used up.`
      : ' No retrier matches it.'
    if (visit.status === 'caught' && catcher !== undefined) {
      return [
        {
          ...base,
          rule: `Catch ${catcherIndex + 1}`,
          source: catcher,
          happened: `${name} was ${caught}.${spent}`,
          otherwise: 'Without this catcher it would have failed the execution.',
        },
      ]
    }
    const isRedriven = next !== undefined
    return [
      {
        ...base,
        rule: undefined,
        source: undefined,
        happened: isRedriven
          ? `${name} failed the execution, which was redriven.`
          : `${name} failed here: no catcher matches it.${spent}`,
        otherwise: isRedriven
          ? ''
          : 'A catcher for it would have led the execution elsewhere; a redrive goes on here.',
      },
    ]
  })
}

function matches(names: readonly string[] = [], error: string): boolean {
  return names.some(
    name =>
      name === error ||
      (name === 'States.ALL' && error !== 'States.Runtime' && error !== 'States.DataLimitExceeded') ||
      (name === 'States.TaskFailed' && error !== 'States.Timeout') ||
      (name === 'States.Timeout' && error === 'States.HeartbeatTimeout'),
  )
}
