import type { TaskError } from '@stepwright/errors'
import type { Deliver, Delivery } from './deliveries.ts'
import type { LambdaContext } from './invocation.ts'
import { toWireError } from './wire-error.ts'

export type EventHandler<Event> = (event: Event, context?: LambdaContext) => Promise<void>

/** For services that call a function asynchronously: what it throws is delivered again by Lambda itself. */
export function throwUnsettled<Event, Source>(
  deliver: Deliver<Source>,
  deliveriesOf: (event: Event) => readonly Delivery<Source>[],
): EventHandler<Event> {
  return async (event, context) => {
    let unsettled: TaskError | undefined
    for (const delivery of deliveriesOf(event)) unsettled = (await deliver(delivery, context)) ?? unsettled
    if (unsettled !== undefined) throw toWireError(unsettled)
  }
}
