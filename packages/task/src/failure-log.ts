import type { ErrorDetails, TaskError } from '@stepwright/errors'

/** What of an error's details may be written to a log. */
export type Redact = (details: ErrorDetails) => unknown

/** A failure as a log line's field: all that helps to find it, nothing that belongs to somebody. */
export function describeFailure(error: TaskError, redact: Redact = maskValues): Record<string, unknown> {
  const { name, kind, message, code, details, retryAfterSeconds, stack, cause } = error
  return {
    name,
    kind,
    message,
    code,
    retryAfterSeconds,
    details: details && redact(details),
    stack,
    cause: cause instanceof Error ? describeCause(cause) : undefined,
  }
}

/**
 * What a foreign error was and where it came from, without its own words and fields: PostgreSQL's quote the row, a
 * parser's the text, the network's the host. What is nobody's secret is in the message of the error around it.
 */
function describeCause(cause: Error): Record<string, unknown> {
  const { code } = cause as { readonly code?: unknown }
  return {
    name: cause.name,
    code: typeof code === 'string' ? code : undefined,
    // Only where the app says so: see `logging` of an app.
    message: process.env['STEPWRIGHT_ERROR_MESSAGES'] === 'full' ? cause.message : undefined,
    // The frames alone.
    stack: cause.stack?.replace(/^(?!\s+at ).*\n?/gm, ''),
  }
}

/** The shape of the details with every value masked. */
function maskValues(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth === 4) return '[redacted]'
  if (Array.isArray(value)) return value.slice(0, 10).map(item => maskValues(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskValues(item, depth + 1)]))
}
