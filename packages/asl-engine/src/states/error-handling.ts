import type { Catcher, ErrorHandling, QueryLanguage, Retrier } from '@stepwright/asl'
import type { Thread } from '../execution/thread.ts'
import { attemptsOf, findCatcher, findRetrier, retryDelayMs } from '../failures/retry.ts'
import { settleFailure } from '../failures/settle-failure.ts'
import type { StateFailure } from '../failures/state-failure.ts'
import type { Exit, Finished } from '../flow/flow.ts'
import { compileLeaving } from '../flow/jsonata-flow.ts'
import { compileAssign, compileResultPath } from '../flow/jsonpath-flow.ts'
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
      const finished = await exits[index]?.(thread, input, errorOutput(failure))
      return { next: catchers[index]?.Next, output: finished?.output ?? null, assigned: finished?.assigned }
    },
  }
}

/** Runs the attempt, retries as the retriers say, and leaves by a catcher if one matches. */
export function withHandling(handling: Handling, giveUp?: GiveUp): Attempt {
  const recover = async (thread: Thread, input: Json, thrown: unknown): Promise<Exit> => {
    const { clock, chance } = thread.execution.engine
    const retries = handling.retriers.map(() => 0)
    for (let last = thrown; ; ) {
      const failure = settleFailure(thread, last)
      const index = findRetrier(handling.retriers, failure)
      const retrier = handling.retriers[index]
      const retry = retries[index] ?? 0
      if (retrier === undefined || retry >= attemptsOf(retrier)) return leave(thread, input, failure)
      retries[index] = retry + 1
      await sleepOn(clock, retryDelayMs(retrier, retry, chance.random), thread.cancellation)
      thread.retryCount += 1
      try {
        return await handling.attempt(thread, input)
      } catch (error) {
        last = error
      }
    }
  }
  const leave = async (thread: Thread, input: Json, failure: StateFailure): Promise<Exit> => {
    const index = findCatcher(handling.catchers, failure)
    giveUp?.(thread, failure)
    if (index < 0) throw failure
    try {
      return await handling.leaveBy(index, thread, input, failure)
    } catch (error) {
      throw settleFailure(thread, error)
    }
  }
  if (handling.retriers.length + handling.catchers.length === 0 && giveUp === undefined)
    return handling.attempt
  return (thread, input) => {
    try {
      const exit = handling.attempt(thread, input)
      return isPromise(exit) ? exit.catch(error => recover(thread, input, error)) : exit
    } catch (error) {
      return recover(thread, input, error)
    }
  }
}

function errorOutput(failure: StateFailure): Json {
  return {
    Error: failure.error ?? null,
    Cause: failure.cause ?? null,
  }
}

function compileCatcher(
  catcher: Catcher,
  language: QueryLanguage,
): (thread: Thread, input: Json, error: Json) => MaybePromise<Finished> {
  if (language === 'JSONata') {
    const leave = compileLeaving(catcher)
    return (thread, input, error) => leave(thread, input, { errorOutput: error }, error)
  }
  const place = compileResultPath(catcher.ResultPath)
  const assign = compileAssign(catcher.Assign)
  return (thread, input, error) => ({ output: place(input, error), assigned: assign?.(thread, error) })
}
