import type { JsonataNode } from '../../expressions/jsonata.ts'
import type { ParsedPath, PathStep } from '../../expressions/syntax.ts'
import { type Access, readMapped, unknownAccess } from '../access.ts'
import type { Environment } from '../environment.ts'
import type { JsonataScope } from './scope.ts'

/** The plain beginning of a path, from a variable through fields and fixed indexes, and what follows it. */
export interface PathStart {
  readonly path: ParsedPath
  /** The filters behind the last step of the beginning. */
  readonly stages: readonly unknown[]
  readonly rest: readonly JsonataNode[]
}

/** A plain way from a variable through fields and fixed indexes, `$states.input.rows[0].id`; anything else is none. */
export function toJsonataPath(node: JsonataNode): ParsedPath | undefined {
  const start = startOfPath(node)
  const plain = start !== undefined && start.rest.length === 0 && start.stages.length === 0
  const keeps = node.group !== undefined || node['keepSingletonArray'] !== undefined
  return plain && !keeps ? start.path : undefined
}

export function startOfPath(node: JsonataNode): PathStart | undefined {
  const nodes = node.type === 'path' ? (node.steps ?? []) : [node]
  const [first] = nodes
  if (first?.type !== 'variable' || first.value === '' || first.value === '$') return undefined
  const name = String(first.value)
  const steps: PathStep[] = []
  const startAt = (stages: readonly unknown[], rest: readonly JsonataNode[]): PathStart => ({
    path: {
      text: `$${name}${steps.map(writeStep).join('')}`,
      root: { kind: 'variable', name },
      steps,
      definite: true,
    },
    stages,
    rest,
  })
  for (const [index, step] of nodes.entries()) {
    if (index > 0) {
      if (step.type !== 'name' || typeof step.value !== 'string') return startAt([], nodes.slice(index))
      steps.push({ kind: 'field', name: step.value })
    }
    const stages = stagesOf(step)
    const indexes = stages.map(indexOf)
    const plain = indexes.indexOf(undefined)
    steps.push(...indexes.slice(0, plain === -1 ? undefined : plain).filter(each => each !== undefined))
    if (plain !== -1) return startAt(stages.slice(plain), nodes.slice(index + 1))
    if (step.group !== undefined || step['focus'] !== undefined || step['index'] !== undefined)
      return startAt([step], nodes.slice(index + 1))
  }
  return startAt([], [])
}

/** The `[…]` behind a step. */
export function stagesOf(step: JsonataNode): readonly unknown[] {
  return [...(step.stages ?? []), ...(step.predicate ?? [])]
}

/** `[0]`, if the stage is that. */
export function indexOf(stage: unknown): Extract<PathStep, { kind: 'index' }> | undefined {
  const { type, expr } = stage as { readonly type?: unknown; readonly expr?: JsonataNode }
  return type === 'filter' && expr?.type === 'number' && Number.isInteger(expr.value)
    ? { kind: 'index', index: expr.value as number }
    : undefined
}

function writeStep(step: PathStep): string {
  return step.kind === 'field' ? `.${step.name}` : step.kind === 'index' ? `[${step.index}]` : ''
}

/** What a path finds that begins at `$states` or at a variable of the machine. */
export function readJsonataPath(path: ParsedPath, environment: Environment): Access {
  if (path.root.kind !== 'variable') return unknownAccess
  const { name } = path.root
  if (name !== 'states') return readMapped(environment.variables, [{ kind: 'field', name }, ...path.steps])
  const [first, ...rest] = path.steps
  const root = first?.kind === 'field' ? statesField(first.name, environment) : undefined
  return root === undefined ? unknownAccess : readMapped(root, rest)
}

/**
 * Whether the value may be a sequence, which JSONata makes of a field of each element of a list, and which is no list any
 * more when one value is left of it.
 */
export function mayBeSequence(
  node: JsonataNode | undefined,
  { environment, locals }: Pick<JsonataScope, 'environment' | 'locals'>,
): boolean {
  if (node === undefined || (node.type === 'unary' && node.value === '[')) return false
  const path = toJsonataPath(node)
  if (path?.root.kind !== 'variable' || locals.has(path.root.name)) return true
  const ofStates = path.root.name === 'states'
  return path.steps.some((step, index) => {
    if (step.kind !== 'field' || (ofStates && index === 0)) return false
    const { shape } = readJsonataPath({ ...path, steps: path.steps.slice(0, index) }, environment)
    return shape.kind === 'unknown' || shape.types.has('array')
  })
}

function statesField(name: string, environment: Environment) {
  if (name === 'input') return environment.input
  if (name === 'context') return environment.context()
  if (name === 'result') return environment.result
  return name === 'errorOutput' ? environment.errorOutput : undefined
}
