import { evaluationFailure, type StateFailure } from '../failures/state-failure.ts'
import { isArray, isObject, type Json, typeName } from '../json.ts'
import { isPromise, type MaybePromise } from '../maybe-promise.ts'
import { compileExpression, type JsonataBindings } from './jsonata-expression.ts'
import { jsonataFunctions } from './jsonata-functions.ts'
import { checkMade } from './jsonata-guards.ts'
import type { Scope } from './scope.ts'

/** What `$states` offers besides the input and the context object. */
export interface StatesExtra {
  readonly result?: Json
  readonly errorOutput?: Json
}

export interface JsonataScope extends Scope {
  readonly extra: StatesExtra
  readonly nowMs: () => number
  /** Lets others have their turn during a long evaluation. */
  readonly yieldTurn: () => Promise<void>
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
  if (isJsonataExpression(template)) return compileField(template, field)
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

function compileField(template: string, field: string): EvaluateJsonata {
  const text = expressionText(template)
  const evaluate = compileExpression(text)
  return async scope => {
    let value: unknown
    try {
      value = await evaluate(bindings(scope), { nowMs: scope.nowMs(), yieldTurn: scope.yieldTurn })
      checkMade(value)
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

function bindings(scope: JsonataScope): JsonataBindings {
  return {
    functions: jsonataFunctions(scope.chance, scope.nowMs),
    variables: scope.variables,
    states: { input: scope.input, context: scope.context(), ...scope.extra },
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
  // JSON has no such numbers: Step Functions writes their names.
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
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
