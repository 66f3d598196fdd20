import { record, type Thread } from '../execution/thread.ts'
import { dataLimitFailure, StateFailure } from '../failures/state-failure.ts'
import type { Exit } from '../flow/flow.ts'
import type { EventDetails } from '../history/record.ts'
import { exceedsBytes, type Json } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Outcome } from './outcome.ts'

/** What is called: the events by which history tells how it ended, and how its failures are named. */
export interface CallKind {
  readonly scheduled: string
  readonly succeeded: string
  readonly failed: string
  readonly timedOut: string
  readonly toFailure: (thrown: unknown) => unknown
}

export function callKind(name: string, toFailure: (thrown: unknown) => unknown): CallKind {
  return {
    scheduled: `${name}Scheduled`,
    succeeded: `${name}Succeeded`,
    failed: `${name}Failed`,
    timedOut: `${name}TimedOut`,
    toFailure,
  }
}

/** The state's way out with the result of what it called. */
export type Leave = (thread: Thread, input: Json, result: Json) => MaybePromise<Exit>

/** Records how a call ended, and leaves the state with its result. */
export class SettledCall implements Outcome<Exit> {
  readonly #thread: Thread
  readonly #kind: CallKind
  /** What is to blame for an answer that is too large. */
  readonly #subject: string
  readonly #input: Json
  readonly #leave: Leave
  /** Details of the ending event besides the result. */
  readonly #details: EventDetails | undefined

  constructor(
    thread: Thread,
    kind: CallKind,
    subject: string,
    input: Json,
    leave: Leave,
    details?: EventDetails,
  ) {
    this.#thread = thread
    this.#kind = kind
    this.#subject = subject
    this.#input = input
    this.#leave = leave
    this.#details = details
  }

  /** What a call whose end is on record led to: it is not made again. */
  onRecord(): MaybePromise<Exit> | undefined {
    const { succeeded, failed, timedOut } = this.#kind
    const ending = this.#thread.replay?.skipTo([succeeded, failed, timedOut])
    if (ending === undefined) return undefined
    if (ending.type === succeeded) return this.succeed(ending.details?.output ?? null)
    return this.fail(new StateFailure(ending.details?.error, ending.details?.cause))
  }

  succeed(output: Json): MaybePromise<Exit> {
    const thread = this.#thread
    if (exceedsBytes(output, thread.execution.engine.limits.payloadBytes))
      return this.fail(dataLimitFailure(this.#subject, { ofTask: true }))
    const details = this.#details
    record(thread, this.#kind.succeeded, details === undefined ? { output } : { ...details, output })
    return this.#leave(thread, this.#input, output)
  }

  fail(thrown: unknown): never {
    const { toFailure, timedOut, failed } = this.#kind
    const failure = toFailure(thrown)
    if (failure instanceof StateFailure && !failure.terminal) {
      const { error, cause } = failure
      const type = error === 'States.Timeout' ? timedOut : failed
      record(this.#thread, type, { ...this.#details, error, cause })
    }
    throw failure
  }
}
