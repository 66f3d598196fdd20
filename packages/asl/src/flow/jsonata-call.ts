import type { JsonataNode } from '../expressions/jsonata.ts'

/** The name of the function that a node calls, without `$`. */
export function calledName(node: JsonataNode): string {
  const procedure = node['procedure'] as JsonataNode | undefined
  return procedure?.type === 'variable' ? String(procedure.value) : ''
}
