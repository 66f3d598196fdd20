import type { Thread } from '../execution/thread.ts'
import type { Variables } from '../expressions/scope.ts'
import type { Json } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'

/** How a state leaves: where to, with what, having assigned what. `next` is undefined at an end. */
export interface Exit {
  readonly next: string | undefined
  readonly output: Json
  readonly assigned: Variables | undefined
}

/** Every exit is made here, so that all of them have one hidden class: the runner's code stays optimised. */
export function toExit(next: string | undefined, output: Json, assigned: Variables | undefined): Exit {
  return { next, output, assigned }
}

/** A state's data flow, in the query language that it speaks. What it prepares and leaves with fits into a payload. */
export interface Flow {
  /** From the state's input to what the work is given. */
  readonly prepare: (thread: Thread, input: Json) => MaybePromise<Json>
  /** From the work's result to the way out. A value that is known to fit, besides the input, is not measured again. */
  readonly finish: (thread: Thread, input: Json, result: Json, fitting?: Json) => MaybePromise<Exit>
  /** For states without a result of their own: Wait, Choice, Succeed. */
  readonly pass: (thread: Thread, input: Json, effective: Json) => MaybePromise<Exit>
}

/** The fields of a state that steer data; which of them apply depends on the query language. */
export interface FlowFields {
  readonly InputPath?: string | null
  readonly Parameters?: Json
  readonly ResultSelector?: Json
  readonly ResultPath?: string | null
  readonly OutputPath?: string | null
  readonly Assign?: { readonly [variable: string]: Json }
  readonly Arguments?: Json
  readonly Output?: Json
}
