import { maxVariableNameCharacters } from '../facts/limits.ts'
import { isArray, isObject } from '../json.ts'
import type { Json, JsonObject, QueryLanguage } from '../language.ts'
import { under } from '../source/pointer.ts'
import type { FieldCheck, ValidityContext } from './context.ts'
import { jsonataTemplate, payloadTemplate } from './fields.ts'

/** An identifier of Unicode's Annex 31 (developer guide, "Passing data with variables"). */
const variableName = /^\p{ID_Start}\p{ID_Continue}*$/u

function variableOf(key: string, language: QueryLanguage): string {
  return language === 'JSONPath' && key.endsWith('.$') ? key.slice(0, -2) : key
}

/**
 * What the branches or items of a state may not assign: the variables of the states before it. Those of later states may
 * have the same names (recorded), and the items of a Distributed Map see none from outside.
 */
export function enterScope(context: ValidityContext, name: string, distributed: boolean): ValidityContext {
  if (distributed) return { ...context, outerVariables: new Set() }
  const assigned = context.siblings === undefined ? [] : assignedBefore(name, context.siblings, context)
  if (assigned.length === 0) return context
  return { ...context, outerVariables: new Set([...(context.outerVariables ?? []), ...assigned]) }
}

interface ScopeVariables {
  readonly assigned: ReadonlyMap<string, readonly string[]>
  readonly previous: ReadonlyMap<string, readonly string[]>
}

const scopeVariables = new WeakMap<JsonObject, ScopeVariables>()

function variablesOf(states: JsonObject, { machineLanguage }: ValidityContext): ScopeVariables {
  const known = scopeVariables.get(states)
  if (known !== undefined) return known
  const assigned = new Map<string, readonly string[]>()
  const previous = new Map<string, string[]>()
  for (const [name, state] of Object.entries(states)) {
    if (!isObject(state)) continue
    const language = state['QueryLanguage'] === 'JSONata' ? 'JSONata' : machineLanguage
    for (const part of [state, ...listOf(state['Catch']), ...listOf(state['Choices'])]) {
      const { Assign: variables, Next: next, Default: otherwise } = part
      if (isObject(variables)) {
        const names = Object.keys(variables).map(key => variableOf(key, language))
        assigned.set(name, [...(assigned.get(name) ?? []), ...names])
      }
      for (const target of [next, otherwise])
        if (typeof target === 'string') previous.set(target, [...(previous.get(target) ?? []), name])
    }
  }
  const found = { assigned, previous }
  scopeVariables.set(states, found)
  return found
}

function assignedBefore(name: string, states: JsonObject, context: ValidityContext): readonly string[] {
  const { assigned, previous } = variablesOf(states, context)
  if (assigned.size === 0) return []
  const before = new Set(previous.get(name))
  // what is added on the way is gone back from as well
  for (const each of before) for (const earlier of previous.get(each) ?? []) before.add(earlier)
  return [...before].flatMap(each => assigned.get(each) ?? [])
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject) : []
}

/** Assign: an object of variables. */
export const assign: FieldCheck = (value, pointer, context) => {
  if (!isObject(value)) return context.report('valid/field-value', pointer, 'The value must be an object.')
  for (const key of Object.keys(value)) {
    const name = variableOf(key, context.language)
    if (name === 'states' || !variableName.test(name) || name.length > maxVariableNameCharacters) {
      const message = `"${name}" cannot name a variable: a letter, then letters, digits and _, at most ${maxVariableNameCharacters}, not "states"`
      context.report('valid/field-value', under(pointer, key), message, { at: 'key' })
    } else if (context.outerVariables?.has(name)) {
      const message = `The variable "${name}" is assigned outside of this branch or item processor, which cannot assign it too.`
      const suggestion = 'Give it another name, and pass it on with Output.'
      context.report('valid/field-value', under(pointer, key), message, { at: 'key', suggestion })
    }
  }
  if (context.language === 'JSONata') jsonataTemplate(value, pointer, context)
  else payloadTemplate(value, pointer, context)
}
