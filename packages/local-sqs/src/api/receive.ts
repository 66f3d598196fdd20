import { ServiceError, type ServiceInput } from '@stepwright/local-server'
import { md5OfAttributes, md5OfBody } from '../queue/md5.ts'
import type { Message, MessageAttributes } from '../queue/message.ts'
import type { Queue } from '../queue/queue.ts'
import type { Queues } from '../queue/queues.ts'
import { checkIdentifier, namesOf, numberOf, optionalText } from './input.ts'
import { toReceiptHandle } from './receipt-handle.ts'
import type { ReceiveAttempts } from './receive-attempts.ts'

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

export const maxVisibilitySeconds = 43_200
const maxInFlight = 120_000
const senderId = 'AIDALOCAL'

/** As a caller may say that it asks again, because it got no answer. */
function attemptIdOf(input: ServiceInput, isFifo: boolean): string | undefined {
  const attemptId = optionalText(input, 'ReceiveRequestAttemptId')
  if (attemptId === undefined) return undefined
  if (!isFifo) {
    throw new ServiceError(
      'InvalidParameterValue',
      'The request include parameter that is not valid for this queue type.',
    )
  }
  checkIdentifier('ReceiveRequestAttemptId', attemptId)
  return attemptId
}

/** Takes messages from a queue; with a wait, as soon as there are some. */
export async function receiveMessages(
  queues: Queues,
  queue: Queue,
  input: ServiceInput,
  signal: AbortSignal,
  sleep: Sleep,
  attempts: ReceiveAttempts,
): Promise<object> {
  const { settings } = queue.header
  const max = numberOf(input, 'MaxNumberOfMessages', [1, 10]) ?? 1
  const waitSeconds =
    numberOf(input, 'WaitTimeSeconds', [0, 20], 'Must be >= 0 and <= 20, if provided.') ??
    settings.waitSeconds
  const visibilitySeconds =
    numberOf(input, 'VisibilityTimeout', [0, maxVisibilitySeconds]) ?? settings.visibilitySeconds
  const attemptId = attemptIdOf(input, settings.fifo)
  const show = toShow(input)
  const earlier = attempts.again(queue, attemptId, queues.now(), visibilitySeconds)
  if (earlier !== undefined) return { Messages: earlier.map(message => show(queue, message)) }
  const deadlineMs = queues.now() + waitSeconds * 1000
  for (;;) {
    queues.assertThere(queue)
    const taken = take(queues, queue, max, visibilitySeconds)
    const nowMs = queues.now()
    if (taken.length > 0) {
      attempts.add(queue, attemptId, taken, nowMs)
      return { Messages: taken.map(message => show(queue, message)) }
    }
    if (waitSeconds === 0 && !settings.fifo && queue.inFlight(nowMs) >= maxInFlight) {
      throw new ServiceError('OverLimit', `Too many messages in flight for queue ${queue.header.name}`, 403)
    }
    if (nowMs >= deadlineMs || signal.aborted) return {}
    const untilMs = Math.min(deadlineMs, queue.nextVisibleMs(nowMs) ?? deadlineMs)
    const woken = new AbortController()
    const either = AbortSignal.any([signal, woken.signal])
    await Promise.race([queues.changed(queue, either), sleep(untilMs - nowMs, either).catch(() => undefined)])
    woken.abort()
  }
}

function take(queues: Queues, queue: Queue, max: number, visibilitySeconds: number): Message[] {
  const nowMs = queues.now()
  const { redrive } = queue.header.settings
  const deadLetters = redrive && queues.byArn(redrive.deadLetterArn)
  const free = Math.min(max, maxInFlight - queue.inFlight(nowMs))
  const taken: Message[] = []
  if (free <= 0) return taken
  for (const message of queue.receivable(nowMs)) {
    const { receives, firstReceivedMs = nowMs } = message.delivery
    if (redrive && deadLetters && receives >= redrive.maxReceives) {
      queues.move(message, queue, deadLetters)
      continue
    }
    taken.push(
      queue.deliver(message, {
        visibleMs: nowMs + visibilitySeconds * 1000,
        receives: receives + 1,
        firstReceivedMs,
      }),
    )
    if (taken.length === free) break
  }
  return taken
}

function toShow(input: ServiceInput): (queue: Queue, message: Message) => object {
  const systemNames = new Set([
    ...namesOf(input, 'AttributeNames'),
    ...namesOf(input, 'MessageSystemAttributeNames'),
  ])
  const names = namesOf(input, 'MessageAttributeNames')
  return (queue, message) => {
    const system = Object.entries(systemAttributes(message)).filter(
      ([name]) => systemNames.has('All') || systemNames.has(name),
    )
    const attributes = chosen(message.attributes, names)
    const attributesMd5 = md5OfAttributes(attributes)
    return {
      MessageId: message.id,
      ReceiptHandle: toReceiptHandle(queue, message),
      MD5OfBody: md5OfBody(message.body),
      Body: message.body,
      ...(system.length > 0 && { Attributes: Object.fromEntries(system) }),
      ...(attributesMd5 !== undefined && {
        MessageAttributes: attributes,
        MD5OfMessageAttributes: attributesMd5,
      }),
    }
  }
}

function systemAttributes(message: Message): Record<string, string> {
  const { delivery, groupId, deduplicationId, sequenceNumber, traceHeader, deadLetterOf } = message
  return {
    SenderId: senderId,
    SentTimestamp: String(message.sentMs),
    ApproximateReceiveCount: String(delivery.receives),
    ApproximateFirstReceiveTimestamp: String(delivery.firstReceivedMs ?? message.sentMs),
    ...(groupId !== undefined && { MessageGroupId: groupId }),
    ...(deduplicationId !== undefined && { MessageDeduplicationId: deduplicationId }),
    ...(sequenceNumber !== undefined && { SequenceNumber: sequenceNumber }),
    ...(traceHeader !== undefined && { AWSTraceHeader: traceHeader }),
    ...(deadLetterOf !== undefined && { DeadLetterQueueSourceArn: deadLetterOf }),
  }
}

/** Those that were asked for: by name, by `prefix.*`, or all. */
function chosen(attributes: MessageAttributes, names: readonly string[]): MessageAttributes {
  const isChosen = (name: string): boolean =>
    names.some(
      asked =>
        asked === 'All' ||
        asked === name ||
        (asked.endsWith('.*') && name.startsWith(asked.slice(0, -1))) ||
        asked === '.*',
    )
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => isChosen(name)))
}
