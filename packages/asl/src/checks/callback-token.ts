import { isPlaceholder } from '../expressions/placeholder.ts'
import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'
import type { StateNode } from '../machine/machine.ts'
import { integrationOf } from '../machine/resource.ts'
import { under } from '../source/pointer.ts'
import type { CheckContext } from './context.ts'

const tokenRead = /\$\$\.Task\b|^\$\$$|\$states\.context(?:\.Task\b|(?![.\w]))/

/** Whoever is to answer a callback must be given the token. Step Functions takes a state that keeps it to itself. */
export function checkCallbackToken(state: StateNode, context: CheckContext): void {
  const { wait, kind } = integrationOf(state.fields['Resource'])
  const field = state.language === 'JSONata' ? 'Arguments' : 'Parameters'
  const given = state.fields[field]
  if (wait !== 'callback' || kind === 'activity' || (given !== undefined && readsToken(given))) return
  const pointer = given === undefined ? state.pointer : under(state.pointer, field)
  const token = field === 'Arguments' ? '$states.context.Task.Token' : '"$$.Task.Token"'
  context.report(
    'limits/callback-without-token',
    pointer,
    `"${state.name}" never passes its task token on, so nobody can answer.`,
    { at: 'key', suggestion: `Pass ${token} on.` },
  )
}

function readsToken(value: Json): boolean {
  if (typeof value === 'string') return isPlaceholder(value) || tokenRead.test(value)
  if (isArray(value)) return value.some(readsToken)
  return isObject(value) && Object.values(value).some(readsToken)
}
