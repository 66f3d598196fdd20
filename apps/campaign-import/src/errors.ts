import { type BusinessErrorClass, defineBusinessError, type TaskError } from '@stepwright/errors'

/** A newer import or edit of the campaign has taken over: this one has nothing more to do. */
export const SupersededError: BusinessErrorClass<'SupersededError'> = /* @__PURE__ */ defineBusinessError(
  'SupersededError',
  { httpStatus: 409 },
)
export type SupersededError = TaskError<'SupersededError', 'business'>
