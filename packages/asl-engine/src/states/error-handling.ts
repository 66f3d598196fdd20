import type { Catcher, ErrorHandling, QueryLanguage, Retrier } from '@stepwright/asl'
import type { Thread } from '../execution/thread.ts'
import { attemptsOf, findCatcher, findRetrier, retryDelayMs } from '../failures/retry.ts'
import { settleFailure } from '../failures/settle-failure.ts'
import { StateFailure } from '../failures/state-failure.ts'
import { type Exit, toExit } from '../flow/flow.ts'
import { compileLeaving } from '../flow/jsonata-flow.ts'
import { compileAssign, compileResultPath } from '../flow/jsonpath-flow.ts'
import { checkPayload } from '../flow/payload.ts'
import { notes } from '../history/recording.ts'
import type { Json } from '../json.ts'
import { isPromise, type MaybePromise } from '../maybe-promise.ts'
import { sleepOn } from '../time/clock.ts'

/** Called when a failure is not going to be retried; Map and Parallel record it then. */
export type GiveUp = (thread: Thread, failure: StateFailure) => void

export type Attempt = (thread: Thread, input: Json) => MaybePromise<Exit>

/** What a state does about failures. */
export interface Handling {
  readonly attempt: Attempt
  readonly retriers: readonly Retrier[]
  readonly catchers: readonly Catcher[]
  /** The way out that catcher number `index` offers. */
  readonly leaveBy: (index: number, thread: Thread, input: Json, failure: StateFailure) => Promise<Exit>
}

export function compileHandling(state: ErrorHandling, language: QueryLanguage, attempt: Attempt): Handling {
  const catchers = state.Catch ?? []
  const exits = catchers.map(catcher => compileCatcher(catcher, language))
  return {
    attempt,
    retriers: state.Retry ?? [],
    catchers,
    leaveBy: async (index, thread, input, failure) => {
      const exit = await (exits[index] as Leave)(thread, input, errorOutput(failure))
      checkPayload(thread, exit.output)
      return exit
    },
  }
}

/** Runs the attempt, retries as the retriers say, and leaves by a catcher if one matches. */
export function withHandling(handling: Handling, giveUp?: GiveUp): Attempt {
  const { attempt, retriers, catchers } = handling
  const recover = async (thread: Thread, input: Json, first: FailedAttempt): Promise<Exit> => {
    const retries = retriers.map(() => 0)
    for (let last = first; ; ) {
      const index = findRetrier(retriers, last.failure)
      if (last.resumeMs === undefined) return leave(thread, input, last.failure)
      retries[index] = (retries[index] ?? 0) + 1
      const { clock } = thread.execution.engine
      if (last.resumeMs > clock.now()) await sleepOn(clock, last.resumeMs - clock.now(), thread.cancellation)
      thread.retryCount += 1
      const known = takeFailedAttempt(thread)
      if (known !== undefined) {
        last = known
        continue
      }
      try {
        return await attempt(thread, input)
      } catch (error) {
        last = noteFailedAttempt(thread, error, retriers, retries)
      }
    }
  }
  const leave = async (thread: Thread, input: Json, failure: StateFailure): Promise<Exit> => {
    const index = findCatcher(catchers, failure)
    giveUp?.(thread, failure)
    if (index < 0) throw failure
    try {
      return await handling.leaveBy(index, thread, input, failure)
    } catch (error) {
      throw settleFailure(thread, error)
    }
  }
  if (retriers.length + catchers.length === 0 && giveUp === undefined) return attempt
  const none = retriers.map(() => 0)
  const recoverFrom = (thread: Thread, input: Json, thrown: unknown): Promise<Exit> =>
    recover(thread, input, noteFailedAttempt(thread, thrown, retriers, none))
  return (thread, input) => {
    const known = takeFailedAttempt(thread)
    if (known !== undefined) return recover(thread, input, known)
    try {
      const exit = attempt(thread, input)
      return isPromise(exit) ? exit.catch(error => recoverFrom(thread, input, error)) : exit
    } catch (error) {
      return recoverFrom(thread, input, error)
    }
  }
}

interface FailedAttempt {
  readonly failure: StateFailure
  /** When to try again; `undefined` if it is not to be retried. */
  readonly resumeMs: number | undefined
}

interface NotedFailure {
  readonly error?: string
  readonly cause?: string
  readonly alias?: string
  readonly terminal?: boolean
  readonly ofTask?: boolean
  readonly delayMs?: number
}

/** A failed attempt is noted with what follows from it, so that it counts, and waits, only once. */
function noteFailedAttempt(
  thread: Thread,
  thrown: unknown,
  retriers: readonly Retrier[],
  retries: readonly number[],
): FailedAttempt {
  const { clock, chance } = thread.execution.engine
  const failure = settleFailure(thread, thrown)
  const index = findRetrier(retriers, failure)
  const retrier = retriers[index]
  const retry = retries[index] ?? 0
  const delayMs =
    retrier === undefined || retry >= attemptsOf(retrier)
      ? undefined
      : retryDelayMs(retrier, retry, chance.random)
  const { error, cause, alias, terminal, ofTask } = failure
  thread.execution.history.note(thread.place, notes.attemptFailed, {
    error,
    cause,
    ...(alias === undefined ? {} : { alias }),
    ...(terminal ? { terminal } : {}),
    ...(ofTask ? { ofTask } : {}),
    ...(delayMs === undefined ? {} : { delayMs }),
  })
  return { failure, resumeMs: delayMs === undefined ? undefined : clock.now() + delayMs }
}

function takeFailedAttempt(thread: Thread): FailedAttempt | undefined {
  const taken = thread.replay?.takeFailedAttempt()
  if (taken === undefined) return undefined
  const { timestampMs, details = {} } = taken.note
  if (taken.lastEventId > 0) thread.lastEventId = taken.lastEventId
  const { error, cause, delayMs, ...marks } = details as NotedFailure
  const failure = new StateFailure(error, cause, marks)
  return { failure, resumeMs: delayMs === undefined ? undefined : timestampMs + delayMs }
}

function errorOutput(failure: StateFailure): Json {
  return {
    Error: failure.error ?? null,
    Cause: failure.cause ?? null,
  }
}

type Leave = (thread: Thread, input: Json, error: Json) => MaybePromise<Exit>

function compileCatcher(catcher: Catcher, language: QueryLanguage): Leave {
  if (language === 'JSONata') {
    const leave = compileLeaving(catcher, catcher.Next)
    return (thread, input, error) => leave(thread, input, { errorOutput: error }, error)
  }
  const place = compileResultPath(catcher.ResultPath)
  const assign = compileAssign(catcher.Assign)
  return (thread, input, error) => toExit(catcher.Next, place(input, error), assign?.(thread, error))
}
