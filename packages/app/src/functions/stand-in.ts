import { type Bindings, mergeNeeds, type Needs, openAll } from '../bindings/binding.ts'
import type { StandInDeclaration, StandInKey } from '../stand-in.ts'

export interface StandInContext {
  /** Aborted when the state that called it has ended. */
  readonly signal: AbortSignal
}

export interface StandInOptions extends Pick<StandInDeclaration, 'timeoutSeconds'> {
  /** Environment variables that no port reads, such as `MALLOC_ARENA_MAX`. */
  readonly variables?: Readonly<Record<string, string | number>>
}

/** Answers for an AWS service on one machine: its declaration, and what is called. */
export interface DeclaredStandIn {
  (parameters: unknown, context: StandInContext): Promise<unknown>
  readonly standsFor: StandInKey
  readonly facts: { readonly needs: Required<Needs>; readonly options: StandInOptions }
}

/**
 * What answers for a Task's resource on one machine: `standIn('glue:startJobRun', run, bindings)`. On AWS nothing of it
 * is deployed.
 */
export function standIn<Parameters, Ports>(
  standsFor: StandInKey,
  run: (parameters: Parameters, ports: Ports, context: StandInContext) => Promise<unknown>,
  bindings: Bindings<NoInfer<Ports>>,
  options: StandInOptions = {},
): DeclaredStandIn {
  const call = async (parameters: unknown, context: StandInContext): Promise<unknown> =>
    run(parameters as Parameters, (await openAll(bindings, process.env)) as Ports, context)
  const needs = mergeNeeds(Object.values(bindings).map(each => each.needs))
  return Object.assign(call, { standsFor, facts: { needs, options } })
}
