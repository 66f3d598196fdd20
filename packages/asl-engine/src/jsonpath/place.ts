import { isArray, isObject, type Json } from '../json.ts'
import type { CompiledPath } from './path.ts'

/** Puts a value where a reference path points, leaving the original as it was; `undefined` if it cannot. */
export function placeAt(path: CompiledPath, root: Json, value: Json): Json | undefined {
  return place(path, 0, root, value)
}

function place(path: CompiledPath, position: number, node: Json | undefined, value: Json): Json | undefined {
  const step = path.steps[position]
  if (step === undefined) return value
  if (step.kind === 'field') {
    if (node !== undefined && !isObject(node)) return undefined
    const inner = place(
      path,
      position + 1,
      node !== undefined && Object.hasOwn(node, step.name) ? node[step.name] : undefined,
      value,
    )
    return inner === undefined ? undefined : { ...node, [step.name]: inner }
  }
  if (step.kind === 'index') {
    if (!isArray(node) || step.index >= node.length || step.index < 0) return undefined
    const inner = place(path, position + 1, node[step.index], value)
    return inner === undefined ? undefined : node.with(step.index, inner)
  }
  return undefined
}
