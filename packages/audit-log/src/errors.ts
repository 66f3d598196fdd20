import { type BusinessErrorClass, defineBusinessError, type TaskError } from '@stepwright/errors'

/** The stored trail is not as it was written; `details.problem` names the first trouble. */
export const AuditTamperedError: BusinessErrorClass<'AuditTamperedError'> =
  /* @__PURE__ */ defineBusinessError('AuditTamperedError')
export type AuditTamperedError = TaskError<'AuditTamperedError', 'business'>
