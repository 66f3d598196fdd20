import { createDelivery, type DeliveryOptions } from './deliveries.ts'
import { type EventHandler, throwUnsettled } from './event-handler.ts'
import type { AnyTask } from './task.ts'

/** The part of a scheduled rule's event that is read. */
export interface ScheduleEvent {
  readonly id: string
  /** When it was due, ISO 8601. */
  readonly time: string
}

/**
 * The task as the target of a schedule; its input is `{ scheduledAt }`. A retryable failure is thrown, and Lambda calls
 * again; a business failure goes to the dead letters, and is not tried again.
 */
export function toScheduleHandler<T extends AnyTask>(
  task: T,
  options: DeliveryOptions<T, ScheduleEvent> = {},
): EventHandler<ScheduleEvent> {
  return throwUnsettled(
    createDelivery(task, ({ time }) => ({ scheduledAt: time }), options),
    event => [{ id: event.id, source: event, body: JSON.stringify(event) }],
  )
}
