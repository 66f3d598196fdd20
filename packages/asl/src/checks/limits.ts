import { shapeOfSchema } from '../flow/from-schema.ts'
import type { Shape } from '../flow/shape.ts'
import { isObject } from '../json.ts'
import { findFailurePaths } from '../machine/failure-paths.ts'
import { type Scope, type StateNode, statesOf } from '../machine/machine.ts'
import { integrationOf } from '../machine/resource.ts'
import type { CheckContext } from './context.ts'
import type { FlowFacts } from './flow.ts'
import { firstMatch, maxAttemptsOf } from './raised.ts'

export interface LimitOptions {
  readonly express: boolean
}

const payloadBytes = 262_144
const mostEvents = 25_000
const expressSeconds = 300

/** What Step Functions allows in size, number and time. */
export const checkLimits = (
  context: CheckContext,
  facts: FlowFacts,
  fields: { readonly [name: string]: unknown },
  options: LimitOptions,
): void => {
  const timeout = typeof fields['TimeoutSeconds'] === 'number' ? fields['TimeoutSeconds'] : undefined
  if (fields['TimeoutSeconds'] === undefined && !options.express) {
    context.report(
      'limits/missing-timeout',
      [],
      'The machine has no TimeoutSeconds: an execution that hangs lives for a year.',
      {
        suggestion: 'Give the machine a TimeoutSeconds.',
      },
    )
  }
  for (const state of statesOf(context.machine)) {
    const limit = timeLimitOf(state, timeout, options)
    if (limit !== undefined) checkRetryTime(state, limit, context)
    if (state.type === 'Task') checkTask(state, context)
    if (state.type === 'Map') checkMap(state, facts.items.get(state), context)
  }
  checkRows(context, facts)
}

interface TimeLimit {
  readonly seconds: number
  readonly of: string
}

/** The time within which a state must be done, all retries included. */
const timeLimitOf = (
  state: StateNode,
  timeout: number | undefined,
  options: LimitOptions,
): TimeLimit | undefined => {
  for (let scope: Scope | undefined = state.scope; scope !== undefined; scope = scope.owner?.scope) {
    if (scope.kind !== 'distributed') continue
    const config = scope.owner?.fields['ItemProcessor']
    const processor = isObject(config) ? config['ProcessorConfig'] : undefined
    const express = isObject(processor) && processor['ExecutionType'] === 'EXPRESS'
    return express ? { seconds: expressSeconds, of: 'an Express child workflow' } : undefined
  }
  if (timeout !== undefined) return { seconds: timeout, of: 'the machine' }
  return options.express ? { seconds: expressSeconds, of: 'an Express workflow' } : undefined
}

const checkRetryTime = (state: StateNode, limit: TimeLimit, context: CheckContext): void => {
  const attempt = typeof state.fields['TimeoutSeconds'] === 'number' ? state.fields['TimeoutSeconds'] : 0
  for (const retrier of state.retriers) {
    const seconds = worstCase(retrier.fields, maxAttemptsOf(retrier), attempt, limit.seconds)
    if (seconds <= limit.seconds) continue
    const message = `All attempts together can take more than the ${limit.seconds} s that ${limit.of} has.`
    context.report('limits/retry-exceeds-timeout', retrier.pointer, message, {
      suggestion: 'Retry less often, wait less, or shorten the timeout of one attempt.',
    })
    return
  }
}

/** The waits of a retrier and the attempts around them; counting stops once past the limit. */
const worstCase = (
  fields: { readonly [name: string]: unknown },
  attempts: number,
  attemptSeconds: number,
  limit: number,
): number => {
  const interval = typeof fields['IntervalSeconds'] === 'number' ? fields['IntervalSeconds'] : 1
  const rate = typeof fields['BackoffRate'] === 'number' ? fields['BackoffRate'] : 2
  const most =
    typeof fields['MaxDelaySeconds'] === 'number' ? fields['MaxDelaySeconds'] : Number.POSITIVE_INFINITY
  let total = attemptSeconds
  let delay = interval
  for (let attempt = 0; attempt < attempts && total <= limit; attempt++) {
    total += Math.min(delay, most) + attemptSeconds
    delay *= rate
  }
  return total
}

const checkTask = (state: StateNode, context: CheckContext): void => {
  const { wait, kind } = integrationOf(state.fields['Resource'])
  const heartbeat = ['HeartbeatSeconds', 'HeartbeatSecondsPath'].find(
    field => state.fields[field] !== undefined,
  )
  const canBeat = wait === 'callback' || kind === 'unknown'
  if (
    heartbeat !== undefined &&
    (!canBeat || (kind === 'unknown' && context.findContract(state) !== undefined))
  ) {
    const message =
      'Nothing sends a heartbeat for this task, so it fails when the time is over: only callbacks and activities can.'
    context.report('limits/heartbeat-never-sent', [...state.pointer, heartbeat], message, {
      at: 'key',
      suggestion: `Remove ${heartbeat}, and let TimeoutSeconds end the task.`,
    })
  }
  const timed = ['TimeoutSeconds', 'TimeoutSecondsPath', 'HeartbeatSeconds', 'HeartbeatSecondsPath']
  if (wait === 'callback' && !timed.some(field => state.fields[field] !== undefined)) {
    const message = `"${state.name}" waits for an answer that may never come.`
    context.report('limits/callback-without-timeout', [...state.pointer, 'Resource'], message, {
      suggestion: 'Give it a TimeoutSeconds or a HeartbeatSeconds.',
    })
  }
}

