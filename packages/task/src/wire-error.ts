import { sealMessage, type TaskError } from '@stepwright/errors'

/** Lambda reports name, message and trace, and its runtime logs every other field: so there is none. */
export function toWireError(error: TaskError): Error {
  const wire = new Error(sealMessage(error))
  wire.name = error.name
  if (error.stack !== undefined) wire.stack = error.stack
  return wire
}
