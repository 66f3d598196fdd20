import type { Row } from '@stepwright/csv-chunker'
import { DataValidationError } from '@stepwright/errors'
import type { Recipient } from './campaign.ts'
import { parseEmailAddress } from './email-address.ts'

const maxNameCharacters = 200

/** Which columns of a CSV are read, and what people call them. */
export const expectedColumns = {
  email: {
    aliases: ['E-mail address', 'mail', 'mail address', 'メールアドレス', 'メール', 'Eメール', 'アドレス'],
    looksLike: isAddress,
  },
  name: { aliases: ['full name', '名前', '氏名', 'お名前', '宛名'], optional: true },
} as const

/** A file that begins with its first recipient has no header. */
export function isHeader(firstRecord: readonly string[]): boolean {
  return !firstRecord.some(isAddress)
}

/** Undefined for a row without any content, such as spreadsheets leave at the end. */
export function toRecipient(
  row: Row,
  columnOf: Readonly<Record<string, string | null>>,
): Recipient | undefined {
  const given = row[columnOf['email'] ?? ''] ?? ''
  const email = parseEmailAddress(given)
  if (email === undefined) {
    if (Object.values(row).every(field => field.trim() === '')) return undefined
    // Without the text: reasons end up in logs and histories, and staff have the row.
    throw new DataValidationError(given.trim() === '' ? 'there is no address' : 'this is no e-mail address')
  }
  const name = (row[columnOf['name'] ?? ''] ?? '')
    .trim()
    .slice(0, maxNameCharacters)
    .replace(/[\ud800-\udbff]$/, '') // half a character
  return { email, name: name === '' ? null : name }
}

function isAddress(field: string): boolean {
  return parseEmailAddress(field) !== undefined
}
