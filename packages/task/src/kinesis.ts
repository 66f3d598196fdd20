import { assertConcurrency, type BatchOptions, type BatchResponse } from './batch.ts'
import { parseDelivered } from './delivered-json.ts'
import { createDelivery, type DeliveryOptions } from './deliveries.ts'
import type { LambdaContext } from './invocation.ts'
import { unpackAggregate } from './kinesis-aggregate.ts'
import { runStreamBatch, type StreamRecord } from './stream-batch.ts'
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
 * the shard goes on. Records that the Kinesis Producer Library packed into one are the task's one by one; of such a
 * record, all are delivered again where one may succeed later.
 */
export function toKinesisHandler<T extends AnyTask>(
  task: T,
  options: DeliveryOptions<T, KinesisRecord> & BatchOptions = {},
): (event: KinesisEvent, context?: LambdaContext) => Promise<BatchResponse> {
  assertConcurrency(options)
  const deliver = createDelivery(task, dataOf, options)
  return ({ Records }, context) => {
    return runStreamBatch(Records.flatMap(toStreamRecords), options, context, deliver)
  }
}

/** More than one where the Kinesis Producer Library packed several into one. */
function toStreamRecords(record: KinesisRecord): readonly StreamRecord<KinesisRecord>[] {
  const { sequenceNumber } = record.kinesis
  const toRecord = (source: KinesisRecord, id: string): StreamRecord<KinesisRecord> => {
    const { partitionKey, data } = source.kinesis
    return { id, sequenceNumber, key: partitionKey, source, body: data }
  }
  const packed = unpackAggregate(Buffer.from(record.kinesis.data, 'base64'))
  if (packed === undefined) return [toRecord(record, sequenceNumber)]
  return packed.map(({ partitionKey, data }, index) => {
    const kinesis = { ...record.kinesis, partitionKey, data: data.toString('base64') }
    return toRecord({ ...record, kinesis }, `${sequenceNumber}.${index}`)
  })
}

function dataOf({ kinesis }: KinesisRecord): unknown {
  return parseDelivered(Buffer.from(kinesis.data, 'base64').toString(), "the record's data")
}
