import { assertConcurrency, type BatchOptions, type BatchResponse } from './batch.ts'
import { parseDelivered } from './delivered-json.ts'
import { createDelivery, type DeliveryOptions } from './deliveries.ts'
import type { LambdaContext } from './invocation.ts'
import { runStreamBatch } from './stream-batch.ts'
import type { AnyTask } from './task.ts'

/** The part of a record that is read. */
export interface KinesisRecord {
  readonly kinesis: {
    readonly sequenceNumber: string
    readonly partitionKey: string
    /** In base64. */
    readonly data: string
  }
}

export interface KinesisEvent {
  readonly Records: readonly KinesisRecord[]
}

/**
 * The task behind a Kinesis stream, for an event source with `ReportBatchItemFailures`. A retryable failure stops its
 * shard there, and is delivered again with all that follows; a business failure goes to the dead letters at once, and
 * the shard goes on.
 */
export function toKinesisHandler<T extends AnyTask, Settings = undefined>(
  task: T,
  options: DeliveryOptions<T, KinesisRecord, Settings> & BatchOptions = {},
): (event: KinesisEvent, context?: LambdaContext) => Promise<BatchResponse> {
  assertConcurrency(options)
  const deliver = createDelivery(task, dataOf, options)
  return ({ Records }, context) => {
    const records = Records.map(source => ({
      id: source.kinesis.sequenceNumber,
      key: source.kinesis.partitionKey,
      source,
      body: source.kinesis.data,
    }))
    return runStreamBatch(records, options, context, deliver)
  }
}

function dataOf({ kinesis }: KinesisRecord): unknown {
  return parseDelivered(Buffer.from(kinesis.data, 'base64').toString(), "the record's data")
}
