import { closest } from '@stepwright/errors/spelling'
import { isPlaceholder } from '../expressions/placeholder.ts'
import { isArray, isObject } from '../json.ts'
import type { Json, JsonObject, QueryLanguage } from '../language.ts'
import { type Pointer, under } from '../source/pointer.ts'
import type { FieldCheck, ValidityContext } from './context.ts'

/** The fields that an object may have, by the query language that knows them. */
export interface ObjectFields {
  readonly both: Readonly<Record<string, FieldCheck>>
  readonly JSONPath?: Readonly<Record<string, FieldCheck>>
  readonly JSONata?: Readonly<Record<string, FieldCheck>>
  readonly required?: readonly string[]
  /** Groups of which at most one field may be given. */
  readonly exclusive?: readonly (readonly string[])[]
  /** Groups of which exactly one field must be given. */
  readonly exactlyOne?: readonly (readonly string[])[]
}

const fieldsOfChecks = new WeakMap<FieldCheck, ObjectFields>()

/** The fields of the object that a check is for, or of each object in its list. */
export function fieldsBehind(check: FieldCheck): ObjectFields | undefined {
  return fieldsOfChecks.get(check)
}

/** Says which fields the objects have that a check is for. */
export function withFields(check: FieldCheck, fields: ObjectFields): FieldCheck {
  fieldsOfChecks.set(check, fields)
  return check
}

export function objectWith(fields: ObjectFields): FieldCheck {
  return withFields((value, pointer, context) => {
    checkFields(value, fields, pointer, context)
  }, fields)
}

export function listOf(fields: ObjectFields): FieldCheck {
  return withFields((value, pointer, context) => {
    if (isPlaceholder(value)) return
    if (!isArray(value)) return context.report('valid/field-value', pointer, 'The value must be an array.')
    for (const [index, item] of value.entries()) checkFields(item, fields, under(pointer, index), context)
  }, fields)
}

/** Checks an object's fields; `false` when it is no object at all. */
export function checkFields(
  value: Json | undefined,
  fields: ObjectFields,
  pointer: Pointer,
  context: ValidityContext,
): value is JsonObject {
  if (!isObject(value)) {
    if (!isPlaceholder(value)) context.report('valid/field-value', pointer, 'The value must be an object.')
    return false
  }
  for (const key of Object.keys(value)) {
    const check = checkOf(fields, key, context.language)
    if (check !== undefined) check(value[key] as Json, under(pointer, key), context)
    else reportUnknown(key, fields, under(pointer, key), context)
  }
  for (const field of fields.required ?? []) {
    if (!Object.hasOwn(value, field)) {
      context.report('valid/required-field', pointer, `The field '${field}' is required but was missing`, {
        at: 'key',
      })
    }
  }
  for (const group of fields.exclusive ?? []) reportExclusive(value, group, pointer, context)
  for (const group of fields.exactlyOne ?? []) {
    if (reportExclusive(value, group, pointer, context) === 0) {
      const known = group.filter(field => checkOf(fields, field, context.language))
      const message = `One of these fields is required: [${known.join(', ')}]`
      context.report('valid/required-field', pointer, message, { at: 'key' })
    }
  }
  return true
}

/** A field may be called like what every object has: `constructor`. */
export function checkOf(fields: ObjectFields, key: string, language: QueryLanguage): FieldCheck | undefined {
  if (Object.hasOwn(fields.both, key)) return fields.both[key]
  const own = fields[language]
  return own !== undefined && Object.hasOwn(own, key) ? own[key] : undefined
}

/** How many fields of the group there are: more than one is a mistake. */
function reportExclusive(
  value: JsonObject,
  group: readonly string[],
  pointer: Pointer,
  context: ValidityContext,
): number {
  let found = 0
  for (const field of group) if (Object.hasOwn(value, field)) found += 1
  if (found < 2) return found
  const given = group.filter(field => Object.hasOwn(value, field))
  const message = `Only one of these fields may be given: [${given.join(', ')}]`
  context.report('valid/exclusive-fields', under(pointer, given[1] as string), message, { at: 'key' })
  return found
}

function reportUnknown(key: string, fields: ObjectFields, pointer: Pointer, context: ValidityContext): void {
  const other: QueryLanguage = context.language === 'JSONata' ? 'JSONPath' : 'JSONata'
  if (checkOf(fields, key, other) !== undefined) {
    const message = `The field '${key}' belongs to ${other}, but the query language here is ${context.language}`
    context.report('valid/query-language', pointer, message, { at: 'key' })
    return
  }
  const known = [...Object.keys(fields.both), ...Object.keys(fields[context.language] ?? {})]
  const near = closest(key, known)
  const suggestion = near === undefined ? undefined : `Did you mean '${near}'?`
  context.report('valid/unknown-field', pointer, `The field '${key}' is not supported here`, {
    at: 'key',
    suggestion,
  })
}
