import { record, type Thread } from '../execution/thread.ts'
import { dataLimitFailure, StateFailure } from '../failures/state-failure.ts'
import type { Exit } from '../flow/flow.ts'
import { exceedsBytes, type Json } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { CallKind } from './call-kind.ts'
import type { Outcome } from './outcome.ts'
import type { Terms } from './terms.ts'

/** The state's way out with the result of what it called, which fits into a payload. */
export type Leave = (thread: Thread, input: Json, result: Json, fitting: Json) => MaybePromise<Exit>

/** One attempt of a Task: it records how the call ended, and leaves the state with its result. */
export class TaskCall implements Outcome<Exit> {
  readonly kind: CallKind
  readonly thread: Thread
  /** What is called with. */
  readonly argument: Json
  readonly terms: Terms
  readonly #input: Json
  readonly #leave: Leave

  constructor(kind: CallKind, thread: Thread, input: Json, argument: Json, terms: Terms, leave: Leave) {
    this.kind = kind
    this.thread = thread
    this.argument = argument
    this.terms = terms
    this.#input = input
    this.#leave = leave
  }

  /** What a call whose end is on record led to: it is not made again. */
  onRecord(): MaybePromise<Exit> | undefined {
    const { succeeded, failed, timedOut } = this.kind
    const ending = this.thread.replay?.skipTo([succeeded.type, failed, timedOut])
    if (ending === undefined) return undefined
    if (ending.type === succeeded.type) return this.succeed(ending.details?.output ?? null)
    return this.fail(new StateFailure(ending.details?.error, ending.details?.cause))
  }

  succeed(output: Json): MaybePromise<Exit> {
    const { thread, kind } = this
    if (exceedsBytes(output, thread.execution.engine.limits.payloadBytes))
      return this.fail(dataLimitFailure(kind.subject, { ofTask: true }))
    record(thread, kind.succeeded, output)
    kind.lastArgument = this.argument
    kind.lastOutput = output
    return this.#leave(thread, this.#input, output, output)
  }

  fail(thrown: unknown): never {
    const { toFailure, timedOut, failed, details } = this.kind
    const failure = toFailure(thrown)
    if (failure instanceof StateFailure && !failure.terminal) {
      const { error, cause } = failure
      record(this.thread, error === 'States.Timeout' ? timedOut : failed, { ...details, error, cause })
    }
    throw failure
  }
}
