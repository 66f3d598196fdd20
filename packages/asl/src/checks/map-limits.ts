import { maxHistoryEvents } from '../facts/limits.ts'
import type { Shape } from '../flow/shape.ts'
import { isObject } from '../json.ts'
import { findFailurePaths } from '../machine/failure-paths.ts'
import { type Scope, type StateNode, toleranceFields } from '../machine/machine.ts'
import { under } from '../source/pointer.ts'
import type { CheckContext } from './context.ts'
import { firstMatch } from './raised.ts'

export function checkMap(state: StateNode, items: Shape | undefined, context: CheckContext): void {
  const scope = state.inner[0]
  if (scope === undefined) return
  if (scope.kind === 'distributed') {
    checkMapResults(state, context)
    checkTolerance(state, scope, context)
  } else checkEvents(state, scope, items, context)
}

function checkMapResults(state: StateNode, context: CheckContext): void {
  const { ResultWriter: writer, ResultPath: path, ResultSelector: selector, Output: output } = state.fields
  if (writer !== undefined || path === null || selector !== undefined) return
  if (
    state.language === 'JSONata' &&
    output !== undefined &&
    !JSON.stringify(output).includes('$states.result')
  )
    return
  const reader = state.fields['ItemReader']
  const config = isObject(reader) ? reader['ReaderConfig'] : undefined
  const most = isObject(config) ? config['MaxItems'] : undefined
  if (typeof most === 'number' && most > 0 && most <= 100) return
  const message =
    'The results of all items together must fit into 256 KiB, or the Map fails after all its work.'
  context.report(
    'limits/map-results',
    path === undefined ? state.pointer : under(state.pointer, 'ResultPath'),
    message,
    {
      at: 'key',
      suggestion: 'Write them to S3 with ResultWriter, or drop them with "ResultPath": null.',
    },
  )
}

function checkTolerance(state: StateNode, scope: Scope, context: CheckContext): void {
  const given = toleranceFields.find(field => state.fields[field] !== undefined)
  if (given === undefined) return
  const { handlers, region } = findFailurePaths(scope)
  const states = [...scope.states.values()]
  const canFail = states.some(each => {
    if (each.type === 'Fail') return true
    if (region.has(each) || handlers.has(each)) return false
    const works = each.type === 'Task' || each.type === 'Map' || each.type === 'Parallel'
    return works && firstMatch(each.catchers, 'any failure') === undefined
  })
  if (canFail || !states.some(each => each.catchers.length > 0)) return
  const message =
    'No failed item reaches this tolerance: every failure is caught inside, and its path ends as a success.'
  context.report('limits/tolerance-unreachable', under(state.pointer, given), message, {
    at: 'key',
    suggestion:
      'End the failure path with a Fail state, so that the item counts as failed, or remove the tolerance.',
  })
}

function checkEvents(state: StateNode, scope: Scope, items: Shape | undefined, context: CheckContext): void {
  const array = items?.kind === 'known' ? items.array : undefined
  if (array?.maxItems === undefined || array.tuple !== undefined) return
  const each = eventsOf(scope) + 2
  if (array.maxItems * each <= maxHistoryEvents) return
  const howMany =
    array.maxItems === Number.POSITIVE_INFINITY ? 'Any number of items' : `${array.maxItems} items`
  const message = `${howMany} with ${each} events each can pass the ${maxHistoryEvents} events that an execution may have.`
  context.report('limits/inline-map-events', state.pointer, message, {
    at: 'key',
    suggestion: 'Use a Distributed Map, or give the array a maxItems in its schema.',
  })
}

/** The history events of one pass through the scope, at least. */
function eventsOf(scope: Scope): number {
  const seen = new Set<StateNode>()
  let events = 0
  for (let state = scope.states.get(scope.startAt); state !== undefined && !seen.has(state); ) {
    seen.add(state)
    events += state.type === 'Task' ? 5 : 2
    for (const inner of state.inner) events += eventsOf(inner) + 1
    const next = state.edges.find(edge => edge.kind !== 'catch')
    state = next && scope.states.get(next.to)
  }
  return events
}
