import type { MapState, QueryLanguage } from '@stepwright/asl'
import { mapItemTypes } from '@stepwright/asl/facts'
import { type MapItem, scopeOf, type Thread } from '../execution/thread.ts'
import { compileJsonata, expectType } from '../expressions/jsonata-template.ts'
import { compileTemplate } from '../expressions/template.ts'
import { evaluationFailure, runtimeFailure } from '../failures/state-failure.ts'
import { jsonataScope } from '../flow/jsonata-flow.ts'
import { type Json, typeName } from '../json.ts'
import { chain, type MaybePromise } from '../maybe-promise.ts'
import { compileReference, findRequired } from '../reference.ts'
import { type ItemChunk, toChunk } from './reader/item-chunk.ts'

export type ItemList = (thread: Thread, input: Json) => MaybePromise<ItemChunk>

type Mode = 'INLINE' | 'DISTRIBUTED'

/** Where items come from that no ItemReader read. */
const stateData = 'STATE_DATA'

/** Where a Map without an ItemReader finds its items. */
export function compileItems(state: MapState, language: QueryLanguage, mode: Mode): ItemList {
  const list =
    language === 'JSONata' ? compileJsonataItems(state, mode) : compileItemsPath(state.ItemsPath ?? '$', mode)
  return (thread, input) =>
    chain(list(thread, input), items => {
      if (language === 'JSONPath') thread.execution.observer?.see('afterItemsPath', items.values)
      return items
    })
}

function compileItemsPath(path: string, mode: Mode): ItemList {
  const reference = compileReference(path)
  return (thread, input) => {
    const found = findRequired(reference, scopeOf(thread, input))
    const chunk = isTaken(found, mode) ? toChunk(found, stateData) : undefined
    if (chunk !== undefined) return chunk
    throw runtimeFailure(`Reference path "${path.replace(/^\$\$/, '$')}" must point to array.`)
  }
}

/** An inline Map takes lists only; a Distributed one also takes an object, field by field. */
function isTaken(value: Json, mode: Mode): boolean {
  return (mapItemTypes[mode] as readonly string[]).includes(typeName(value))
}

function compileJsonataItems(state: MapState, mode: Mode): ItemList {
  const { Items } = state
  if (Items === undefined) {
    return (_thread, input) => {
      const chunk = isTaken(input, mode) ? toChunk(input, stateData) : undefined
      if (chunk !== undefined) return chunk
      throw evaluationFailure(`Map state input must be an array but was: ${JSON.stringify(input)}`)
    }
  }
  const evaluate = compileJsonata(Items, 'Items')
  return (thread, input) =>
    chain(
      evaluate(jsonataScope(thread, input)),
      value => toChunk(expectType(Items, 'Items', mapItemTypes[mode], value), stateData) as ItemChunk,
    )
}

/** Item number `at` of a chunk, as the context object shows it. */
export function itemOf({ values, keys, source }: ItemChunk, at: number, index: number): MapItem {
  const value = values[at] as Json
  const key = keys?.[at]
  return { index, value, key, source }
}

export type SelectItem = (thread: Thread, input: Json, item: MapItem) => MaybePromise<Json>

/** What an iteration is given without an ItemSelector: the item, or a field's name and value. */
export function plainItem({ key, value }: Pick<MapItem, 'key' | 'value'>): Json {
  return key === undefined ? value : { Key: key, Value: value }
}

export function plainItems({ values, keys }: ItemChunk): readonly Json[] {
  return keys === undefined ? values : values.map((value, at) => plainItem({ key: keys[at], value }))
}

/** What ItemSelector makes of an item. */
export function compileItemSelector(state: MapState, language: QueryLanguage): SelectItem | undefined {
  const template = state.ItemSelector ?? (language === 'JSONPath' ? state.Parameters : undefined)
  if (template === undefined) return undefined
  if (language === 'JSONata') {
    const evaluate = compileJsonata(template, 'ItemSelector')
    return (thread, input, item) => evaluate(jsonataScope(thread, input, {}, item))
  }
  const evaluate = compileTemplate(template)
  return (thread, input, item) => evaluate(scopeOf(thread, input, item))
}
