import { createDelivery, type DeliveryOptions } from './deliveries.ts'
import { type EventHandler, throwUnsettled } from './event-handler.ts'
import type { AnyTask } from './task.ts'

/** The part of an event that is read. */
export interface EventBridgeEvent {
  readonly id: string
  readonly source: string
  readonly 'detail-type': string
  /** When it happened, ISO 8601; of a schedule, when it was due. */
  readonly time: string
  readonly detail: unknown
}

/**
 * The task as the target of a rule; its input is the event's detail. A retryable failure is thrown, and Lambda calls
 * again; a business failure goes to the dead letters, and is not tried again.
 */
export function toEventBridgeHandler<T extends AnyTask>(
  task: T,
  options: DeliveryOptions<T, EventBridgeEvent> = {},
): EventHandler<EventBridgeEvent> {
  return throwUnsettled(
    createDelivery(task, ({ detail }) => detail, options),
    event => [{ id: event.id, source: event, body: JSON.stringify(event) }],
  )
}
