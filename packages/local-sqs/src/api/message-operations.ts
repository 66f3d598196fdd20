import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError, type ServiceInput, type ServiceOperation } from '@stepwright/local-server'
import { isInFlight } from '../queue/message.ts'
import type { Queue } from '../queue/queue.ts'
import type { Queues } from '../queue/queues.ts'
import { runBatch } from './batch.ts'
import { invalid, missing, numberOf, textOf } from './input.ts'
import { receiptExpired, receiptOf } from './receipt-handle.ts'
import { maxVisibilitySeconds, receiveMessages, type Sleep } from './receive.ts'
import { createReceiveAttempts } from './receive-attempts.ts'
import { checkFifoEntry, sendMessage } from './send.ts'

export function messageOperations(queues: Queues, sleep: Sleep): Record<string, ServiceOperation> {
  const attempts = createReceiveAttempts()
  const queueOf = (input: ServiceInput): Queue => queues.at(textOf(input, 'QueueUrl'))

  /** A handle that is not the latest deletes nothing, and says nothing of it, except on a FIFO queue. */
  const remove = (queue: Queue, input: ServiceInput): object => {
    const { message, isLatest } = receiptOf(queue, input)
    if (message === undefined) return {}
    const isHeld = isLatest && (isInFlight(message, queues.now()) || !queue.header.settings.fifo)
    if (!isHeld && queue.header.settings.fifo) throw receiptExpired(input)
    if (isHeld) {
      queue.remove(message.id)
      // The next message of its group can be received now.
      queues.wake(queue)
    }
    return {}
  }
  const changeVisibility = (queue: Queue, input: ServiceInput): object => {
    const seconds = numberOf(
      input,
      'VisibilityTimeout',
      [0, maxVisibilitySeconds],
      `Must be between 0 and ${maxVisibilitySeconds}.`,
    )
    if (seconds === undefined) throw missing('VisibilityTimeout')
    const { message, isLatest } = receiptOf(queue, input)
    const nowMs = queues.now()
    if (message === undefined) throw unavailable(input)
    if (!isLatest) throw new ServiceError('MessageNotInflight', 'The message referred to isn’t in flight.')
    // On a standard queue who is late may still go on, as long as nobody else has received the message.
    if (queue.header.settings.fifo && !isInFlight(message, nowMs)) throw unavailable(input)
    const { firstReceivedMs = nowMs } = message.delivery
    if (nowMs - firstReceivedMs + seconds * 1000 > maxVisibilitySeconds * 1000) {
      throw new ServiceError(
        'InvalidParameterValue',
        `Total VisibilityTimeout for the message is beyond the limit [${maxVisibilitySeconds} seconds]`,
      )
    }
    queue.deliver(message, { ...message.delivery, visibleMs: nowMs + seconds * 1000 })
    queues.wake(queue)
    return {}
  }

  return {
    SendMessage: (input, _signal, headers) => sendMessage(queues, queueOf(input), input, traceOf(headers)),
    SendMessageBatch: (input, _signal, headers) => {
      const queue = queueOf(input)
      return runBatch(
        input,
        'SendMessageBatchRequestEntry',
        entry => sendMessage(queues, queue, entry, traceOf(headers)),
        entry => checkFifoEntry(queue, entry),
      )
    },
    ReceiveMessage: (input, signal) =>
      receiveMessages(queues, queueOf(input), input, signal, sleep, attempts),
    DeleteMessage: input => remove(queueOf(input), input),
    DeleteMessageBatch: input => {
      const queue = queueOf(input)
      return runBatch(input, 'DeleteMessageBatchRequestEntry', entry => remove(queue, entry))
    },
    ChangeMessageVisibility: input => changeVisibility(queueOf(input), input),
    ChangeMessageVisibilityBatch: input => {
      const queue = queueOf(input)
      return runBatch(input, 'ChangeMessageVisibilityBatchRequestEntry', entry =>
        changeVisibility(queue, entry),
      )
    },
  }
}

function unavailable(input: ServiceInput): ServiceError {
  return invalid(
    'ReceiptHandle',
    input['ReceiptHandle'],
    'Message does not exist or is not available for visibility timeout change.',
  )
}

/** X-Ray's header of the request is passed on with the message. */
function traceOf(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['x-amzn-trace-id']
  return typeof header === 'string' && header !== '' ? header : undefined
}
