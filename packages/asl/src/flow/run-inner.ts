import { mapItemTypes } from '../facts/states.ts'
import { isObject } from '../json.ts'
import type { Json } from '../language.ts'
import type { StateNode } from '../machine/machine.ts'
import { under } from '../source/pointer.ts'
import { type Arrival, noVariables, type TransferContext, templateOrigin } from './arrival.ts'
import { contextObject, type MapItem } from './context-object.ts'
import type { Environment } from './environment.ts'
import { evaluateJsonata } from './evaluate-jsonata.ts'
import { evaluateTemplate, evaluateText } from './evaluate-template.ts'
import { expectTypes } from './expect-type.ts'
import { tupleOf } from './list.ts'
import { always, arrayOf, objectOf, type Shape, unknown } from './shape.ts'

export function runBranches(state: StateNode, arrival: Arrival, context: TransferContext): Shape | undefined {
  const results = state.inner.map(scope => context.runInner(scope, arrival, context.item))
  return results.every(result => result !== undefined) ? tupleOf(results) : undefined
}

export function runItems(
  state: StateNode,
  items: Shape,
  environment: Environment,
  arrival: Arrival,
  context: TransferContext,
): Shape | undefined {
  const scope = state.inner[0]
  if (scope === undefined) return unknown
  const distributed = scope.kind === 'distributed'
  context.onItems?.(state, items)
  readSettings(state, environment)
  expectItems(state, items, distributed, environment)
  const array = items.kind === 'known' ? items.array : undefined
  const value = array?.items ?? unknown
  const item: MapItem = { value }
  let contextShape: Shape | undefined
  const inner: Environment = {
    ...environment,
    context: () => {
      contextShape ??= contextObject(state, context.executionInput, item)
      return contextShape
    },
  }
  const selected = selectItem(state, value, inner)
  const batched = batchItems(state, selected, environment)
  const variables = distributed ? noVariables : arrival.variables
  // a child of a Distributed Map is an execution of its own, with a context object of its own
  const result = context.runInner(scope, { data: batched, variables }, distributed ? undefined : item)
  if (distributed && state.fields['ResultWriter'] !== undefined) return unknown
  return arrayOf(result ?? unknown, array?.maxItems, distributed ? undefined : array?.minItems)
}

function expectItems(state: StateNode, items: Shape, distributed: boolean, environment: Environment): void {
  const field = ['ItemsPath', 'Items'].find(name => state.fields[name] !== undefined)
  const pointer = field === undefined ? state.pointer : under(state.pointer, field)
  const accepted = mapItemTypes[distributed ? 'DISTRIBUTED' : 'INLINE']
  expectTypes(field ?? 'A Map', items, { accepted, pointer }, environment)
}

function selectItem(state: StateNode, value: Shape, environment: Environment): Shape {
  const field = state.fields['ItemSelector'] === undefined ? 'Parameters' : 'ItemSelector'
  const template = state.fields[field]
  if (template === undefined) return value
  const origin = templateOrigin(state, field)
  const at = under(state.pointer, field)
  return state.language === 'JSONata'
    ? evaluateJsonata(template, at, environment, origin)
    : evaluateTemplate(template, at, environment, origin)
}

function batchItems(state: StateNode, item: Shape, environment: Environment): Shape {
  const batcher = state.fields['ItemBatcher']
  if (!isObject(batcher)) return item
  const origin = templateOrigin(state, 'ItemBatcher')
  const fields = new Map([['Items', always(arrayOf(item))]])
  const at = under(state.pointer, 'ItemBatcher', 'BatchInput')
  if (batcher['BatchInput'] !== undefined) {
    const made =
      state.language === 'JSONata'
        ? evaluateJsonata(batcher['BatchInput'], at, environment, origin)
        : evaluateTemplate(batcher['BatchInput'], at, environment, origin)
    fields.set('BatchInput', always(made))
  }
  return objectOf(fields, origin)
}

/** What a Map's reader, writer and batcher read for themselves. */
function readSettings(state: StateNode, environment: Environment): void {
  const origin = templateOrigin(state, 'settings')
  const read = (value: Json | undefined, path: readonly string[]): void => {
    if (value === undefined) return
    const at = [...state.pointer, ...path]
    if (state.language === 'JSONata') evaluateJsonata(value, at, environment, origin)
    else if (path.at(-1)?.endsWith('Path')) evaluateText(value, at, environment)
    else evaluateTemplate(value, at, environment, origin)
  }
  for (const field of ['ItemReader', 'ResultWriter']) {
    const settings = state.fields[field]
    if (!isObject(settings)) continue
    for (const name of ['Parameters', 'Arguments']) read(settings[name], [field, name])
    const config = settings['ReaderConfig']
    if (isObject(config)) read(config['MaxItemsPath'], [field, 'ReaderConfig', 'MaxItemsPath'])
  }
  const batcher = state.fields['ItemBatcher']
  if (!isObject(batcher)) return
  for (const name of ['MaxItemsPerBatchPath', 'MaxInputBytesPerBatchPath'])
    read(batcher[name], ['ItemBatcher', name])
}
