import { maxVariableNameCharacters } from '../facts/limits.ts'
import { isObject } from '../json.ts'
import { under } from '../source/pointer.ts'
import type { FieldCheck } from './context.ts'
import { jsonataTemplate, payloadTemplate } from './fields.ts'

const variableName = /^[\p{L}_][\p{L}\p{Nd}_-]*$/u

/** Assign: an object of variables. */
export const assign: FieldCheck = (value, pointer, context) => {
  if (!isObject(value)) return context.report('valid/field-value', pointer, 'The value must be an object.')
  for (const key of Object.keys(value)) {
    const name = context.language === 'JSONPath' && key.endsWith('.$') ? key.slice(0, -2) : key
    if (name === 'states' || !variableName.test(name) || name.length > maxVariableNameCharacters) {
      const message = `"${name}" cannot name a variable: letters, digits and _, at most ${maxVariableNameCharacters}, not "states"`
      context.report('valid/field-value', under(pointer, key), message, { at: 'key' })
    }
  }
  if (context.language === 'JSONata') jsonataTemplate(value, pointer, context)
  else payloadTemplate(value, pointer, context)
}
