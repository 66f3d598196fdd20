import type { Row } from '@stepwright/csv-chunker'
import { DataValidationError } from '@stepwright/errors'
import { parseEmailAddress } from '@stepwright/mail'
import type { Recipient } from './campaign.ts'

const maxNameCharacters = 200
const maxFields = 30
const maxTitleCharacters = 100
const maxFieldCharacters = 1000

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

/** Makes recipients of the rows of one file; undefined of one without any content, such as spreadsheets leave at the end. */
export function createRecipientReader(
  columnOf: Readonly<Record<string, string | null>>,
): (row: Row) => Omit<Recipient, 'suppressed'> | undefined {
  let titles: readonly string[] | undefined
  return row => {
    titles ??= otherTitles(row, columnOf)
    return toRecipient(row, columnOf, titles)
  }
}

function toRecipient(
  row: Row,
  columnOf: Readonly<Record<string, string | null>>,
  titles: readonly string[],
): Omit<Recipient, 'suppressed'> | undefined {
  const given = row[columnOf['email'] ?? ''] ?? ''
  const email = parseEmailAddress(given)
  if (email === undefined) {
    if (Object.values(row).every(field => field.trim() === '')) return undefined
    // Without the text: reasons end up in logs and histories, and staff have the row.
    throw new DataValidationError(given.trim() === '' ? 'there is no address' : 'this is no e-mail address')
  }
  const name = cut(row[columnOf['name'] ?? ''] ?? '', maxNameCharacters)
  return { email, name: name === '' ? null : name, fields: fieldsOf(row, titles) }
}

/** What else the rows say, for `{title}` in the mail: the first columns that have a title. */
function otherTitles(row: Row, columnOf: Readonly<Record<string, string | null>>): readonly string[] {
  return Object.keys(row)
    .filter(
      title =>
        title !== columnOf['email'] &&
        title !== 'name' &&
        title.trim() !== '' &&
        title.length <= maxTitleCharacters,
    )
    .slice(0, maxFields)
}

function fieldsOf(row: Row, titles: readonly string[]): Recipient['fields'] {
  if (titles.length === 0) return null
  return Object.fromEntries(titles.map(title => [title, cut(row[title] ?? '', maxFieldCharacters)]))
}

function cut(text: string, maxCharacters: number): string {
  const trimmed = text.trim()
  const end = Math.min(trimmed.length, maxCharacters)
  const isHalf = (trimmed.charCodeAt(end - 1) & 0xfc00) === 0xd800 // the first half of a character
  return trimmed.slice(0, isHalf ? end - 1 : end)
}

function isAddress(field: string): boolean {
  return parseEmailAddress(field) !== undefined
}
