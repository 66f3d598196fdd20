import type { Json } from '../language.ts'
import { type StateNode, statesOf } from '../machine/machine.ts'
import { argumentsOf, integrationOf } from '../machine/resource.ts'
import type { CheckContext } from './context.ts'

const changing =
  /States\.UUID\(|States\.MathRandom\(|\$\$\.State\.EnteredTime|\$\$\.State\.RetryCount|\$\$\.Execution\.StartTime|\$(?:now|millis|random|uuid)\(|\$states\.context\.(?:State\.(?:EnteredTime|RetryCount)|Execution\.StartTime)/

/** An execution's name protects from starting it twice, but only if a second attempt makes the same name. */
export function checkExecutionNames(context: CheckContext): void {
  for (const state of statesOf(context.machine)) {
    const found = nameOf(state)
    if (found === undefined || !changing.test(found.text)) continue
    const message =
      'This name changes with time or chance: a second start of the same work is not recognised.'
    context.report('flow/unstable-execution-name', [...state.pointer, ...found.path], message, {
      suggestion: 'Make the name from what identifies the work, such as an id in the input.',
    })
  }
}

function nameOf(state: StateNode): { readonly text: string; readonly path: readonly string[] } | undefined {
  const { service, action } = integrationOf(state.fields['Resource'])
  if (state.type !== 'Task' || !(service === 'states' || service === 'sfn') || action !== 'startExecution')
    return undefined
  const field = state.language === 'JSONata' ? 'Arguments' : 'Parameters'
  const given: Readonly<Record<string, Json>> = argumentsOf(state) ?? {}
  const key = ['Name', 'Name.$'].find(each => typeof given[each] === 'string')
  return key === undefined ? undefined : { text: given[key] as string, path: [field, key] }
}
