import { createHash, randomUUID } from 'node:crypto'
import { ServiceError, type ServiceInput, toServiceError } from '@stepwright/local-server'
import type { Notification, NotificationAttribute, Topic } from '../topics/topic.ts'
import { invalid, listOf, optionalText } from './input.ts'

/** Sends a notification on its way; what was sent before under its deduplication id counts as sent. */
export type Publish = (topic: Topic, input: ServiceInput) => PublishResult

export interface PublishResult {
  readonly MessageId: string
  readonly SequenceNumber?: string
}

const maxMessageBytes = 262_144
const deduplicationMs = 5 * 60_000
const maxEntries = 10
/** Up to 100 characters of ASCII, none of them a control character. */
const validSubject = /^[\x21-\x7e][\x20-\x7e]{0,99}$/
const entryId = /^[\w-]{1,80}$/

export function createPublish(
  now: () => number,
  onNotification: (topic: Topic, notification: Notification) => void,
): Publish {
  const sent = new Map<string, { readonly result: PublishResult; readonly sentMs: number }>()
  let sequence = BigInt(now()) * 1_000_000n

  return (topic, input) => {
    const notification = toNotification(topic, input)
    const { messageId, deduplicationId } = notification
    if (!topic.isFifo) {
      onNotification(topic, notification)
      return { MessageId: messageId }
    }
    const nowMs = now()
    for (const [key, { sentMs }] of sent) {
      if (sentMs > nowMs - deduplicationMs) break
      sent.delete(key)
    }
    const scope = topic.attributes.get('FifoThroughputScope') === 'MessageGroup' ? notification.groupId : ''
    const key = JSON.stringify([topic.arn, scope, deduplicationId])
    const earlier = sent.get(key)
    if (earlier) return earlier.result
    sequence += 1n
    const sequenceNumber = String(sequence).padStart(20, '1')
    const result = { MessageId: messageId, SequenceNumber: sequenceNumber }
    sent.set(key, { result, sentMs: nowMs })
    onNotification(topic, { ...notification, sequenceNumber })
    return result
  }
}

/** PublishBatch: entries that fail do not keep the others. */
export function publishBatch(publish: Publish, topic: Topic, input: ServiceInput): object {
  const entries = listOf(input, 'PublishBatchRequestEntries')
  if (entries.length === 0)
    throw new ServiceError('EmptyBatchRequest', "The batch request doesn't contain any entries.")
  if (entries.length > maxEntries) {
    throw new ServiceError(
      'TooManyEntriesInBatchRequest',
      'The batch request contains more entries than permissible.',
    )
  }
  const ids = entries.map(({ Id }) => String(Id))
  if (ids.some(id => !entryId.test(id)))
    throw new ServiceError(
      'InvalidBatchEntryId',
      "The Id of a batch entry in a batch request doesn't abide by the specification.",
    )
  if (new Set(ids).size < ids.length) {
    throw new ServiceError(
      'BatchEntryIdsNotDistinct',
      'Two or more batch entries in the request have the same Id.',
    )
  }
  if (
    entries.reduce((sum, { Message }) => sum + Buffer.byteLength(String(Message ?? '')), 0) > maxMessageBytes
  ) {
    throw new ServiceError(
      'BatchRequestTooLong',
      'The length of all the batch messages put together is more than the limit.',
    )
  }
  const Successful: object[] = []
  const Failed: object[] = []
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry['Id'], ...publish(topic, entry) })
    } catch (error) {
      const { code, message, status } = toServiceError(error)
      Failed.push({ Id: entry['Id'], Code: code, Message: message, SenderFault: status < 500 })
    }
  }
  return { Successful, Failed }
}

function toNotification(topic: Topic, input: ServiceInput): Notification {
  const message = optionalText(input, 'Message') ?? ''
  if (message === '') throw invalid('Empty message')
  const attributes = (input['MessageAttributes'] ?? {}) as Readonly<Record<string, NotificationAttribute>>
  if (Buffer.byteLength(message) + Buffer.byteLength(JSON.stringify(attributes)) > maxMessageBytes)
    throw invalid('Message too long')
  checkAttributes(attributes)
  const subject = optionalText(input, 'Subject')
  if (subject !== undefined && !validSubject.test(subject)) throw invalid('Subject')
  const structure = optionalText(input, 'MessageStructure')
  if (structure !== undefined && structure !== 'json') throw invalid('MessageStructure')
  const groupId = optionalText(input, 'MessageGroupId')
  const given = optionalText(input, 'MessageDeduplicationId')
  if (topic.isFifo && groupId === undefined)
    throw invalid('The MessageGroupId parameter is required for FIFO topics')
  if (!topic.isFifo && given !== undefined) {
    throw invalid(
      'The request includes MessageDeduplicationId parameter that is not valid for this topic type',
    )
  }
  const deduplicates = topic.attributes.get('ContentBasedDeduplication') === 'true'
  if (topic.isFifo && given === undefined && !deduplicates) {
    throw invalid(
      'The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    )
  }
  return {
    messageId: randomUUID(),
    subject,
    texts: structure === 'json' ? parseTexts(message) : { default: message },
    attributes,
    groupId,
    deduplicationId: given ?? (topic.isFifo ? createHash('sha256').update(message).digest('hex') : undefined),
    sequenceNumber: undefined,
  }
}

function checkAttributes(attributes: Readonly<Record<string, NotificationAttribute>>): void {
  for (const [name, { DataType = '', StringValue, BinaryValue }] of Object.entries(attributes)) {
    if (!/^(String|Number|Binary|String\.Array)$|^(String|Number|Binary)\./.test(DataType))
      throw new ServiceError(
        'InvalidParameterValue',
        `The message attribute '${name}' has an invalid message attribute type, the set of supported type prefixes is Binary, Number, and String.`,
      )
    if ((StringValue ?? BinaryValue ?? '') === '')
      throw new ServiceError(
        'InvalidParameterValue',
        `The message attribute '${name}' must contain non-empty message attribute value for message attribute type '${DataType}'.`,
      )
  }
}

/** A message for each protocol, in JSON, with one for all others. */
function parseTexts(message: string): Readonly<Record<string, string>> {
  let texts: unknown
  try {
    texts = JSON.parse(message)
  } catch {
    throw invalid('Message Structure - JSON message body failed to parse')
  }
  if (typeof texts !== 'object' || texts === null) throw noDefault()
  // A protocol whose value is not a text gets the default.
  const valid = Object.entries(texts).filter(([, text]) => typeof text === 'string')
  const byProtocol: Readonly<Record<string, string>> = Object.fromEntries(valid)
  if (Object.hasOwn(byProtocol, 'default')) return byProtocol
  throw noDefault()
}

function noDefault(): ServiceError {
  return invalid('Message Structure - No default entry in JSON message body')
}
