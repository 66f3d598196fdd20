import { type AttributeValues, fromAttributeValues } from './attribute-value.ts'
import { assertConcurrency, type BatchOptions, type BatchResponse } from './batch.ts'
import { createDelivery, type DeliveryOptions } from './deliveries.ts'
import type { LambdaContext } from './invocation.ts'
import { runStreamBatch } from './stream-batch.ts'
import type { AnyTask } from './task.ts'

export type { AttributeValue, AttributeValues } from './attribute-value.ts'

/** The part of a record that is read. */
export interface DynamoDbRecord {
  readonly eventName?: 'INSERT' | 'MODIFY' | 'REMOVE' | undefined
  readonly dynamodb?: DynamoDbChange | undefined
}

interface DynamoDbChange {
  readonly SequenceNumber?: string | undefined
  readonly Keys?: AttributeValues | undefined
  readonly NewImage?: AttributeValues | undefined
  readonly OldImage?: AttributeValues | undefined
}

export interface DynamoDbStreamEvent {
  readonly Records: readonly DynamoDbRecord[]
}

/**
 * The task behind a table's stream, for an event source with `ReportBatchItemFailures`: as behind a Kinesis stream,
 * with the items' keys for partition keys. Its input is `{ eventName, keys, newImage, oldImage }`, as plain values.
 */
export function toDynamoDbStreamHandler<T extends AnyTask>(
  task: T,
  options: DeliveryOptions<T, DynamoDbRecord> & BatchOptions = {},
): (event: DynamoDbStreamEvent, context?: LambdaContext) => Promise<BatchResponse> {
  assertConcurrency(options)
  const deliver = createDelivery(task, changeOf, options)
  return ({ Records }, context) => {
    const records = Records.map(source => ({
      id: source.dynamodb?.SequenceNumber ?? '',
      sequenceNumber: source.dynamodb?.SequenceNumber ?? '',
      key: JSON.stringify(source.dynamodb?.Keys),
      source,
      body: JSON.stringify(source),
    }))
    return runStreamBatch(records, options, context, deliver)
  }
}

function changeOf({ eventName, dynamodb: { Keys, NewImage, OldImage } = {} }: DynamoDbRecord): unknown {
  return {
    eventName,
    keys: Keys && fromAttributeValues(Keys),
    ...(NewImage && { newImage: fromAttributeValues(NewImage) }),
    ...(OldImage && { oldImage: fromAttributeValues(OldImage) }),
  }
}
