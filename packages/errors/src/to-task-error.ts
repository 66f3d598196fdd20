import { classifyAnswer, classifyByName } from './classify.ts'
import { BusinessError } from './define-error.ts'
import { describeIssues, toIssues } from './schema-issues.ts'
import { isTaskError, type TaskError } from './task-error.ts'
import { DataValidationError, UnexpectedError } from './taxonomy.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The error of the taxonomy that a caught value means. Looks through `cause` and `AggregateError`;
 * what it does not know becomes an `UnexpectedError`. Never throws. The value stays reachable as `cause`.
 */
export function toTaskError(value: unknown): TaskError {
  let text = `${typeof value} was thrown`
  try {
    // What nobody classifies is a bug, and its own words help to find it; but a parser's quote what it read.
    if (value instanceof Error) text = `${value}`.replace(/^(Syntax\w+).*/s, '$1')
    return classify(value as Fields, new Set()) ?? new UnexpectedError(text, { cause: value })
  } catch {
    // A hostile getter, a revoked proxy.
    return new UnexpectedError(text)
  }
}

function classify(error: Fields, seen: Set<unknown>): TaskError | undefined {
  if (isTaskError(error)) return error
  if (Object(error) !== error || seen.has(error)) return undefined
  seen.add(error)
  const issues = toIssues(error['issues'])
  if (issues) return new DataValidationError(describeIssues(issues), { details: { issues }, cause: error })
  const errorClass = classifyAnswer(error)
  if (!errorClass) {
    // The error only says that something failed; what it wraps says what.
    const inner = [error['errors'] ?? error['cause']].flat().map(each => classify(each as Fields, seen))
    // One failure that no retry mends makes the whole call one.
    const decisive = inner.find(each => each?.kind === 'business') ?? inner.find(Boolean)
    if (decisive) return decisive
  }
  const { name, code, message } = error
  const known = errorClass ?? classifyByName(`${name} ${code} ${message}`)
  // Never the foreign text, which may quote a row, a statement or a host; except a rule's that the database raised.
  const text = known === BusinessError ? `${message}` : `reported as ${name} ${code ?? ''}`.trim()
  return known && new known(text, { cause: error })
}
