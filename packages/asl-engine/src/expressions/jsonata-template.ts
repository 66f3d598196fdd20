import jsonata from 'jsonata'
import { evaluationFailure, type StateFailure } from '../failures/state-failure.ts'
import { hash, partition, range, seededRandom } from '../intrinsics/functions.ts'
import { isArray, isObject, type Json, typeName } from '../json.ts'
import { isPromise, type MaybePromise } from '../maybe-promise.ts'
import type { Scope } from './scope.ts'

/** What `$states` offers besides the input and the context object. */
export interface StatesExtra {
  readonly result?: Json
  readonly errorOutput?: Json
}

export interface JsonataScope extends Scope {
  readonly extra: StatesExtra
  readonly nowMs: () => number
}

export type EvaluateJsonata = (scope: JsonataScope) => MaybePromise<Json>

const expressionPattern = /^\{%([\s\S]*)%\}$/

function isJsonataExpression(value: Json | undefined): value is string {
  return typeof value === 'string' && expressionPattern.test(value)
}

/** Compiles a JSONata template: every string `{% … %}` in it is an expression. */
export function compileJsonata(template: Json, field: string): EvaluateJsonata {
  return compileNode(template, field) ?? (() => template)
}

function compileNode(template: Json, field: string): EvaluateJsonata | undefined {
  if (isJsonataExpression(template)) return compileExpression(template, field)
  if (isArray(template)) {
    const parts = template.map((item, index) => compileNode(item, `${field}[${index}]`))
    return combine(parts, template, values => values)
  }
  if (!isObject(template)) return undefined
  const keys = Object.keys(template)
  const parts = keys.map(key => compileNode(template[key] as Json, `${field}/${key}`))
  return combine(parts, Object.values(template), values =>
    Object.fromEntries(keys.map((key, index) => [key, values[index] as Json])),
  )
}

function combine(
  parts: readonly (EvaluateJsonata | undefined)[],
  constants: readonly Json[],
  build: (values: readonly Json[]) => Json,
): EvaluateJsonata | undefined {
  if (parts.every(part => part === undefined)) return undefined
  return async scope => {
    const values: Json[] = []
    for (const [index, part] of parts.entries()) {
      const value = part === undefined ? (constants[index] as Json) : part(scope)
      values.push(isPromise(value) ? await value : value)
    }
    return build(values)
  }
}

function expressionText(template: string): string {
  return (expressionPattern.exec(template)?.[1] ?? template).trim()
}

function compileExpression(template: string, field: string): EvaluateJsonata {
  const text = expressionText(template)
  const expression = jsonata(text)
  return async scope => {
    let value: unknown
    try {
      value = await expression.evaluate(undefined, bindings(scope))
    } catch (error) {
      throw thrown(text, field, error)
    }
    if (value === undefined) {
      throw evaluationFailure(
        `The JSONata expression '${text}' specified for the field '${field}' returned nothing (undefined).`,
        field,
      )
    }
    return toPlain(value, text, field)
  }
}

/** `$now()` by the engine's clock, in every format that JSONata knows. */
const now = jsonata('$fromMillis($millis, $picture, $timezone)')

function bindings(scope: JsonataScope): Record<string, unknown> {
  return {
    ...functions(scope),
    ...scope.variables,
    states: { input: scope.input, context: scope.context(), ...scope.extra },
  }
}

function functions({ chance, nowMs }: JsonataScope): Record<string, unknown> {
  return {
    partition: (items?: readonly Json[], size?: number) =>
      items === undefined || size === undefined
        ? undefined
        : partition(isArray(items) ? items : [items], Math.trunc(size)),
    range: (first: number, last: number, step: number) => range(first, last, step),
    hash: (data: Json | undefined, algorithm: string) =>
      data === undefined ? undefined : hash(data, algorithm),
    random: (seed?: number) => (seed === undefined ? chance.random() : seededRandom(seed)),
    uuid: () => chance.uuid(),
    parse: (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text)),
    millis: () => nowMs(),
    now: (picture?: string, timezone?: string) =>
      now.evaluate(undefined, { millis: nowMs(), picture, timezone }),
  }
}

function thrown(text: string, field: string, error: unknown): StateFailure {
  const { code, message } = error as { code?: string; message?: string }
  const reason = code === undefined ? String(message ?? error) : `${code}: ${message}`
  return evaluationFailure(
    `The JSONata expression '${text}' specified for the field '${field}' threw an error during evaluation. ${reason}`,
    field,
  )
}

/** JSONata's sequences and lambdas are not JSON. */
function toPlain(value: unknown, text: string, field: string): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return value
  if (Array.isArray(value)) return value.map(item => toPlain(item ?? null, text, field))
  if (typeof value === 'object' && !('_jsonata_lambda' in value)) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => [key, toPlain(item, text, field)]),
    )
  }
  throw evaluationFailure(
    `The JSONata expression '${text}' specified for the field '${field}' returned an unsupported result type.`,
    field,
  )
}

/** Evaluates a field that must be of one type, such as `Items` or `TimeoutSeconds`. */
export function expectType(template: Json, field: string, expected: readonly string[], value: Json): Json {
  const actual = typeName(value)
  if (expected.includes(actual) || (expected.includes('integer') && Number.isInteger(value))) return value
  const text = typeof template === 'string' ? expressionText(template) : JSON.stringify(template)
  throw evaluationFailure(
    `The JSONata expression '${text}' specified for the field '${field}' returned an unexpected result type. Expected '${expected[0]}', but was '${actual}' for value: ${JSON.stringify(value)}`,
    field,
  )
}
