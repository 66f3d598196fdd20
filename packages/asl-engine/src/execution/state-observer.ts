import type { Json } from '../json.ts'

/** Watches a state from outside, and may stand in for what it would do: TestState. */
export interface StateObserver {
  /** Hears what the data is after a step of the state's data flow. */
  readonly see: (step: string, value: Json) => void
  readonly standIn: StandIn | undefined
  /** Its parts take the place of those of the context object. */
  readonly contextObject: Json | undefined
}

/** Does the state's work in its place. */
export interface StandIn {
  /** The mocked result; throws the mocked failure. */
  readonly answer: () => Json
  /** How many of a Map's iterations are supposed to have failed. */
  readonly failedIterations: number
  /** Refuses a mock that does not fit so many inputs. */
  readonly expectInputs: (count: number) => void
  /** What a Map's ItemReader is supposed to have read. */
  readonly readItems: readonly Json[] | undefined
}
