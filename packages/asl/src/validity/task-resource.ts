import { isPlaceholder } from '../expressions/placeholder.ts'
import type { FieldCheck } from './context.ts'
import { text } from './fields.ts'

const functionSuffix = /^arn:[\w-]+:lambda:[^:]*:[^:]*:function:(.*)$/
const functionName = /^[\w-]+(:(\$LATEST|[\w-]+))?$/

export const resource: FieldCheck = (value, pointer, context) => {
  text(value, pointer, context)
  if (typeof value !== 'string' || isPlaceholder(value)) return
  if (value === '') context.report('valid/field-value', pointer, 'Value cannot be empty')
  const named = functionSuffix.exec(value)?.[1]
  if (named !== undefined && !functionName.test(named)) {
    context.report(
      'valid/field-value',
      pointer,
      `"${named}" is not the name of a function, with an alias or a version at most`,
    )
  }
  const pattern = /\.(sync(?::2)?|waitForTaskToken)$/.exec(value)?.[1]
  if (context.express && pattern !== undefined) {
    const integration = pattern.startsWith('sync') ? '.sync' : '.waitForTaskToken'
    context.report(
      'valid/express',
      pointer,
      `Express state machine does not support '${integration}' service integration `,
    )
  }
}
