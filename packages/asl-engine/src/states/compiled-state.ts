import type { QueryLanguage, StateMachine, SubMachine } from '@stepwright/asl'
import type { Thread } from '../execution/thread.ts'
import type { Variables } from '../expressions/scope.ts'
import type { Exit } from '../flow/flow.ts'
import type { EventKind } from '../history/event-kind.ts'
import type { Json } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Handling } from './error-handling.ts'

/** A state made ready to run: paths, templates and expressions are parsed once. */
export interface CompiledState {
  readonly name: string
  readonly type: string
  readonly entered: EventKind<Json>
  readonly exited: EventKind<Exit>
  /** Does the state's work; the runner around it records that it was entered and left. */
  readonly work: (thread: Thread, input: Json) => MaybePromise<Exit>
  /** Present on Task, Parallel and Map. */
  readonly handling: Handling | undefined
}

export interface CompiledMachine {
  readonly startAt: string
  readonly states: ReadonlyMap<string, CompiledState>
}

/** What a state inherits from the machine around it. */
export interface CompileContext {
  readonly language: QueryLanguage
}

export type CompileMachine = (machine: SubMachine | StateMachine, context: CompileContext) => CompiledMachine

export function languageOf(
  state: { readonly QueryLanguage?: QueryLanguage },
  context: CompileContext,
): QueryLanguage {
  return state.QueryLanguage ?? context.language
}

export function compiledState(
  name: string,
  type: string,
  work: CompiledState['work'],
  handling?: Handling,
): CompiledState {
  return {
    name,
    type,
    entered: { type: `${type}StateEntered`, detailsOf: input => ({ name, input }) },
    exited: {
      type: `${type}StateExited`,
      detailsOf: ({ output, assigned, next }) =>
        assigned === undefined || isEmpty(assigned)
          ? { name, output, next }
          : { name, output, assigned, next },
    },
    work,
    handling,
  }
}

function isEmpty(variables: Variables): boolean {
  for (const _name in variables) return false
  return true
}
