import type { MapState, QueryLanguage } from '@stepwright/asl'
import { type MapItem, scopeOf, type Thread } from '../execution/thread.ts'
import { compileJsonata, expectType } from '../expressions/jsonata-template.ts'
import { compileTemplate } from '../expressions/template.ts'
import { evaluationFailure, runtimeFailure } from '../failures/state-failure.ts'
import { jsonataScope } from '../flow/jsonata-flow.ts'
import { isArray, type Json } from '../json.ts'
import { chain, type MaybePromise } from '../maybe-promise.ts'
import { compileReference, findRequired } from '../reference.ts'

export type ItemList = (thread: Thread, input: Json) => MaybePromise<readonly Json[]>

/** Where a Map without an ItemReader finds its items. */
export function compileItems(state: MapState, language: QueryLanguage): ItemList {
  const list = language === 'JSONata' ? compileJsonataItems(state) : compileItemsPath(state.ItemsPath ?? '$')
  return (thread, input) =>
    chain(list(thread, input), items => {
      if (language === 'JSONPath') thread.execution.observer?.see('afterItemsPath', items)
      return items
    })
}

function compileItemsPath(path: string): ItemList {
  const reference = compileReference(path)
  return (thread, input) => {
    const found = findRequired(reference, scopeOf(thread, input))
    if (!isArray(found))
      throw runtimeFailure(`Reference path "${path.replace(/^\$\$/, '$')}" must point to array.`)
    return found
  }
}

function compileJsonataItems(state: MapState): ItemList {
  const { Items } = state
  if (Items === undefined) {
    return (_thread, input) => {
      if (isArray(input)) return input
      throw evaluationFailure(`Map state input must be an array but was: ${JSON.stringify(input)}`)
    }
  }
  const evaluate = compileJsonata(Items, 'Items')
  return (thread, input) =>
    chain(
      evaluate(jsonataScope(thread, input)),
      value => expectType(Items, 'Items', ['array'], value) as readonly Json[],
    )
}

export type SelectItem = (thread: Thread, input: Json, item: MapItem) => MaybePromise<Json>

/** What an iteration is given: the item, or what ItemSelector makes of it. */
export function compileItemSelector(state: MapState, language: QueryLanguage): SelectItem {
  const template = state.ItemSelector ?? (language === 'JSONPath' ? state.Parameters : undefined)
  if (template === undefined) return (_thread, _input, item) => item.value
  if (language === 'JSONata') {
    const evaluate = compileJsonata(template, 'ItemSelector')
    return (thread, input, item) => evaluate(jsonataScope({ ...thread, item }, input))
  }
  const evaluate = compileTemplate(template)
  return (thread, input, item) => evaluate(scopeOf({ ...thread, item }, input))
}
