import {
  assertConcurrency,
  type BatchOptions,
  type BatchResponse,
  runBatch,
  toBatchResponse,
} from './batch.ts'
import { parseDelivered } from './delivered-json.ts'
import { createDelivery, type DeliveryOptions } from './deliveries.ts'
import type { LambdaContext } from './invocation.ts'
import type { AnyTask } from './task.ts'

export type { BatchOptions, BatchResponse } from './batch.ts'
export type { DeadLetter, DeadLetters } from './dead-letters.ts'
export type { DeliveryOptions } from './deliveries.ts'

/** The part of a message that is read. */
export interface SqsMessage {
  readonly messageId: string
  readonly body: string
  readonly attributes?: { readonly MessageGroupId?: string | undefined }
  /** Of the queue. */
  readonly eventSourceARN?: string | undefined
}

export interface SqsEvent<Message extends SqsMessage = SqsMessage> {
  readonly Records: readonly Message[]
}

/**
 * The task behind a queue, for an event source with `ReportBatchItemFailures`. A retryable failure is delivered again;
 * a business failure goes to the dead letters at once. Of a FIFO queue's messages, those of one group keep their
 * order: after one that goes back, the rest of its group goes back untried.
 */
export function toSqsHandler<T extends AnyTask>(
  task: T,
  options: DeliveryOptions<T, SqsMessage> & BatchOptions = {},
): (event: SqsEvent, context?: LambdaContext) => Promise<BatchResponse> {
  assertConcurrency(options)
  const deliver = createDelivery(task, bodyOf, options)
  return async ({ Records }, context) => {
    const items = Records.map(source => ({
      id: source.messageId,
      lane: orderedGroupOf(source) ?? `message ${source.messageId}`,
      source,
      body: source.body,
    }))
    const left = await runBatch(items, options, context, async item => !(await deliver(item, context)))
    return toBatchResponse(left.map(position => (items[position] as { id: string }).id))
  }
}

/** The groups of a standard queue say whose turn it is, and nothing about an order. */
function orderedGroupOf({ attributes, eventSourceARN = '.fifo' }: SqsMessage): string | undefined {
  return eventSourceARN.endsWith('.fifo') ? attributes?.MessageGroupId : undefined
}

function bodyOf({ body }: SqsMessage): unknown {
  return parseDelivered(body, "the message's body")
}
