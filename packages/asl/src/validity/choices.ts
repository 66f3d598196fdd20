import { isPlaceholder } from '../expressions/placeholder.ts'
import { comparisonOperands } from '../facts/states.ts'
import { isArray, isObject } from '../json.ts'
import type { Json, JsonObject } from '../language.ts'
import { type Pointer, under } from '../source/pointer.ts'
import type { FieldCheck, ValidityContext } from './context.ts'
import { anything, boolean, jsonataTemplate, number, path, text, timestamp } from './fields.ts'
import { checkOf, type ObjectFields, withFields } from './object-fields.ts'
import { assign } from './variables.ts'

const anyNumber = number({ least: Number.NEGATIVE_INFINITY, whole: false })

const operandChecks: Readonly<Record<string, FieldCheck>> = {
  string: text,
  number: anyNumber,
  timestamp,
  boolean,
  path,
}

/** The fields that a rule may have; which of them go together is checked below. */
const ruleFields: ObjectFields = {
  both: { Next: text, Comment: text, Assign: assign },
  JSONPath: Object.fromEntries(
    ['Variable', ...comparisonOperands.keys(), 'And', 'Or', 'Not'].map(name => [name, anything]),
  ),
  JSONata: { Condition: anything, Output: anything },
}

export const choices: FieldCheck = withFields((value, pointer, context) => {
  if (isPlaceholder(value)) return
  if (!isArray(value)) return context.report('valid/field-value', pointer, 'The value must be an array.')
  if (value.length === 0) context.report('valid/field-value', pointer, 'Value cannot be empty')
  for (const [index, rule] of value.entries()) checkRule(rule, under(pointer, index), context)
}, ruleFields)

function checkRule(rule: Json, pointer: Pointer, context: ValidityContext): void {
  if (!isObject(rule)) {
    context.report('valid/choice-rule', pointer, 'A choice rule must be an object.')
    return
  }
  if (!Object.hasOwn(rule, 'Next')) {
    context.report('valid/required-field', pointer, "The field 'Next' is required but was missing")
  } else if (typeof rule['Next'] !== 'string') text(rule['Next'] as Json, under(pointer, 'Next'), context)
  if (rule['Assign'] !== undefined) assign(rule['Assign'], under(pointer, 'Assign'), context)
  if (context.language === 'JSONata') checkCondition(rule, pointer, context)
  else checkTest(rule, pointer, context, true)
}

function checkCondition(rule: JsonObject, pointer: Pointer, context: ValidityContext): void {
  const condition = rule['Condition']
  if (condition === undefined) {
    context.report('valid/required-field', pointer, "The field 'Condition' is required but was missing")
  } else if (typeof condition === 'string') jsonataTemplate(condition, under(pointer, 'Condition'), context)
  else if (typeof condition !== 'boolean') {
    context.report(
      'valid/field-value',
      under(pointer, 'Condition'),
      'The value must be true, false or a JSONata expression.',
    )
  }
  if (rule['Output'] !== undefined) jsonataTemplate(rule['Output'], under(pointer, 'Output'), context)
  for (const key of Object.keys(rule)) {
    if (checkOf(ruleFields, key, 'JSONata') === undefined) unknownField(key, pointer, context)
  }
}

function unknownField(key: string, pointer: Pointer, context: ValidityContext): void {
  context.report('valid/unknown-field', under(pointer, key), `The field '${key}' is not supported here`, {
    at: 'key',
  })
}

function checkTest(test: Json | undefined, pointer: Pointer, context: ValidityContext, top: boolean): void {
  if (!isObject(test)) {
    context.report('valid/choice-rule', pointer, 'A choice rule must be an object.')
    return
  }
  if (!top && Object.hasOwn(test, 'Next')) {
    context.report('valid/choice-rule', under(pointer, 'Next'), 'Only the outermost rule may have Next.', {
      at: 'key',
    })
  }
  const operators = Object.keys(test).filter(
    key => comparisonOperands.has(key) || key === 'And' || key === 'Or' || key === 'Not',
  )
  for (const key of Object.keys(test)) {
    const known = operators.includes(key) || key === 'Variable' || key === 'Comment' || key === 'Next'
    if (!known && !(top && key === 'Assign')) unknownField(key, pointer, context)
  }
  const operator = operators[0]
  if (operator === undefined) {
    context.report('valid/choice-rule', pointer, 'A choice rule needs one comparison, or And, Or, Not.')
    return
  }
  if (operators.length > 1) {
    const message = `A choice rule has one operator, not ${operators.join(' and ')}.`
    context.report('valid/choice-rule', under(pointer, operators[1] as string), message, { at: 'key' })
  }
  checkOperator(test, operator, pointer, context)
}

function checkOperator(test: JsonObject, operator: string, pointer: Pointer, context: ValidityContext): void {
  const operand = test[operator] as Json
  const at = under(pointer, operator)
  if (operator === 'Not') {
    checkTest(operand, at, context, false)
    return
  }
  if (operator === 'And' || operator === 'Or') {
    if (!isArray(operand) || operand.length === 0) {
      context.report('valid/choice-rule', at, `${operator} needs an array of rules that is not empty.`)
      return
    }
    for (const [index, inner] of operand.entries()) checkTest(inner, under(at, index), context, false)
    return
  }
  operandChecks[comparisonOperands.get(operator) ?? '']?.(operand, at, context)
  const variable = test['Variable']
  if (variable === undefined) {
    context.report('valid/required-field', pointer, "The field 'Variable' is required but was missing")
  } else if (!isPlaceholder(variable)) path(variable, under(pointer, 'Variable'), context)
}
