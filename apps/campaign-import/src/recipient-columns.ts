import { CSVValidationError } from '@stepwright/errors'
import { parseEmailAddress } from './email-address.ts'

/** Which columns of the CSV hold what. */
export interface RecipientColumns {
  readonly email: string
  readonly name: string | undefined
}

const emailNames = [
  'email',
  'emailaddress',
  'mail',
  'mailaddress',
  'メールアドレス',
  'メール',
  'eメール',
  'アドレス',
]
const nameNames = ['name', 'fullname', '名前', '氏名', 'お名前', '宛名']

/** Whether a file begins with its first recipient: then it has no header. */
export function beginsWithRecipient(firstRecord: readonly string[]): boolean {
  return firstRecord.some(field => parseEmailAddress(field) !== undefined)
}

/** Finds the columns by their names, or in a file without header by the first recipient. */
export function findColumns(
  columns: readonly string[],
  firstRecord: readonly string[],
  hasHeader: boolean,
): RecipientColumns {
  const email = hasHeader
    ? findByName(columns, emailNames)
    : columns[firstRecord.findIndex(field => parseEmailAddress(field) !== undefined)]
  if (email !== undefined) {
    return { email, name: hasHeader ? findByName(columns, nameNames) : undefined }
  }
  throw new CSVValidationError('no column holds addresses: name one "email" or "メールアドレス" (header)', {
    code: 'EMAIL_COLUMN_MISSING',
    details: { row: 0, columns: columns.slice(0, 20).map(column => column.slice(0, 50)) },
  })
}

function findByName(columns: readonly string[], names: readonly string[]): string | undefined {
  return columns.find(column => names.includes(normalize(column)))
}

/** Full-width letters, blanks, hyphens and underscores make no difference. */
function normalize(column: string): string {
  return column
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '')
}
