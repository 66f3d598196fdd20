import { type Classifier, classifyByName, classifyStatus, type ErrorFields } from './classify.ts'
import { BusinessError } from './define-error.ts'
import { describeIssues, toIssues } from './schema-issues.ts'
import { isTaskError, type TaskError } from './task-error.ts'
import { DataValidationError, UnexpectedError } from './taxonomy.ts'

/**
 * The error of the taxonomy that a caught value means. Looks through `cause` and `AggregateError`;
 * what it does not know becomes an `UnexpectedError`. Never throws. The value stays reachable as `cause`.
 * @param classifiers who knows the codes of a database or a service, such as `classifyAws` and `classifyPostgres`
 */
export function toTaskError(value: unknown, ...classifiers: readonly Classifier[]): TaskError {
  let text = `${typeof value} was thrown`
  const seen = new Set<unknown>()

  function classify(error: ErrorFields): TaskError | undefined {
    if (isTaskError(error)) return error
    if (Object(error) !== error || seen.has(error)) return undefined
    seen.add(error)
    const issues = toIssues(error['issues'])
    if (issues) return new DataValidationError(describeIssues(issues), { details: { issues }, cause: error })
    let known = [...classifiers, classifyStatus].map(each => each(error)).find(Boolean)
    if (!known) {
      // The error only says that something failed; what it wraps says what.
      const inner = [error['errors'] ?? error['cause']].flat().map(each => classify(each as ErrorFields))
      // One failure that no retry mends makes the whole call one.
      const decisive = inner.find(each => each?.kind === 'business') ?? inner.find(Boolean)
      if (decisive) return decisive
      // A database's or a service's answer that no classifier knows is a bug too, but its words may quote what was sent.
      known = classifyByName(error) ?? (isAnswer(error) ? UnexpectedError : undefined)
    }
    const { name, code, message } = error
    // Never the foreign text, which may quote a row, a statement or a host; except a rule's that the database raised.
    const words = known === BusinessError ? `${message}` : `reported as ${name} ${code ?? ''}`.trim()
    return known && new known(words, { cause: error })
  }

  try {
    // What nobody classifies is a bug, and its own words help to find it; but a parser's quote what it read.
    // By its tag, which errors of another realm have too.
    if (/(Error|Exception)]$/.test({}.toString.call(value))) {
      text = `${value}`.replace(/^(Syntax\w+).*/s, '$1')
    }
    return classify(value as ErrorFields) ?? new UnexpectedError(text, { cause: value })
  } catch {
    // A hostile getter, a revoked proxy.
    return new UnexpectedError(text)
  }
}

/** Whether it has an SQLSTATE or the fields of an SDK's exception. */
function isAnswer({ code, $fault, $metadata }: ErrorFields): boolean {
  return !!($fault ?? $metadata) || /^\w{5}$/.test(`${code}`)
}
