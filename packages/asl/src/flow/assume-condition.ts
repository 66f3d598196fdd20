import { calledName, type JsonataNode } from '../expressions/jsonata.ts'
import { assumePresence, readSteps } from './access.ts'
import type { Arrival } from './arrival.ts'
import { toJsonataPath } from './jsonata/path.ts'

/** What is known once a JSONata condition has turned out true, or false. */
export function assumeCondition(node: JsonataNode, before: Arrival, holds: boolean): Arrival {
  if (node.type === 'block' && node.expressions?.length === 1)
    return assumeCondition(node.expressions[0] as JsonataNode, before, holds)
  if (node.type === 'function') {
    const [first] = node['arguments'] as readonly JsonataNode[]
    const name = calledName(node)
    if (first === undefined) return before
    if (name === 'not') return assumeCondition(first, before, !holds)
    return name === 'exists' ? assumeFound(first, before, holds) : before
  }
  if (node.type !== 'binary') return before
  const [left, right] = [node.lhs as JsonataNode, node.rhs as JsonataNode]
  // both sides are known only of an "and" that holds, and of an "or" that does not
  if (node.value === (holds ? 'and' : 'or'))
    return assumeCondition(right, assumeCondition(left, before, holds), holds)
  // nothing equals a literal but what is there
  const literal = ['string', 'number', 'value'].includes(right.type)
  return node.value === '=' && literal && holds ? assumeFound(left, before, true) : before
}

function assumeFound(node: JsonataNode, before: Arrival, present: boolean): Arrival {
  const path = toJsonataPath(node)
  if (path?.root.kind !== 'variable') return before
  const [first, ...rest] = path.steps
  const ofInput = path.root.name === 'states' && first?.kind === 'field' && first.name === 'input'
  if (path.root.name === 'states' && !ofInput) return before
  const steps = ofInput ? rest : [{ kind: 'field', name: path.root.name } as const, ...path.steps]
  const from = ofInput ? before.data : before.variables
  const { presence, missing } = readSteps(from, steps)
  // what is decided already says nothing new, and of the elements of lists nothing is remembered
  const open = presence === 'unknown' || (presence === 'sometimes' && missing !== undefined)
  if (!open || steps.some(step => step.kind !== 'field')) return before
  const after = assumePresence(from, steps, present)
  return ofInput ? { ...before, data: after } : { ...before, variables: after }
}
