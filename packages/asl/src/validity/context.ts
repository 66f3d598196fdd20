import type { Report } from '../finding.ts'
import type { Json, JsonObject, QueryLanguage, StateType } from '../language.ts'
import type { Pointer } from '../source/pointer.ts'

export interface ValidityContext {
  readonly report: Report
  /** The query language of the state in hand. */
  readonly language: QueryLanguage
  /** The query language of the whole machine. */
  readonly machineLanguage: QueryLanguage
  /** The state in hand, where there is one. */
  readonly state?: { readonly type: StateType; readonly pointer: Pointer }
  /** The states of the scope in hand. */
  readonly siblings?: JsonObject
  /** The variables that are assigned before the scope in hand is reached. */
  readonly outerVariables?: ReadonlySet<string>
  /** `true` inside what runs as an Express workflow. */
  readonly express: boolean
}

/** Checks one field's value. */
export type FieldCheck = (value: Json, pointer: Pointer, context: ValidityContext) => void
