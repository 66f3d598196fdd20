import type { TaskErrorClass } from './task-error.ts'
import {
  ConcurrentExecutionError,
  DataValidationError,
  IdempotencyConflictError,
  TemporaryError,
} from './taxonomy.ts'

const byName: Readonly<Record<string, TaskErrorClass>> = {
  AlreadyInProgress: ConcurrentExecutionError,
  ItemAlreadyExists: ConcurrentExecutionError,
  Validation: IdempotencyConflictError,
  Key: DataValidationError,
  PersistenceLayer: TemporaryError,
  InconsistentState: TemporaryError,
}

/** The errors of `@aws-lambda-powertools/idempotency`, which have nothing but their names. */
export function classifyPowertools(name: unknown): TaskErrorClass | undefined {
  const [, reason = ''] = /^Idempotency(\w+)Error$/.exec(String(name)) ?? []
  return byName[reason]
}
