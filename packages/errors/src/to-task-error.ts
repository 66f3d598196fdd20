import { classifyAwsSdk } from './classify-aws-sdk.ts'
import { classifyPowertools } from './classify-powertools.ts'
import { classifySqlState } from './classify-sqlstate.ts'
import { classifySystem } from './classify-system.ts'
import { describeIssues, toIssues } from './schema-issues.ts'
import { isTaskError, type TaskError, type TaskErrorClass } from './task-error.ts'
import { DataValidationError, UnexpectedError } from './taxonomy.ts'

/**
 * The error of the taxonomy that a caught value means. Looks through `cause` and `AggregateError`;
 * what it does not know becomes an `UnexpectedError`. Never throws. The value stays reachable as `cause`.
 */
export function toTaskError(value: unknown): TaskError {
  try {
    return classify(value, new Set()) ?? new UnexpectedError(describe(value), { cause: value })
  } catch {
    // A hostile getter or a revoked proxy.
    return new UnexpectedError('a value that cannot be read was thrown')
  }
}

function classify(value: unknown, seen: Set<unknown>): TaskError | undefined {
  if (isTaskError(value)) return value
  if (typeof value !== 'object' || value === null || seen.has(value) || seen.size > 100) return undefined
  seen.add(value)
  const error = value as Readonly<Record<string, unknown>>
  const issues = toIssues(error['issues'])
  if (issues) return new DataValidationError(describeIssues(issues), { details: { issues }, cause: value })

  const known = classifyAwsSdk(error) ?? classifySqlState(error['code'])
  if (known) return wrap(known, error)
  // These only say that something failed; what they wrap says what.
  const inner = classifyInner(error, seen)
  if (inner) return inner
  const guessed = classifyPowertools(error['name']) ?? classifySystem(error)
  return guessed && wrap(guessed, error)
}

function wrap(errorClass: TaskErrorClass, error: Readonly<Record<string, unknown>>): TaskError {
  const { message, name } = error
  return new errorClass(typeof message === 'string' && message !== '' ? message : String(name), {
    cause: error,
  })
}

function classifyInner(error: Readonly<Record<string, unknown>>, seen: Set<unknown>): TaskError | undefined {
  const { errors, cause } = error
  if (!Array.isArray(errors)) return classify(cause, seen)
  const inner = errors.map(each => classify(each, seen))
  // One failure that no retry mends makes the whole call one.
  return inner.find(each => each?.kind === 'business') ?? inner.find(each => each !== undefined)
}

function describe(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`
  if (typeof value === 'string') return value
  let json: string | undefined
  try {
    json = JSON.stringify(value)
  } catch {
    // Circular, or a BigInt.
  }
  return `${(json ?? String(value)).slice(0, 200)} was thrown`
}
