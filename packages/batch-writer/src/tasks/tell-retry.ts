import type { TaskContext } from '@stepwright/task'
import type { AttemptRetry } from '../writer/retry-transient.ts'

/** Logs and counts trouble that a call goes on after: too much of it is a sign of a database in need. */
export function tellRetry(
  what: string,
  { attempt, error, delayMs }: AttemptRetry,
  fields: Readonly<Record<string, string>>,
  { logger, metrics }: Pick<TaskContext, 'logger' | 'metrics'>,
): void {
  const trouble = { attempt, error: error.name, reason: error.message, delayMs }
  logger.warn(`${what} failed and is tried again`, { ...fields, ...trouble })
  metrics.add('Retries', 1)
}
