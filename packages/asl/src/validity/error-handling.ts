import { isPlaceholder } from '../expressions/placeholder.ts'
import { maxRetryDelaySeconds, maxSeconds } from '../facts/limits.ts'
import { isArray, isObject } from '../json.ts'
import { under } from '../source/pointer.ts'
import type { FieldCheck } from './context.ts'
import {
  jsonataTemplate,
  number,
  object,
  oneOf,
  orNull,
  payloadTemplate,
  referencePath,
  text,
} from './fields.ts'
import { listOf, type ObjectFields } from './object-fields.ts'
import { assign } from './variables.ts'

const errorEquals: FieldCheck = (value, pointer, context) => {
  if (isPlaceholder(value)) return
  if (!isArray(value) || value.length === 0) {
    return context.report(
      'valid/field-value',
      pointer,
      'The value must be an array of error names that is not empty.',
    )
  }
  for (const [index, name] of value.entries()) text(name, under(pointer, index), context)
}

const retrierFields: ObjectFields = {
  both: {
    ErrorEquals: errorEquals,
    Comment: text,
    IntervalSeconds: number({ least: 1, most: maxSeconds }),
    MaxAttempts: number({ least: 0, most: maxSeconds }),
    BackoffRate: number({ least: 1, whole: false }),
    MaxDelaySeconds: number({ least: 1, most: maxRetryDelaySeconds }),
    JitterStrategy: oneOf('FULL', 'NONE'),
  },
  required: ['ErrorEquals'],
}

const catcherFields: ObjectFields = {
  both: { ErrorEquals: errorEquals, Comment: text, Next: text, Assign: assign },
  JSONPath: { ResultPath: orNull(referencePath) },
  JSONata: { Output: jsonataTemplate },
  required: ['ErrorEquals', 'Next'],
}

export const retry: FieldCheck = listOf(retrierFields)
export const catchers: FieldCheck = listOf(catcherFields)

/** Credentials of a Task: a role, and nothing else. */
export const credentials: FieldCheck = (value, pointer, context) => {
  if (typeof value !== 'string' || context.language === 'JSONPath') object(value, pointer, context)
  if (isObject(value)) {
    const keys = Object.keys(value)
    if (!keys.some(key => key === 'RoleArn' || key === 'RoleArn.$'))
      context.report('valid/required-field', pointer, "The field 'RoleArn' is required but was missing")
    for (const key of keys.filter(name => name !== 'RoleArn' && name !== 'RoleArn.$'))
      context.report('valid/unknown-field', under(pointer, key), `The field '${key}' is not supported here`, {
        at: 'key',
      })
  }
  if (context.language === 'JSONata') jsonataTemplate(value, pointer, context)
  else payloadTemplate(value, pointer, context)
}
