import {
  DataValidationError,
  NetworkError,
  ServiceUnavailableException,
  type TaskErrorClass,
  ThrottlingException,
} from '@stepwright/errors'
import { AuditVerificationError } from './errors.ts'

/** What a call to the store can fail with. */
export const storeErrors: readonly TaskErrorClass[] = [
  ThrottlingException,
  ServiceUnavailableException,
  NetworkError,
]

/** What recording can fail with: also an entry that cannot be stored, and a chain that is not genuine. */
export const recordErrors: readonly TaskErrorClass[] = [
  DataValidationError,
  AuditVerificationError,
  ...storeErrors,
]

/** Every error that a handler of this package declares. */
export const auditTaskErrors: readonly TaskErrorClass[] = recordErrors
