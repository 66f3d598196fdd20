import { parseCause } from '@stepwright/errors'
import * as z from 'zod/mini'

/** What a catcher of a state machine puts into `$.error`. */
export const caughtError = z.object({ Error: z.string(), Cause: z._default(z.string(), '') })

/** Why a row was not reflected. */
export interface RowError {
  readonly Error: string
  readonly Cause: string
}

const maxCause = 500

/** Every row of a batch gets it: so without the trace that Lambda adds. */
export function toRowError(caught: z.output<typeof caughtError>): RowError {
  const { name, message } = parseCause(caught)
  return { Error: name ?? caught.Error, Cause: message.slice(0, maxCause) }
}
