import type { JsonataNode } from '../expressions/jsonata.ts'
import type { ParsedPath, PathStep } from '../expressions/syntax.ts'
import { type Access, readSteps, shortList } from './access.ts'
import type { Environment } from './environment.ts'
import { type Shape, unknown } from './shape.ts'

/** A plain way from a variable through fields and fixed indexes, `$states.input.rows[0].id`; anything else is none. */
export function toJsonataPath(node: JsonataNode): ParsedPath | undefined {
  const nodes = node.type === 'path' ? (node.steps ?? []) : [node]
  const [first] = nodes
  if (
    first?.type !== 'variable' ||
    typeof first.value !== 'string' ||
    first.value === '' ||
    first.value === '$'
  )
    return undefined
  const steps: PathStep[] = []
  for (const step of nodes) {
    if (step !== first) {
      if (step.type !== 'name' || typeof step.value !== 'string') return undefined
      steps.push({ kind: 'field', name: step.value })
    }
    const indexes = indexesOf(step)
    if (indexes === undefined || step.group !== undefined || step['keepArray'] !== undefined) return undefined
    steps.push(...indexes)
  }
  if (node.type === 'path' && (node['group'] !== undefined || node['keepSingletonArray'] !== undefined))
    return undefined
  return {
    text: `$${first.value}${steps.map(writeStep).join('')}`,
    root: { kind: 'variable', name: first.value },
    steps,
    definite: true,
  }
}

function writeStep(step: PathStep): string {
  return step.kind === 'field' ? `.${step.name}` : step.kind === 'index' ? `[${step.index}]` : ''
}

/** The `[0]`s behind a step; `undefined` where there is a filter of another kind. */
function indexesOf(step: JsonataNode): readonly PathStep[] | undefined {
  const steps: PathStep[] = []
  for (const stage of [...(step.stages ?? []), ...(step.predicate ?? [])]) {
    const { type, expr } = stage as { readonly type?: unknown; readonly expr?: JsonataNode }
    if (type !== 'filter' || expr?.type !== 'number' || !Number.isInteger(expr.value)) return undefined
    steps.push({ kind: 'index', index: expr.value as number })
  }
  return steps
}

const unknownAccess: Access = { shape: unknown, presence: 'unknown' }

export function readJsonataPath(path: ParsedPath, environment: Environment): Access {
  if (path.root.kind !== 'variable') return unknownAccess
  const { name } = path.root
  const [first, ...rest] = path.steps
  if (name !== 'states') return readMapped(environment.variables, [{ kind: 'field', name }, ...path.steps])
  if (first?.kind !== 'field') return unknownAccess
  if (first.name === 'input') return readMapped(environment.input, rest)
  if (first.name === 'context') return readMapped(environment.context(), rest)
  if (first.name === 'result' && environment.result !== undefined) return readMapped(environment.result, rest)
  if (first.name === 'errorOutput' && environment.errorOutput !== undefined)
    return readMapped(environment.errorOutput, rest)
  return unknownAccess
}

function readMapped(from: Shape, steps: readonly PathStep[]): Access {
  let shape = from
  let presence: Access['presence'] = 'always'
  let weak: Pick<Access, 'missing' | 'failedAt'> = {}
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index] as PathStep
    const access = step.kind === 'index' ? readItem(shape, step) : readFields(shape, step)
    if (access.presence === 'never') return { ...access, failedAt: index }
    if (access.presence === 'unknown' && presence !== 'sometimes') presence = 'unknown'
    if (access.presence === 'sometimes' && presence === 'always') {
      presence = 'sometimes'
      weak = { failedAt: index, ...(access.missing && { missing: access.missing }) }
    }
    shape = access.shape
  }
  return { shape, presence, ...weak }
}

/** JSONata reads a field of an array from each of its elements, so past an array nothing is promised. */
function readFields(shape: Shape, step: PathStep): Access {
  const array = shape.kind === 'known' && shape.types.has('array') ? shape.array : undefined
  if (shape.kind === 'unknown' || array === undefined) return readSteps(shape, [step])
  if (shape.types.size > 1) return unknownAccess
  if (array.maxItems === 0) return { shape: unknown, presence: 'never' }
  return array.tuple === undefined && array.minItems === 0
    ? { shape: unknown, presence: 'sometimes', missing: shortList }
    : unknownAccess
}

/** JSONata takes a value that is no array for an array of one. */
function readItem(shape: Shape, step: Extract<PathStep, { kind: 'index' }>): Access {
  if (shape.kind === 'unknown' || (shape.types.has('array') && shape.types.size > 1)) return unknownAccess
  if (shape.types.has('array')) return readSteps(shape, [step])
  return step.index === 0 || step.index === -1
    ? { shape, presence: 'always' }
    : { shape: unknown, presence: 'never' }
}
