import { type BusinessErrorClass, defineBusinessError, type TaskError } from '@stepwright/errors'

/** The trail cannot be shown to be whole; `code` is the kind of trouble, `details.problem` where it is. */
export const AuditVerificationError: BusinessErrorClass<'AuditVerificationError'> =
  /* @__PURE__ */ defineBusinessError('AuditVerificationError')
export type AuditVerificationError = TaskError<'AuditVerificationError', 'business'>
