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

/** Every error that a handler of this package declares: also an entry that cannot be stored, and a broken trail. */
export const auditTaskErrors: readonly TaskErrorClass[] = [
  DataValidationError,
  AuditVerificationError,
  ...storeErrors,
]
