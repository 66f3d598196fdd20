import { statesOf } from '../machine/machine.ts'
import { type CheckContext, listed } from './context.ts'

const advice = 'Give toJsonSchema, which turns such a schema into JSON Schema; or write it with zod 4.'

/** A schema that tells nothing of itself switches the rules of the data flow off: that is said once for each task. */
export function checkSchemas(
  context: CheckContext,
  unreadable: ReadonlyMap<string, readonly string[]>,
  inputUnreadable: boolean,
): void {
  if (inputUnreadable)
    context.report(
      'flow/unreadable-schema',
      [],
      'The schema of the execution’s input cannot be read, so what it promises is not checked.',
      { suggestion: advice },
    )
  const told = new Set<string>()
  for (const state of statesOf(context.machine)) {
    const name = context.findContract(state)?.name
    const sides = name === undefined ? undefined : unreadable.get(name)
    if (name === undefined || sides === undefined || told.has(name)) continue
    told.add(name)
    const message = `The ${listed(sides)} schema of "${name}" cannot be read, so the data that goes ${sides.includes('input') ? 'there' : 'on from there'} is not checked.`
    context.report('flow/unreadable-schema', state.pointer, message, { at: 'key', suggestion: advice })
  }
}
