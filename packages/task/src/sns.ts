import { parseDelivered } from './delivered-json.ts'
import { createDelivery, type DeliveryOptions } from './deliveries.ts'
import { type EventHandler, throwUnsettled } from './event-handler.ts'
import type { AnyTask } from './task.ts'

/** The part of a notification that is read. */
export interface SnsRecord {
  readonly Sns: { readonly MessageId: string; readonly Message: string }
}

export interface SnsEvent {
  readonly Records: readonly SnsRecord[]
}

/**
 * The task as a topic's subscriber; its input is the message. A retryable failure is thrown, and Lambda calls again; a
 * business failure goes to the dead letters, and is not tried again.
 */
export function toSnsHandler<T extends AnyTask>(
  task: T,
  options: DeliveryOptions<T, SnsRecord> = {},
): EventHandler<SnsEvent> {
  return throwUnsettled(createDelivery(task, messageOf, options), ({ Records }) =>
    Records.map(source => ({ id: source.Sns.MessageId, source, body: source.Sns.Message })),
  )
}

function messageOf({ Sns }: SnsRecord): unknown {
  return parseDelivered(Sns.Message, 'the message')
}
