import { type CheckOptions, describeOptionsOf, readInputSchema } from './check-workflow.ts'
import { createFindContract } from './contract/contract.ts'
import { analyze, type Observer } from './flow/analyze.ts'
import { noVariables } from './flow/arrival.ts'
import { shapeOfSchema } from './flow/shape-of-schema.ts'
import type { Scope } from './machine/machine.ts'

/** Follows the data through a machine, from what the options say of its input. */
export function followData(machine: Scope, options: CheckOptions, observer: Partial<Observer>): void {
  const ignore = (): void => {}
  const data = shapeOfSchema(readInputSchema(options), { kind: 'schema', text: 'the input' })
  analyze(
    machine,
    { data, variables: noVariables },
    {
      findContract: createFindContract(options.tasks, describeOptionsOf(options)),
      observer: { onState: ignore, onCall: ignore, onItems: ignore, onNote: ignore, ...observer },
    },
  )
}
