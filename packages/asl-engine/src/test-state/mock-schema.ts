import type { State } from '@stepwright/asl'
import { parseResource } from '@stepwright/asl/expressions'
import { isArray, isObject, type Json } from '../json.ts'
import type { Field } from './field.ts'
import { TestStateRefusal, type TestStateRequest } from './request.ts'
import { requiredFields, responses } from './responses.ts'

/** Checks a mocked result against what the service answers, as far as it is known here. */
export function checkMockedResult(state: State, { mock }: TestStateRequest, result: Json): Json {
  const resource = state.Type === 'Task' ? parseResource(state.Resource) : undefined
  const mode = mock?.fieldValidationMode ?? 'STRICT'
  if (mode === 'NONE' || resource?.kind !== 'service') return result
  const service = resource.service.replace(/^aws-sdk:/, '').replace('sfn', 'states')
  const waits = resource.pattern.startsWith('sync') ? '.sync' : ''
  const answer = `${service}:${resource.action}${waits}`
  if (mode === 'STRICT') checkRequired(result, requiredFields[answer] ?? [])
  const response = responses[answer]
  if (response !== undefined) checkObject(result, response)
  return result
}

function checkRequired(result: Json, names: readonly string[]): void {
  const missing = isObject(result) ? names.find(name => result[name] === undefined) : undefined
  if (missing === undefined) return
  throw new TestStateRefusal(
    'ValidationException',
    `Mock result schema validation error: Required field '${missing}' is missing`,
  )
}

function mismatch(field: string, problem: string): TestStateRefusal {
  return new TestStateRefusal(
    'ValidationException',
    `Mock result schema validation error: Field '${field}' ${problem}`,
  )
}

function checkObject(value: Json, fields: Readonly<Record<string, Field>>): void {
  if (!isObject(value)) return
  for (const [name, field] of Object.entries(fields)) {
    const found = value[name]
    if (found !== undefined && found !== null) checkField(name, found, field)
  }
}

function checkField(name: string, value: Json, field: Field): void {
  if (field === 'any') return
  if (typeof field === 'string') {
    if (typeof value !== field) throw mismatch(name, `must be a ${field}`)
    return
  }
  if ('list' in field) {
    if (!isArray(value)) throw mismatch(name, 'must be an array')
    for (const item of value) checkField(name, item, field.list)
  } else if ('object' in field) {
    if (!isObject(value)) throw mismatch(name, 'must be an object')
    checkObject(value, field.object)
  } else if ('oneOf' in field) {
    if (typeof value !== 'string') throw mismatch(name, 'must be a string')
    if (!field.oneOf.includes(value)) throw mismatch(name, 'is not an expected value')
  } else if ('minLength' in field) {
    if (typeof value !== 'string') throw mismatch(name, 'must be a string')
    if (value.length < field.minLength) throw mismatch(name, 'is smaller than the minimum length')
  } else {
    if (typeof value !== 'number') throw mismatch(name, 'must be a number')
    if (value < field.atLeast) throw mismatch(name, 'is less than the minimum value')
    if (value > field.atMost) throw mismatch(name, 'exceeds the maximum value')
  }
}
