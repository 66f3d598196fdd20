import { jsonataExpression, parseJsonata } from '../expressions/jsonata.ts'
import { usesOf } from '../expressions/jsonata-uses.ts'
import { isPlaceholder } from '../expressions/placeholder.ts'
import type { Pointer } from '../source/pointer.ts'
import type { FieldCheck, ValidityContext } from './context.ts'

/** A string that may be a JSONata expression: what Step Functions refuses in one. */
export const jsonataText: FieldCheck = (value, pointer, context) => {
  if (typeof value !== 'string' || isPlaceholder(value)) return
  const expression = jsonataExpression(value)
  if (expression === undefined) {
    if (value.startsWith('{%'))
      context.report('valid/jsonata', pointer, 'A JSONata expression ends with "%}".')
    return
  }
  const parsed = parseJsonata(expression)
  if (typeof parsed === 'string') {
    context.report('valid/jsonata', pointer, `JSONata: ${parsed}`)
    return
  }
  const uses = usesOf(parsed)
  const refuse = (message: string, suggestion?: string): void =>
    context.report('valid/jsonata', pointer, message, { suggestion })
  for (const name of uses.bare) {
    refuse(
      `"${name}" has nothing to be read from: an expression begins with $states or a variable.`,
      name.startsWith('$') ? 'Write $states.input.' : `Write $states.input.${name}.`,
    )
  }
  for (const field of uses.states) {
    const problem = statesProblem(field, pointer, context)
    if (problem !== undefined) refuse(problem)
  }
}

const withResult = new Set(['Task', 'Parallel', 'Map'])

/** `$states.result` exists once the work is done, `$states.errorOutput` in a catcher. */
function statesProblem(field: string, pointer: Pointer, { state }: ValidityContext): string | undefined {
  if (field === 'input' || field === 'context') return undefined
  if (field !== 'result' && field !== 'errorOutput')
    return `$states has input, context, result and errorOutput, but no "${field}".`
  if (state === undefined) return undefined
  const place = pointer[state.pointer.length]
  const inCatch = place === 'Catch'
  if (field === 'errorOutput')
    return inCatch ? undefined : '$states.errorOutput exists only in the Output and Assign of a catcher.'
  const after = withResult.has(state.type) && (place === 'Output' || place === 'Assign')
  return after ? undefined : '$states.result exists only in the Output and Assign of a Task, Parallel or Map.'
}
