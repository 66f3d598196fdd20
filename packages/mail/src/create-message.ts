import { DataValidationError } from '@stepwright/errors'
import { formatRecipient, formatSender, parseEmailAddress, parseSender } from './email-address.ts'
import type { Message } from './mailer.ts'

/**
 * The message with header fields that cannot say more than they should: sender and recipient are one address each, in
 * ASCII, and no field has a line break. The subject stays text: SES gets it as UTF-8 and encodes it itself.
 * @throws DataValidationError, which names the field
 */
export function createMessage(message: Message): Message {
  const sender = parseSender(message.from)
  if (sender === undefined) refuse('from', 'must be an address, or a name and an address in angle brackets')
  if (parseEmailAddress(message.to) === undefined) refuse('to', 'must be an address')
  if (!isOneLine(message.subject)) refuse('subject', 'must be one line of well-formed text')
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    if (!/^[!-9;-~]{1,76}$/.test(name))
      refuse('headers', 'must have names of printable ASCII without a colon')
    if (!/^[ -~]{1,900}$/.test(value)) refuse(name, 'must be one line of printable ASCII')
  }
  // A name that is encoded already stays as it is.
  const from = /^[ -~]*$/.test(message.from) ? message.from : formatSender(sender)
  return { ...message, from, to: formatRecipient(message.to) }
}

function isOneLine(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(text)
}

function refuse(field: string, rule: string): never {
  throw new DataValidationError(`the field "${field}" of the message ${rule}`, {
    code: 'INVALID_MESSAGE',
    details: { field },
  })
}
