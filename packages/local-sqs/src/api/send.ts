import { createHash, randomUUID } from 'node:crypto'
import { ServiceError, type ServiceInput } from '@stepwright/local-server'
import { md5OfAttributes, md5OfBody } from '../queue/md5.ts'
import type { Message } from '../queue/message.ts'
import type { Queue } from '../queue/queue.ts'
import type { Queues } from '../queue/queues.ts'
import type { QueueSettings } from '../queue/settings.ts'
import { checkIdentifier, invalid, missing, numberOf, optionalText } from './input.ts'
import {
  attributeBytes,
  canBeCarried,
  parseMessageAttributes,
  parseSystemAttributes,
} from './message-attributes.ts'

/** Puts a message into a queue; one that is a duplicate counts as sent. */
export function sendMessage(
  queues: Queues,
  queue: Queue,
  input: ServiceInput,
  traceHeader: string | undefined,
): object {
  const { settings } = queue.header
  checkFifoEntry(queue, input)
  const body = optionalText(input, 'MessageBody')
  if (body === undefined || body === '') throw missing('MessageBody')
  if (!canBeCarried(body)) {
    throw new ServiceError(
      'InvalidMessageContents',
      'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF',
    )
  }
  const attributes = parseMessageAttributes(input['MessageAttributes'])
  if (Buffer.byteLength(body) + attributeBytes(attributes) > settings.maxMessageBytes) {
    throw new ServiceError(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${settings.maxMessageBytes} bytes.`,
    )
  }
  const system = parseSystemAttributes(input['MessageSystemAttributes'])
  const trace = system['AWSTraceHeader']?.StringValue ?? traceHeader
  const delaySeconds = numberOf(input, 'DelaySeconds', [0, 900], 'DelaySeconds must be >= 0 and <= 900.')
  const place = settings.fifo ? placeInFifo(queue, input, body) : placeInStandard(input)
  const attributesMd5 = md5OfAttributes(attributes)
  const systemMd5 = md5OfAttributes(system)
  const digests = {
    MD5OfMessageBody: md5OfBody(body),
    ...(attributesMd5 !== undefined && { MD5OfMessageAttributes: attributesMd5 }),
    ...(systemMd5 !== undefined && { MD5OfMessageSystemAttributes: systemMd5 }),
  }
  const nowMs = queues.now()
  const { key, ...identity } = place
  const earlier = key === undefined ? undefined : queue.duplicateOf(key, nowMs)
  if (earlier) return { ...digests, MessageId: earlier.messageId, SequenceNumber: earlier.sequenceNumber }
  const sequenceNumber = settings.fifo ? queues.nextSequenceNumber() : undefined
  const message: Message = {
    id: randomUUID(),
    body,
    attributes,
    sentMs: nowMs,
    ...identity,
    ...(trace !== undefined && { traceHeader: trace }),
    ...(sequenceNumber !== undefined && { sequenceNumber }),
    delivery: { visibleMs: nowMs + delayOf(settings, delaySeconds) * 1000, receives: 0 },
  }
  queue.put(message, key)
  queues.wake(queue)
  return {
    ...digests,
    MessageId: message.id,
    ...(sequenceNumber !== undefined && { SequenceNumber: sequenceNumber }),
  }
}

/** Messages of a FIFO queue have the delay of the queue. */
function delayOf({ fifo, delaySeconds }: QueueSettings, given: number | undefined): number {
  return fifo || given === undefined ? delaySeconds : given
}

/** What SQS refuses a whole batch for, although one entry only is wrong. */
export function checkFifoEntry({ header: { settings } }: Queue, input: ServiceInput): void {
  if (!settings.fifo) return
  const delaySeconds = input['DelaySeconds'] ?? 0
  if (delaySeconds !== 0) {
    throw invalid(
      'DelaySeconds',
      delaySeconds,
      'The request include parameter that is not valid for this queue type.',
    )
  }
  if ((optionalText(input, 'MessageGroupId') ?? '') === '') throw missing('MessageGroupId')
  if (optionalText(input, 'MessageDeduplicationId') === undefined && !settings.contentBasedDeduplication) {
    throw new ServiceError(
      'InvalidParameterValue',
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    )
  }
}

interface Place {
  readonly groupId?: string
  readonly deduplicationId?: string
  /** What duplicates are found by. */
  readonly key?: string
}

function placeInStandard(input: ServiceInput): Place {
  const deduplicationId = optionalText(input, 'MessageDeduplicationId')
  if (deduplicationId !== undefined) {
    throw invalid(
      'MessageDeduplicationId',
      deduplicationId,
      'The request includes a parameter that is not valid for this queue type.',
    )
  }
  const groupId = optionalText(input, 'MessageGroupId')
  if (groupId !== undefined) checkIdentifier('MessageGroupId', groupId)
  return groupId === undefined ? {} : { groupId }
}

function placeInFifo({ header: { settings } }: Queue, input: ServiceInput, body: string): Place {
  const groupId = optionalText(input, 'MessageGroupId') ?? ''
  checkIdentifier('MessageGroupId', groupId)
  const given = optionalText(input, 'MessageDeduplicationId')
  if (given !== undefined) checkIdentifier('MessageDeduplicationId', given)
  const deduplicationId = given ?? createHash('sha256').update(body).digest('hex')
  const key = settings.deduplicatesByGroup ? `${groupId} ${deduplicationId}` : deduplicationId
  return { groupId, deduplicationId, key }
}
