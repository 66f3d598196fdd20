import { parseCause } from '@stepwright/errors'
import type { JobError } from './job.ts'

const unexplained: Readonly<Record<'FAILED' | 'TIMEOUT', JobError>> = {
  FAILED: { code: 'UNKNOWN_ERROR', message: 'the processing failed' },
  TIMEOUT: { code: 'TIMEOUT_ERROR', message: 'the processing took longer than its limit' },
}

/**
 * Names whose messages come from a platform, a driver or a bug: they may hold hosts, statements and values of rows.
 * What is left are errors that somebody named for a reason that the owner may know.
 */
const technical =
  /^(States|Lambda|Runtime|Sandbox|Function|ECS|Batch|SFN)\.|Exception$|^(\w*(Type|Range|Syntax|Reference|Abort|Timeout|Key|Value|Index|Aggregate|System))?Error$|^error$|^(Unexpected|Temporary|DatabaseConnection|Network|ConcurrentExecution|TaskTimeout)Error$/

/** What the owner may know of a failure: a code and a message, no stack trace. Never throws. */
export function toJobError(error: unknown, status: 'FAILED' | 'TIMEOUT'): JobError {
  const fallback = unexplained[status]
  if (typeof error !== 'object' || error === null) {
    return typeof error === 'string' && error !== '' ? { ...fallback, message: error } : fallback
  }
  const { Error: name, Cause, code, message } = error as Readonly<Record<string, unknown>>
  if (typeof name === 'string') {
    if (technical.test(name)) return { code: name, message: fallback.message }
    const parsed = parseCause({ Error: name, ...(typeof Cause === 'string' && { Cause }) })
    return { code: parsed.code ?? name, message: parsed.message || fallback.message }
  }
  return {
    code: typeof code === 'string' ? code : fallback.code,
    message: typeof message === 'string' ? message : fallback.message,
  }
}
