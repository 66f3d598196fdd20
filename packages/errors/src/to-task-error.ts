import { classifyAnswer, classifyByName } from './classify.ts'
import { describeIssues, toIssues } from './schema-issues.ts'
import { isTaskError, type TaskError } from './task-error.ts'
import { DataValidationError, UnexpectedError } from './taxonomy.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The error of the taxonomy that a caught value means. Looks through `cause` and `AggregateError`;
 * what it does not know becomes an `UnexpectedError`. Never throws. The value stays reachable as `cause`.
 */
export function toTaskError(value: unknown): TaskError {
  try {
    return classify(value, new Set()) ?? new UnexpectedError(describe(value), { cause: value })
  } catch {
    // Circular, a BigInt, a hostile getter, a revoked proxy.
    return new UnexpectedError('an unreadable value was thrown')
  }
}

function classify(value: unknown, seen: Set<unknown>): TaskError | undefined {
  if (isTaskError(value)) return value
  if (Object(value) !== value || seen.has(value)) return undefined
  seen.add(value)
  const error = value as Fields
  const issues = toIssues(error['issues'])
  if (issues) return new DataValidationError(describeIssues(issues), { details: { issues }, cause: value })
  const errorClass = classifyAnswer(error)
  if (!errorClass) {
    // The error only says that something failed; what it wraps says what.
    const inner = [error['errors'] ?? error['cause']].flat().map(each => classify(each, seen))
    // One failure that no retry mends makes the whole call one.
    const decisive = inner.find(each => each?.kind === 'business') ?? inner.find(Boolean)
    if (decisive) return decisive
  }
  const known = errorClass ?? classifyByName(error)
  return known && new known(`${error['message'] || error['name']}`, { cause: value })
}

function describe(value: unknown): string {
  if (value instanceof Error) return String(value)
  return `${JSON.stringify(value)} was thrown`.slice(0, 300)
}
