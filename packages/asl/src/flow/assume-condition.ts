import { calledName, type JsonataNode } from '../expressions/jsonata.ts'
import type { PathStep } from '../expressions/syntax.ts'
import { readMapped } from './access.ts'
import type { Arrival } from './arrival.ts'
import { toJsonataPath } from './jsonata/path.ts'
import { assumePresence } from './refine.ts'
import type { Shape } from './shape.ts'

/** What is known once a JSONata condition has turned out true, or false; `undefined` where it never does. */
export function assumeCondition(node: JsonataNode, before: Arrival, holds: boolean): Arrival | undefined {
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
  if (node.value === (holds ? 'and' : 'or')) {
    const after = assumeCondition(left, before, holds)
    return after && assumeCondition(right, after, holds)
  }
  // nothing equals a literal but what is there
  const literal = ['string', 'number', 'value'].includes(right.type)
  return node.value === '=' && literal && holds ? assumeFound(left, before, true) : before
}

function assumeFound(node: JsonataNode, before: Arrival, present: boolean): Arrival | undefined {
  const path = toJsonataPath(node)
  if (path?.root.kind !== 'variable') return before
  const [first, ...rest] = path.steps
  const ofInput = path.root.name === 'states' && first?.kind === 'field' && first.name === 'input'
  if (path.root.name === 'states' && !ofInput) return before
  const steps = ofInput ? rest : [{ kind: 'field', name: path.root.name } as const, ...path.steps]
  const from = ofInput ? before.data : before.variables
  const { presence, missing } = readMapped(from, steps)
  if (presence === (present ? 'never' : 'always')) return undefined
  // of the elements of lists nothing is remembered, nor of what is not known to be an object
  const open = presence === 'unknown' || (presence === 'sometimes' && missing !== undefined)
  if (!open || steps.some(step => step.kind !== 'field') || (present && !isObjects(from, steps)))
    return before
  const after = assumePresence(from, steps, present)
  return ofInput ? { ...before, data: after } : { ...before, variables: after }
}

/** Whether each step leads from an object, and never from a list of them. */
function isObjects(from: Shape, steps: readonly PathStep[]): boolean {
  return steps.every((_, index) => {
    const { shape } = readMapped(from, steps.slice(0, index))
    return shape.kind === 'known' && !shape.types.has('array')
  })
}
