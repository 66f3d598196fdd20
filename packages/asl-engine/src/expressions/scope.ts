import type { Json } from '../json.ts'

export type Variables = Readonly<Record<string, Json>>

/** Where randomness comes from. */
export interface Chance {
  /** At least 0, below 1. */
  readonly random: () => number
  readonly uuid: () => string
}

/** What an expression can see. */
export interface Scope {
  readonly input: Json
  readonly variables: Variables
  readonly context: () => Json
  readonly chance: Chance
}
