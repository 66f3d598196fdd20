import type { Task } from '@stepwright/task'
import type { DeadLetters } from '@stepwright/task/dead-letters'
import {
  type DynamoDbRecord,
  type DynamoDbStreamEvent,
  toDynamoDbStreamHandler,
} from '@stepwright/task/dynamodb-stream'
import { type EventBridgeEvent, toEventBridgeHandler } from '@stepwright/task/eventbridge'
import type { LambdaContext } from '@stepwright/task/lambda'
import { type ScheduleEvent, toScheduleHandler } from '@stepwright/task/schedule'
import {
  type BatchOptions,
  type BatchResponse,
  type DeliveryOptions,
  type SqsEvent,
  type SqsMessage,
  toSqsHandler,
} from '@stepwright/task/sqs'
import type { Binding, Bindings } from '../bindings/binding.ts'
import type { WithoutPorts } from './lambda.ts'
import { createFunction, type FunctionOptions, type LambdaFunction } from './lambda-function.ts'

type EventOptions<T extends Task<never, unknown, never>, Source> = FunctionOptions &
  Omit<WithoutPorts<DeliveryOptions<T, Source>>, 'deadLetters'> & {
    /** Where a business failure goes at once. @default none: it is delivered again until the service gives up */
    readonly deadLetters?: Binding<DeadLetters>
  }

export type SqsHandler = (event: SqsEvent, context?: LambdaContext) => Promise<BatchResponse>
export type EventHandler<Event> = (event: Event, context?: LambdaContext) => Promise<void>

/** A task behind a queue, called once per message; a retryable failure is delivered again. */
export function sqs<Input, Output, Ports>(
  task: Task<Input, Output, Ports>,
  bindings: Bindings<NoInfer<Ports>>,
  options: EventOptions<Task<Input, Output, Ports>, SqsMessage> & BatchOptions = {},
): SqsHandler & LambdaFunction<'sqs', Ports, SqsHandler> {
  return createFunction({
    kind: 'sqs',
    task,
    bindings,
    beside: options.deadLetters,
    options,
    build: opening => toSqsHandler(task, { ...options, ...opening } as never),
  })
}

export type DynamoDbStreamHandler = (
  event: DynamoDbStreamEvent,
  context?: LambdaContext,
) => Promise<BatchResponse>

/** A task behind the stream of a table, called once per change with `{ eventName, keys, newImage, oldImage }`. */
export function dynamoDbStream<Input, Output, Ports>(
  task: Task<Input, Output, Ports>,
  bindings: Bindings<NoInfer<Ports>>,
  options: EventOptions<Task<Input, Output, Ports>, DynamoDbRecord> & BatchOptions = {},
): DynamoDbStreamHandler & LambdaFunction<'dynamodb', Ports, DynamoDbStreamHandler> {
  return createFunction({
    kind: 'dynamodb',
    task,
    bindings,
    beside: options.deadLetters,
    options,
    build: opening => toDynamoDbStreamHandler(task, { ...options, ...opening } as never),
  })
}

/** A task behind a rule of EventBridge, called with the event's detail. */
export function eventBridge<Input, Output, Ports>(
  task: Task<Input, Output, Ports>,
  bindings: Bindings<NoInfer<Ports>>,
  options: EventOptions<Task<Input, Output, Ports>, EventBridgeEvent> = {},
): EventHandler<EventBridgeEvent> & LambdaFunction<'event', Ports, EventHandler<EventBridgeEvent>> {
  return createFunction({
    kind: 'event',
    task,
    bindings,
    beside: options.deadLetters,
    options,
    build: opening => toEventBridgeHandler(task, { ...options, ...opening } as never),
  })
}

/** A task behind a schedule, called with `{ scheduledAt }`. */
export function schedule<Input, Output, Ports>(
  task: Task<Input, Output, Ports>,
  bindings: Bindings<NoInfer<Ports>>,
  options: EventOptions<Task<Input, Output, Ports>, ScheduleEvent> = {},
): EventHandler<ScheduleEvent> & LambdaFunction<'event', Ports, EventHandler<ScheduleEvent>> {
  return createFunction({
    kind: 'event',
    task,
    bindings,
    beside: options.deadLetters,
    options,
    build: opening => toScheduleHandler(task, { ...options, ...opening } as never),
  })
}
