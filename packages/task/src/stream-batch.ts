import { type BatchOptions, type BatchResponse, runBatch, toBatchResponse } from './batch.ts'
import type { Deliver, Delivery } from './deliveries.ts'
import type { LambdaContext } from './invocation.ts'

/** A record of a stream, with the key whose records keep their order. */
export interface StreamRecord<Source> extends Delivery<Source> {
  readonly key: string
  /** By which the stream knows it; what a producer packed into one record shares it. */
  readonly sequenceNumber: string
}

/**
 * Runs a stream's records. Lambda delivers again everything from the first that is reported, so only that one is; with
 * a concurrency above 1, some of what follows it may have been done already, and is done again then.
 */
export async function runStreamBatch<Source>(
  records: readonly StreamRecord<Source>[],
  options: BatchOptions,
  context: LambdaContext | undefined,
  deliver: Deliver<Source>,
): Promise<BatchResponse> {
  const inOrder = (options.concurrency ?? 1) === 1
  const items = records.map(record => ({ ...record, lane: inOrder ? '' : record.key }))
  const [first] = await runBatch(items, options, context, async item => !(await deliver(item, context)))
  return toBatchResponse(first === undefined ? [] : [(records[first] as StreamRecord<Source>).sequenceNumber])
}