const checkMap = (state: StateNode, items: Shape | undefined, context: CheckContext): void => {
  const scope = state.inner[0]
  if (scope === undefined) return
  if (scope.kind === 'distributed') {
    checkMapResults(state, context)
    checkTolerance(state, scope, context)
  } else checkEvents(state, scope, items, context)
}

const checkMapResults = (state: StateNode, context: CheckContext): void => {
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
    path === undefined ? state.pointer : [...state.pointer, 'ResultPath'],
    message,
    {
      at: 'key',
      suggestion: 'Write them to S3 with ResultWriter, or drop them with "ResultPath": null.',
    },
  )
}

const checkTolerance = (state: StateNode, scope: Scope, context: CheckContext): void => {
  const fields = [
    'ToleratedFailurePercentage',
    'ToleratedFailureCount',
    'ToleratedFailurePercentagePath',
    'ToleratedFailureCountPath',
  ]
  const given = fields.find(field => state.fields[field] !== undefined)
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
  context.report('limits/tolerance-unreachable', [...state.pointer, given], message, {
    at: 'key',
    suggestion:
      'End the failure path with a Fail state, so that the item counts as failed, or remove the tolerance.',
  })
}

const checkEvents = (
  state: StateNode,
  scope: Scope,
  items: Shape | undefined,
  context: CheckContext,
): void => {
  const array = items?.kind === 'known' ? items.array : undefined
  if (array?.mostItems === undefined || array.tuple !== undefined) return
  const each = eventsOf(scope) + 2
  if (array.mostItems * each <= mostEvents) return
  const howMany =
    array.mostItems === Number.POSITIVE_INFINITY ? 'Any number of items' : `${array.mostItems} items`
  const message = `${howMany} with ${each} events each can pass the ${mostEvents} events that an execution may have.`
  context.report('limits/inline-map-events', state.pointer, message, {
    at: 'key',
    suggestion: 'Use a Distributed Map, or give the array a maxItems in its schema.',
  })
}

/** The history events of one pass through the scope, at least. */
const eventsOf = (scope: Scope): number => {
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

/** Lists without a known end that a Map takes from the payload, or that a task leaves there. */
const checkRows = (context: CheckContext, facts: FlowFacts): void => {
  let read = false
  for (const [state, items] of facts.items) {
    const bytes = rowBytes(items)
    if (bytes === undefined || bytes <= payloadBytes) continue
    read = true
    const field = ['ItemsPath', 'Items'].find(name => state.fields[name] !== undefined)
    const pointer = field === undefined ? state.pointer : [...state.pointer, field]
    context.report(
      'limits/rows-in-payload',
      pointer,
      `The rows that the Map takes from the payload ${passes(bytes)}.`,
      {
        at: field === undefined ? 'key' : 'value',
        suggestion: 'Let the Map read them from S3 with an ItemReader.',
      },
    )
  }
  if (read) return
  for (const state of statesOf(context.machine)) {
    const contract = context.findContract(state)
    const { ResultPath: path, ResultSelector: selector, Output: output } = state.fields
    if (contract?.output === undefined || path === null || selector !== undefined || output !== undefined)
      continue
    const bytes = largestRows(shapeOfSchema(contract.output, { kind: 'schema', text: 'its output' }))
    if (bytes === undefined || bytes <= payloadBytes) continue
    const message = `The rows in the result of "${contract.name}" ${passes(bytes)}.`
    context.report(
      'limits/rows-in-payload',
      path === undefined ? state.pointer : [...state.pointer, 'ResultPath'],
      message,
      {
        at: 'key',
        suggestion: 'Return where the rows are, not the rows; or give the array a maxItems in the schema.',
      },
    )
  }
}

const passes = (bytes: number): string =>
  bytes === Number.POSITIVE_INFINITY
    ? 'have no known end, and 256 KiB is the most'
    : `can take about ${Math.ceil(bytes / 1024)} KiB, and 256 KiB is the most`

/** About how much an array of objects can take; `undefined` for what is no such array. */
const rowBytes = (shape: Shape): number | undefined => {
  if (shape.kind === 'unknown' || shape.array === undefined || shape.array.tuple !== undefined)
    return undefined
  const { items, mostItems } = shape.array
  if (
    mostItems === undefined ||
    items.kind === 'unknown' ||
    !(items.types.has('object') || items.types.has('array'))
  )
    return undefined
  return mostItems * typicalBytes(items)
}

const largestRows = (shape: Shape): number | undefined => {
  if (shape.kind === 'unknown') return undefined
  const fields = [...(shape.object?.fields.values() ?? [])].map(field => largestRows(field.shape))
  const found = [rowBytes(shape), ...fields].filter(bytes => bytes !== undefined)
  return found.length === 0 ? undefined : Math.max(...found)
}

/** A row's usual size: names, quotes and commas, and 16 characters for a text. */
const typicalBytes = (shape: Shape): number => {
  if (shape.kind === 'unknown') return 16
  if (shape.object) {
    return [...shape.object.fields].reduce(
      (sum, [name, field]) => sum + Buffer.byteLength(name) + 4 + typicalBytes(field.shape),
      2,
    )
  }
  if (shape.array) return 2 + Math.min(shape.array.mostItems ?? 10, 10) * typicalBytes(shape.array.items)
  return shape.types.has('string') ? 18 : 6
}
