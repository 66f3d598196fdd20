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
  /** What every result begins as: a copy that is filled in is cheaper than an object that grows. */
  const form: Record<string, Json> = {}
  const fields: { readonly key: string; readonly evaluate: Evaluate }[] = []
  for (const [name, value] of entries) {
    const isReference = name.endsWith('.$') && typeof value === 'string'
    const key = isReference ? name.slice(0, -2) : name
    const evaluate = isReference ? compileDynamicField(name, value) : compileNode(value)
    if (evaluate !== undefined) fields.push({ key, evaluate })
    define(form, key, evaluate === undefined ? value : null)
  }
  if (fields.length === 0) return undefined
  return scope => {
    const result = { ...form }
    for (const { key, evaluate } of fields) result[key] = evaluate(scope)
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
