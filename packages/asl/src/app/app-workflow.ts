import { type Scope, statesOf } from '../machine/machine.ts'
import { functionNameOf } from '../machine/resource.ts'
import type { Source } from '../source/source.ts'
import { placeholdersOf } from './placeholders.ts'

/** A workflow of the app, read. */
export interface AppWorkflow {
  readonly name: string
  readonly source: Source
  readonly machine: Scope | undefined
  /** The functions that its placeholders stand for, by placeholder. */
  readonly functionOf: (placeholder: string) => string | undefined
}

/** The functions that a workflow calls. */
export function calledBy({ machine, functionOf, source }: AppWorkflow): ReadonlySet<string> {
  const called = machine === undefined ? [] : statesOf(machine).flatMap(state => functionNameOf(state) ?? [])
  const mentioned = placeholdersOf(source).map(({ name }) => name)
  return new Set([...called, ...mentioned].flatMap(name => functionOf(name) ?? []))
}
