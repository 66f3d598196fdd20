import { ServiceError } from '@stepwright/local-server'
import type { MessageAttribute, MessageAttributes } from '../queue/message.ts'

/** Letters of Latin scripts count as letters. */
const attributeName = /^(?!aws\.|amazon\.)(?!\.)(?!.*\.\.)[\w.\u00c0-\u017f-]{1,256}(?<!\.)$/i
const dataType = /^(String|Number|Binary)(\..{1,256})?$/
const maxAttributes = 10
/** What a text has in it that SQS cannot carry. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u

export function canBeCarried(text: string): boolean {
  return !forbidden.test(text)
}

/** @throws ServiceError for attributes that SQS does not take */
export function parseMessageAttributes(given: unknown): MessageAttributes {
  if (given === undefined || given === null) return {}
  if (typeof given !== 'object' || Array.isArray(given))
    throw new ServiceError('SerializationException', 'MessageAttributes must be a map')
  const entries = Object.entries(given as Readonly<Record<string, MessageAttribute>>)
  if (entries.length > maxAttributes) {
    throw invalid(`Number of message attributes [${entries.length}] exceeds the allowed maximum [10].`)
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, parseAttribute(name, value)]))
}

/** SQS knows one attribute of its own that a sender can set. */
export function parseSystemAttributes(given: unknown): MessageAttributes {
  const attributes = parseMessageAttributes(given)
  const [unknown] = Object.keys(attributes).filter(name => name !== 'AWSTraceHeader')
  if (unknown !== undefined) throw invalid(`The message system attribute name '${unknown}' is invalid.`)
  const { DataType = 'String' } = attributes['AWSTraceHeader'] ?? {}
  if (DataType !== 'String')
    throw invalid("The message system attribute 'AWSTraceHeader' must have the type 'String'.")
  return attributes
}

function parseAttribute(name: string, value: MessageAttribute): MessageAttribute {
  const { DataType, StringValue, BinaryValue } = value ?? {}
  if (!attributeName.test(name)) throw invalid(`The message attribute name '${name}' is invalid.`)
  if (typeof DataType !== 'string' || DataType === '')
    throw invalid(`The message attribute '${name}' must contain non-empty message attribute type.`)
  const [, kind] = dataType.exec(DataType) ?? []
  if (kind === undefined) {
    throw invalid(
      `The message attribute '${name}' has an invalid message attribute type, the set of supported type prefixes is Binary, Number, and String.`,
    )
  }
  const content = kind === 'Binary' ? BinaryValue : StringValue
  if (typeof content !== 'string' || content === '') {
    throw invalid(
      `The message attribute '${name}' must contain non-empty message attribute value for message attribute type '${kind}'.`,
    )
  }
  if (kind === 'Number' && !Number.isFinite(Number(content)))
    throw invalid(`Can't cast the value of message (user) attribute '${name}' to a number.`)
  if (kind !== 'Binary' && !canBeCarried(content))
    throw invalid(`Invalid characters found in the value of message (user) attribute '${name}'.`)
  return kind === 'Binary' ? { DataType, BinaryValue: content } : { DataType, StringValue: content }
}

/** What attributes count towards a message's size. */
export function attributeBytes(attributes: MessageAttributes): number {
  let bytes = 0
  for (const [name, { DataType, StringValue = '', BinaryValue = '' }] of Object.entries(attributes)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(DataType) + Buffer.byteLength(StringValue)
    bytes += Buffer.byteLength(BinaryValue, 'base64')
  }
  return bytes
}

function invalid(message: string): ServiceError {
  return new ServiceError('InvalidParameterValue', message)
}
