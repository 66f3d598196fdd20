import jsonata from 'jsonata'
import { remember } from '../remember.ts'

/** A node of the tree that the jsonata library makes; only what the checker reads. */
export interface JsonataNode {
  readonly type: string
  readonly value?: unknown
  readonly steps?: readonly JsonataNode[]
  readonly stages?: readonly unknown[]
  readonly predicate?: readonly unknown[]
  readonly group?: unknown
  readonly lhs?: unknown
  readonly rhs?: unknown
  readonly expressions?: readonly JsonataNode[]
  readonly [key: string]: unknown
}

/** The expression between `{%` and `%}`, or `undefined` for a string that is none. */
export function jsonataExpression(text: string): string | undefined {
  return text.startsWith('{%') && text.endsWith('%}') && text.length >= 4 ? text.slice(2, -2) : undefined
}

/** What is nested deeper is not looked into: whoever walks such a tree runs out of stack. */
const maxDepth = 500
const unread: JsonataNode = { type: 'unread' }

/** The tree of an expression; a string says what is wrong with it. */
export const parseJsonata: (expression: string) => JsonataNode | string = remember(expression => {
  if (expression.trim() === '') return 'The expression is empty.'
  try {
    const tree = jsonata(expression).ast() as unknown as JsonataNode
    return findNewerOperator(tree, expression) ?? (isDeeper(tree, maxDepth) ? unread : tree)
  } catch (error) {
    if (error instanceof RangeError) return 'The expression is nested too deep to be read.'
    const problem = error as { message?: string; position?: number }
    const position = problem.position === undefined ? '' : ` (at character ${problem.position})`
    return `${problem.message ?? 'The expression cannot be read.'}${position}`
  }
})

function isDeeper(node: unknown, levels: number): boolean {
  if (typeof node !== 'object' || node === null) return false
  if (Array.isArray(node)) return node.some(inner => isDeeper(inner, levels))
  return levels === 0 || Object.values(node).some(inner => isDeeper(inner, levels - 1))
}

/** The name of the function that a node calls, without `$`. */
export function calledName(node: JsonataNode): string {
  const procedure = node['procedure'] as JsonataNode | undefined
  return procedure?.type === 'variable' ? String(procedure.value) : ''
}

const newerOperators = new Set(['??', '?:'])

/** Step Functions runs JSONata 2.0.6; the operators that came later are errors there, in these words. */
function findNewerOperator(node: unknown, expression: string): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  const { type, position } = node as { readonly type?: unknown; readonly position?: unknown }
  if (type === 'condition' && typeof position === 'number') {
    const operator = expression.slice(position - 2, position)
    if (newerOperators.has(operator))
      return `The symbol "${operator[1]}" cannot be used as a unary operator (at character ${position})`
  }
  for (const inner of Object.values(node)) {
    const found = findNewerOperator(inner, expression)
    if (found !== undefined) return found
  }
  return undefined
}

/** The variables that `$a := $b := …` binds. */
export function boundBy(node: JsonataNode): readonly string[] {
  const names: string[] = []
  for (let bind = node; bind.type === 'bind'; bind = bind.rhs as JsonataNode)
    names.push(String((bind.lhs as JsonataNode).value))
  return names
}
