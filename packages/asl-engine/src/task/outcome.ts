import type { Json } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'

/** What becomes of a call. It is told at once when the call ends, so that no promise stands between the two. */
export interface Outcome<Result> {
  readonly succeed: (answer: Json) => MaybePromise<Result>
  /** Throws what the failure is for the state. */
  readonly fail: (thrown: unknown) => never
}

/** The answer itself. */
export const answerItself: Outcome<Json> = {
  succeed: answer => answer,
  fail: thrown => {
    throw thrown
  },
}
