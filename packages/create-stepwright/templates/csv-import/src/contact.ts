import type { ToRow } from '@stepwright/batch-writer'
import type { Row } from '@stepwright/csv-chunker'
import { DataValidationError } from '@stepwright/errors'

/** A row of the table `contact`. */
export interface Contact {
  readonly email: string
  readonly name: string
}

export const contactTable = {
  tableName: 'contact',
  columns: ['email', 'name'],
  conflict: { mode: 'ignore', key: ['email'] },
} as const

const address = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/

/** Of a record of the CSV. What it throws sets that row apart, with its number; the others go on. */
export const toContact: ToRow<Row, Contact> = ({ email = '', name = '' }) => {
  if (!address.test(email))
    throw new DataValidationError('email must be an address', { details: { column: 'email' } })
  return { email: email.toLowerCase(), name }
}
