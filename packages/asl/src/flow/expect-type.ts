import type { Pointer } from '../source/pointer.ts'
import type { TransferContext } from './arrival.ts'
import type { JsonType, Shape } from './shape.ts'

/** What the value of a field must be, in either query language. */
const fieldTypes: Readonly<Record<string, JsonType>> = {
  HeartbeatSeconds: 'number',
  Items: 'array',
  MaxConcurrency: 'number',
  Seconds: 'number',
  TimeoutSeconds: 'number',
  Timestamp: 'string',
  ToleratedFailureCount: 'number',
  ToleratedFailurePercentage: 'number',
}

/** Notes a value that is certainly not of the type that its field needs. */
export function expectType(shape: Shape, pointer: Pointer, context: TransferContext): void {
  const field = String(pointer.at(-1))
  const type = fieldTypes[field.replace(/Path$/, '')]
  if (type === undefined || shape.kind === 'unknown' || shape.types.has(type)) return
  // what a path leads to is read as a number also where it is text
  if (field.endsWith('Path') && type === 'number' && shape.types.has('string')) return
  // JSONata may take the fields of an object for items
  if (field === 'Items' && shape.types.has('object')) return
  context.onNote?.({
    rule: 'flow/wrong-type',
    pointer,
    message: `${field} needs a value of type ${type}, and this is of type ${[...shape.types].join(' or ')}.`,
    suggestion: 'Point it at another value, or convert it.',
  })
}
