import { parseIntrinsic } from '../expressions/intrinsic.ts'
import { jsonataExpression } from '../expressions/jsonata.ts'
import { parsePath } from '../expressions/path.ts'
import { isPlaceholder } from '../expressions/placeholder.ts'
import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'
import { type StateNode, statesOf } from '../machine/machine.ts'
import { type Pointer, under } from '../source/pointer.ts'
import type { CheckContext } from './context.ts'

const templates = ['Parameters', 'ResultSelector', 'ItemSelector', 'Assign', 'Result']

/** In JSONPath, only keys that end in `.$` are evaluated: elsewhere a path or an expression is passed on as text. */
export function checkTexts(context: CheckContext): void {
  for (const state of statesOf(context.machine)) {
    if (state.language !== 'JSONPath') continue
    for (const field of templates) {
      const value = state.fields[field]
      if (value !== undefined) visit(value, under(state.pointer, field), state, context)
    }
  }
}

function visit(value: Json, pointer: Pointer, state: StateNode, context: CheckContext): void {
  if (isArray(value))
    for (const [index, item] of value.entries()) visit(item, under(pointer, index), state, context)
  else if (isObject(value)) {
    for (const [key, field] of Object.entries(value))
      if (!key.endsWith('.$')) visit(field, under(pointer, key), state, context)
  } else if (typeof value === 'string') {
    const suggestion = adviceFor(value, pointer)
    if (suggestion !== undefined)
      context.report('flow/expression-as-text', pointer, `"${value}" is passed on as it stands, as text.`, {
        suggestion,
      })
  }
}

function adviceFor(text: string, pointer: Pointer): string | undefined {
  if (isPlaceholder(text)) return undefined
  if (jsonataExpression(text) !== undefined) return 'Give the state "QueryLanguage": "JSONata".'
  const isPath = /^\$\$?[.[]/.test(text) && typeof parsePath(text) !== 'string'
  const isCall = /^States\.\w+\(/.test(text) && typeof parseIntrinsic(text) !== 'string'
  return isPath || isCall ? `Call the key "${pointer.at(-1)}.$".` : undefined
}
