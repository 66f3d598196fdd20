import { runtimeFailure } from '../failures/state-failure.ts'
import { compileIntrinsic } from '../intrinsics/evaluate.ts'
import { define, isArray, isObject, type Json } from '../json.ts'
import { compileReference } from '../reference.ts'
import type { Scope } from './scope.ts'

export type Evaluate = (scope: Scope) => Json

/** Compiles a JSONPath payload template: a key `name.$` takes its value from a path or an intrinsic function. */
export function compileTemplate(template: Json): Evaluate {
  const dynamic = compileNode(template)
  return dynamic ?? (() => template)
}

/** `undefined` for a part without any reference, which is then used as it is. */
function compileNode(template: Json): Evaluate | undefined {
  if (isArray(template)) return compileList(template)
  return isObject(template) ? compileFields(Object.entries(template)) : undefined
}

function compileList(template: readonly Json[]): Evaluate | undefined {
  const parts = template.map(compileNode)
  if (parts.every(part => part === undefined)) return undefined
  return scope => parts.map((part, index) => (part === undefined ? (template[index] as Json) : part(scope)))
}

function compileFields(entries: readonly [string, Json][]): Evaluate | undefined {
  let isDynamic = false
  const fields = entries.map(([key, value]): readonly [string, Json, Evaluate | undefined] => {
    const evaluate =
      key.endsWith('.$') && typeof value === 'string' ? compileDynamicField(key, value) : compileNode(value)
    if (evaluate === undefined) return [key, value, undefined]
    isDynamic = true
    return [key.endsWith('.$') && typeof value === 'string' ? key.slice(0, -2) : key, value, evaluate]
  })
  if (!isDynamic) return undefined
  return scope => {
    const result: Record<string, Json> = {}
    for (const [key, value, evaluate] of fields)
      define(result, key, evaluate === undefined ? value : evaluate(scope))
    return result
  }
}

function compileDynamicField(field: string, text: string): Evaluate {
  if (!text.startsWith('$')) return compileIntrinsic(text)
  const reference = compileReference(text)
  return scope => {
    const found = reference.find(scope)
    if (found !== undefined) return found
    throw runtimeFailure(
      `The JSONPath '${text}' specified for the field '${field}' could not be found in the input '${JSON.stringify(reference.subject(scope) ?? {})}'`,
    )
  }
}
