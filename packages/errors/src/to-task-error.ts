import { type Classifier, classifyByName, classifyStatus, type ErrorFields } from './classify.ts'
import { BusinessError } from './define-error.ts'
import { describeIssues, toIssues } from './schema-issues.ts'
import { isTaskError, type TaskError } from './task-error.ts'
import { DataValidationError, UnexpectedError } from './taxonomy.ts'

/**
 * The error of the taxonomy that a caught value means. Looks through `cause` and `AggregateError`;
 * what it does not know becomes an `UnexpectedError`. Never throws. The value stays reachable as `cause`.
 * Of a foreign error its message has the name and the code: its own words may quote a row, a URL or a text.
 * @param classifiers who knows the codes of a database or a service, such as `classifyAws` and `classifyPostgres`
 */
export function toTaskError(value: unknown, ...classifiers: readonly Classifier[]): TaskError {
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
      known = classifyByName(error)
    }
    // A rule that the database raises is written for its reader.
    return (
      known && new known(known === BusinessError ? `${error['message']}` : describe(error), { cause: error })
    )
  }

  try {
    return (
      classify(value as ErrorFields) ?? new UnexpectedError(describe(value as ErrorFields), { cause: value })
    )
  } catch {
    // A hostile getter, a revoked proxy.
    return new UnexpectedError(`${typeof value} was thrown`)
  }
}

/** What it was, by its tag, which errors of another realm have too. Names and codes are not longer than a word. */
function describe(error: ErrorFields): string {
  if (!/(Error|Exception)]$/.test({}.toString.call(error))) return `${typeof error} was thrown`
  const words = [error['name'], error['code']].filter(word => /^[\w.-]{1,80}$/.test(`${word ?? ''}`))
  return ['reported as', ...words].join(' ')
}
