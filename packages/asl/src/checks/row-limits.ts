import type { TaskContract } from '@stepwright/task'
import { maxPayloadBytes } from '../facts/limits.ts'
import { outputOf } from '../flow/call-task.ts'
import type { Shape } from '../flow/shape.ts'
import { statesOf } from '../machine/machine.ts'
import { under } from '../source/pointer.ts'
import type { CheckContext } from './context.ts'
import type { FlowFacts } from './flow.ts'

/** Lists without a known end that a Map takes from the payload, or that a task leaves there. */
export function checkRows(context: CheckContext, facts: FlowFacts): void {
  let read = false
  for (const [state, items] of facts.items) {
    const bytes = rowBytes(items)
    if (bytes === undefined || bytes <= maxPayloadBytes) continue
    read = true
    const field = ['ItemsPath', 'Items'].find(name => state.fields[name] !== undefined)
    const pointer = field === undefined ? state.pointer : under(state.pointer, field)
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
  const rows = new Map<TaskContract, number | undefined>()
  for (const state of statesOf(context.machine)) {
    const contract = context.findContract(state)
    const { ResultPath: path, ResultSelector: selector, Output: output } = state.fields
    if (contract?.output === undefined || path === null || selector !== undefined || output !== undefined)
      continue
    if (!rows.has(contract)) rows.set(contract, maxRows(outputOf(contract)))
    const bytes = rows.get(contract)
    if (bytes === undefined || bytes <= maxPayloadBytes) continue
    const message = `The rows in the result of "${contract.name}" ${passes(bytes)}.`
    context.report(
      'limits/rows-in-payload',
      path === undefined ? state.pointer : under(state.pointer, 'ResultPath'),
      message,
      {
        at: 'key',
        suggestion: 'Return where the rows are, not the rows; or give the array a maxItems in the schema.',
      },
    )
  }
}

function passes(bytes: number): string {
  return bytes === Number.POSITIVE_INFINITY
    ? 'have no known end, and 256 KiB is the most'
    : `can take about ${Math.ceil(bytes / 1024)} KiB, and 256 KiB is the most`
}

/** About how much an array of objects can take; `undefined` for what is no such array. */
function rowBytes(shape: Shape): number | undefined {
  if (shape.kind === 'unknown' || shape.array === undefined || shape.array.tuple !== undefined)
    return undefined
  const { items, maxItems } = shape.array
  if (
    maxItems === undefined ||
    items.kind === 'unknown' ||
    !(items.types.has('object') || items.types.has('array'))
  )
    return undefined
  return maxItems * typicalBytes(items)
}

function maxRows(shape: Shape): number | undefined {
  if (shape.kind === 'unknown') return undefined
  const fields = [...(shape.object?.fields.values() ?? [])].map(field => maxRows(field.shape))
  const found = [rowBytes(shape), ...fields].filter(bytes => bytes !== undefined)
  return found.length === 0 ? undefined : Math.max(...found)
}

/** A row's usual size: names, quotes and commas, and 16 characters for a text. */
function typicalBytes(shape: Shape): number {
  if (shape.kind === 'unknown') return 16
  if (shape.object) {
    return [...shape.object.fields].reduce(
      (sum, [name, field]) => sum + Buffer.byteLength(name) + 4 + typicalBytes(field.shape),
      2,
    )
  }
  if (shape.array) return 2 + Math.min(shape.array.maxItems ?? 10, 10) * typicalBytes(shape.array.items)
  return shape.types.has('string') ? 18 : 6
}
