import { DataValidationError } from '@stepwright/errors'

/** @throws DataValidationError if the text is not JSON; it says nothing of what the text is */
export function parseDelivered(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new DataValidationError(`${what} must be JSON`, {
      details: { issues: [{ path: '', message: 'is not JSON' }] },
    })
  }
}
