import { closest } from '@stepwright/errors/spelling'
import { parseIntrinsic } from '../expressions/intrinsic.ts'
import { isReferencePath, parsePath } from '../expressions/path.ts'
import { isPlaceholder } from '../expressions/placeholder.ts'
import { isArray, isObject } from '../json.ts'
import type { Json, JsonObject } from '../language.ts'
import { type Pointer, under } from '../source/pointer.ts'
import type { FieldCheck, ValidityContext } from './context.ts'
import { jsonataText } from './jsonata-text.ts'

function wrong(context: ValidityContext, pointer: Pointer, message: string): void {
  context.report('valid/field-value', pointer, message)
}

export const anything: FieldCheck = () => {}

export const text: FieldCheck = (value, pointer, context) => {
  if (typeof value !== 'string') wrong(context, pointer, 'The value must be a string.')
}

export const boolean: FieldCheck = (value, pointer, context) => {
  if (typeof value !== 'boolean' && !isPlaceholder(value))
    wrong(context, pointer, 'The value must be true or false.')
}

const valuesOfChecks = new WeakMap<FieldCheck, readonly string[]>()

/** The values that a field may have, where there are only a few. */
export function valuesBehind(check: FieldCheck): readonly string[] | undefined {
  return valuesOfChecks.get(check)
}

export function oneOf(...allowed: readonly string[]): FieldCheck {
  const check: FieldCheck = (value, pointer, context) => {
    if (isPlaceholder(value) || (typeof value === 'string' && allowed.includes(value))) return
    const message = `The field '${pointer.at(-1)}' should have one of these values: [${allowed.join(', ')}]`
    const near = typeof value === 'string' ? closest(value, allowed) : undefined
    const suggestion = near === undefined ? undefined : `Did you mean '${near}'?`
    context.report('valid/field-value', pointer, message, { suggestion })
  }
  valuesOfChecks.set(check, allowed)
  return check
}

interface NumberRange {
  readonly least: number
  readonly most?: number
  readonly whole?: boolean
}

export function number({ least, most = Number.POSITIVE_INFINITY, whole = true }: NumberRange): FieldCheck {
  return (value, pointer, context) => {
    if (isPlaceholder(value)) return
    if (typeof value !== 'number' || (whole && !Number.isInteger(value))) {
      return wrong(context, pointer, `The value must be ${whole ? 'a whole number' : 'a number'}.`)
    }
    if (value < least) wrong(context, pointer, `The value must be at least ${least}.`)
    if (value > most) wrong(context, pointer, `The value must be at most ${most}.`)
  }
}

/** In JSONata states, an expression instead of the value. */
export function orExpression(check: FieldCheck): FieldCheck {
  return (value, pointer, context) => {
    if (context.language === 'JSONata' && typeof value === 'string' && value.startsWith('{%')) {
      return jsonataText(value, pointer, context)
    }
    check(value, pointer, context)
  }
}

/** JSONata: any JSON whose strings may be expressions. */
export const jsonataTemplate: FieldCheck = (value, pointer, context) => {
  if (typeof value === 'string') return jsonataText(value, pointer, context)
  forEachChild(value, pointer, (child, at) => jsonataTemplate(child, at, context))
}

function forEachChild(value: Json, pointer: Pointer, visit: (child: Json, pointer: Pointer) => void): void {
  if (isArray(value)) for (const [index, child] of value.entries()) visit(child, under(pointer, index))
  else if (isObject(value))
    for (const key of Object.keys(value)) visit(value[key] as Json, under(pointer, key))
}

/** JSONPath: any JSON, where keys that end in `.$` hold a path or an intrinsic function. */
export const payloadTemplate: FieldCheck = (value, pointer, context) => {
  if (typeof value !== 'object') return
  forEachChild(value, pointer, (child, at) => {
    const key = at.at(-1)
    if (typeof key !== 'string' || !key.endsWith('.$')) return payloadTemplate(child, at, context)
    if (Object.hasOwn(value as JsonObject, key.slice(0, -2))) {
      const message = `"${key}" and "${key.slice(0, -2)}" set the same field.`
      context.report('valid/exclusive-fields', at, message, { at: 'key' })
    }
    pathOrIntrinsicAt(child, at, context)
  })
}

const pathOrIntrinsicAt: FieldCheck = (value, pointer, context) => {
  if (isPlaceholder(value)) return
  const reason = pathOrIntrinsicProblem(value)
  if (reason === undefined) return
  const message = `The value for the field '${pointer.at(-1)}' must be a valid JSONPath or a valid intrinsic function call`
  context.report('valid/path', pointer, message, { suggestion: reason })
}

function pathOrIntrinsicProblem(value: Json): string | undefined {
  if (typeof value !== 'string') return 'It must be a string.'
  const parsed = value.startsWith('$') ? parsePath(value) : parseIntrinsic(value)
  return typeof parsed === 'string' ? parsed : undefined
}

export const pathOrIntrinsic: FieldCheck = (value, pointer, context) =>
  pathOrIntrinsicAt(value, pointer, context)

export const path: FieldCheck = (value, pointer, context) => {
  if (isPlaceholder(value)) return
  const parsed = typeof value === 'string' ? parsePath(value) : 'It must be a string.'
  if (typeof parsed !== 'string') return
  const message = `The value for the field '${pointer.at(-1)}' must be a valid JSONPath`
  context.report('valid/path', pointer, message, { suggestion: parsed })
}

/** Where a Map's numbers come from: the state's input or a variable, but not the context object. */
export const inputPath: FieldCheck = (value, pointer, context) => {
  path(value, pointer, context)
  if (typeof value !== 'string' || !value.trimStart().startsWith('$$') || isPlaceholder(value)) return
  const message = `The value for the field '${pointer.at(-1)}' must be a valid JSONPath`
  const suggestion = 'It is read from the input of the state: the context object ($$) is not available here.'
  context.report('valid/path', pointer, message, { suggestion })
}

export function orNull(check: FieldCheck): FieldCheck {
  return (value, pointer, context) => {
    if (value !== null) check(value, pointer, context)
  }
}

/** Where a result may be written. */
export const referencePath: FieldCheck = (value, pointer, context) => {
  if (isPlaceholder(value)) return
  const parsed = typeof value === 'string' ? parsePath(value) : ''
  if (typeof parsed === 'string' || !isReferencePath(parsed)) {
    const message = `The value for the field '${pointer.at(-1)}' must be a valid Reference Path`
    const suggestion = 'Write it as $.field.other: no wildcard, filter, variable or $$ can be written to.'
    context.report('valid/path', pointer, message, { suggestion })
  }
}

const timestampPattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/

export const timestamp: FieldCheck = (value, pointer, context) => {
  if (isPlaceholder(value)) return
  const parts = typeof value === 'string' ? timestampPattern.exec(value) : null
  if (parts === null || Number.isNaN(Date.parse(value as string))) {
    wrong(context, pointer, 'String does not match RFC3339 timestamp')
  }
}

export const object: FieldCheck = (value, pointer, context) => {
  if (!isObject(value) && !isPlaceholder(value)) wrong(context, pointer, 'The value must be an object.')
}
