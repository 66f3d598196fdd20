import { setTimeout as wait } from 'node:timers/promises'
import { callJsonService, localRegion, ServiceError } from '@stepwright/local-server'
import { runStreamBatch, type StreamRecord } from './stream-batch.ts'

export interface StreamPollerOptions {
  /** DynamoDB's. */
  readonly endpoint: string
  readonly tableName: string
  readonly batchSize: number
  readonly maxRetries: number
  readonly handle: (records: readonly object[]) => Promise<unknown>
  /** The last change that was worked on, of this stream. */
  readonly position: (streamArn: string) => string | undefined
  readonly onPosition: (streamArn: string, sequenceNumber: string) => Promise<void>
  /** What it waits with before it tries a change again. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** A change that failed at every try, as Lambda tells a destination of it. */
  readonly onGivenUp: (failed: object) => Promise<void>
}

const idleMs = 100
const maxPauseMs = 5000

/**
 * Hands the changes of a table's items to a function, in order, as Lambda does. Disposing of it waits for nobody:
 * what is being worked on then is delivered again after the next start.
 */
export function startStreamPoller(options: StreamPollerOptions): Disposable {
  const { endpoint, tableName, batchSize, maxRetries, handle, sleep } = options
  const { position, onPosition, onGivenUp } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const call = <Answer>(operation: string, input: object): Promise<Answer> =>
    callJsonService({
      endpoint,
      target: `DynamoDBStreams_20120810.${operation}`,
      version: '1.0',
      input,
      signal,
    }) as Promise<Answer>

  async function work(streamArn: string, shardId: string, records: readonly StreamRecord[]): Promise<void> {
    await runStreamBatch(records, {
      maxRetries,
      handle: batch => handle(batch.map(record => toEventRecord(record, streamArn))),
      pause: tries => sleep(Math.min(idleMs * 2 ** tries, maxPauseMs), signal),
      onDone: async ({ dynamodb }) => {
        // Who is called away does not say that it has finished.
        signal.throwIfAborted()
        await onPosition(streamArn, dynamodb.SequenceNumber)
      },
      onGivenUp: (record, tries) => onGivenUp(toFailure(record, tries, streamArn, shardId)),
    })
  }

  /** Whether what it read last was kept for less than a day: otherwise it goes on with what there still is. */
  let isKept = true

  async function read(): Promise<void> {
    const { Streams = [] } = await call<{ Streams?: readonly { StreamArn: string; StreamLabel: string }[] }>(
      'ListStreams',
      { TableName: tableName },
    )
    const StreamArn = Streams.map(stream => stream.StreamArn)
      .sort()
      .at(-1)
    if (StreamArn === undefined) return
    const { StreamDescription } = await call<{
      StreamDescription: { Shards: readonly { ShardId: string }[] }
    }>('DescribeStream', { StreamArn })
    const ShardId = StreamDescription.Shards[0]?.ShardId ?? ''
    const after = isKept ? position(StreamArn) : undefined
    isKept = true
    const start =
      after === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after }
    let { ShardIterator } = await call<{ ShardIterator: string | undefined }>('GetShardIterator', {
      StreamArn,
      ShardId,
      ...start,
    })
    while (ShardIterator !== undefined && !signal.aborted) {
      const { Records, NextShardIterator } = await call<{
        Records: readonly StreamRecord[]
        NextShardIterator?: string
      }>('GetRecords', { ShardIterator, Limit: batchSize })
      if (Records.length > 0) await work(StreamArn, ShardId, Records)
      else await wait(idleMs, undefined, { signal })
      ShardIterator = NextShardIterator
    }
  }

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      try {
        await read()
      } catch (error) {
        // It begins again where it was: an iterator ends after a while, and so does a stream.
        if (error instanceof ServiceError && error.code === 'TrimmedDataAccessException') isKept = false
      }
      await wait(idleMs, undefined, { signal }).catch(() => undefined)
    }
  }
  void poll()
  return { [Symbol.dispose]: () => stopping.abort() }
}

/** A record as a function gets it, in which Lambda writes some names in another way than DynamoDB. */
function toEventRecord({ userIdentity, ...record }: StreamRecord, streamArn: string): object {
  const { PrincipalId: principalId, Type: type } = userIdentity ?? {}
  return {
    ...record,
    ...(userIdentity && { userIdentity: { principalId, type } }),
    awsRegion: localRegion,
    eventSourceARN: streamArn,
  }
}

/** What Lambda sends to the destination of a stream: where the record is, and not the record itself. */
function toFailure(record: StreamRecord, tries: number, streamArn: string, shardId: string): object {
  const { SequenceNumber, ApproximateCreationDateTime = 0 } = record.dynamodb
  const arrived = new Date(ApproximateCreationDateTime * 1000).toISOString()
  return {
    requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: tries },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: arrived,
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: SequenceNumber,
      endSequenceNumber: SequenceNumber,
      approximateArrivalOfFirstRecord: arrived,
      approximateArrivalOfLastRecord: arrived,
      batchSize: 1,
      streamArn,
    },
  }
}
