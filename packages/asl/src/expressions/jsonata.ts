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

/** The tree of an expression; a string says what is wrong with it. */
export const parseJsonata: (expression: string) => JsonataNode | string = remember(expression => {
  if (expression.trim() === '') return 'The expression is empty.'
  try {
    return jsonata(expression).ast() as unknown as JsonataNode
  } catch (error) {
    const problem = error as { message?: string; position?: number }
    const position = problem.position === undefined ? '' : ` (at character ${problem.position})`
    return `${problem.message ?? 'The expression cannot be read.'}${position}`
  }
})
