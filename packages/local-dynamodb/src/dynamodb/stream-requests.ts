import type { Answer, Call, Engine } from './engine.ts'
import { jsonAnswer, refuse } from './engine-calls.ts'
import { type Stream, type Streams, toSequenceNumber } from './streams.ts'

interface Iterator {
  readonly arn: string
  readonly from: number
  readonly at: number
}

type Input = Call['input']

const iteratorLifeMs = 15 * 60_000
const maxRecords = 1000
const maxStreams = 100

/** Serves DynamoDB Streams on the endpoint of DynamoDB. A stream has one shard. */
export function withStreams(engine: Engine, streams: Streams, now: () => number): Engine {
  const requests: Readonly<Record<string, (input: Input) => Answer | Promise<Answer>>> = {
    ListStreams: input => listStreams(streams, input),
    DescribeStream: input =>
      withStream(streams, input, stream => jsonAnswer(200, { StreamDescription: describe(stream, input) })),
    GetShardIterator: input =>
      withStream(streams, input, stream => getShardIterator(streams, stream, input, now())),
    GetRecords: input => getRecords(streams, input, now()),
  }
  function describe(stream: Stream, { ShardFilter, ExclusiveStartShardId }: Input): object {
    const last = streams.endOf(stream.arn) - 1
    const shard = {
      ShardId: toShardId(stream),
      SequenceNumberRange: {
        StartingSequenceNumber: toSequenceNumber(stream.first),
        ...(stream.endedAt !== undefined && {
          EndingSequenceNumber: toSequenceNumber(Math.max(last, stream.first)),
        }),
      },
    }
    return {
      StreamArn: stream.arn,
      StreamLabel: stream.label,
      StreamStatus: stream.endedAt === undefined ? 'ENABLED' : 'DISABLED',
      StreamViewType: stream.viewType,
      CreationRequestDateTime: stream.createdAt / 1000,
      TableName: stream.tableName,
      KeySchema: stream.keySchema,
      Shards: ShardFilter == null && ExclusiveStartShardId == null ? [shard] : [],
    }
  }
  return async call => {
    const request = requests[call.operation]
    return request === undefined ? engine(call) : request(call.input)
  }
}

function toShardId({ createdAt, label }: Stream): string {
  const suffix = Buffer.from(label).reduce((hash, byte) => (hash * 31 + byte) >>> 0, 7)
  return `shardId-${String(createdAt).padStart(20, '0')}-${suffix.toString(16).padStart(8, '0')}`
}

function invalid(message: string): Answer {
  return refuse('ValidationException', message)
}

function withStream(
  streams: Streams,
  { StreamArn }: Input,
  run: (stream: Stream) => Answer | Promise<Answer>,
): Answer | Promise<Answer> {
  if (typeof StreamArn !== 'string') {
    return invalid(
      "1 validation error detected: Value null at 'streamArn' failed to satisfy constraint: Member must not be null",
    )
  }
  const stream = streams.all().find(({ arn }) => arn === StreamArn)
  if (stream !== undefined) return run(stream)
  return refuse('ResourceNotFoundException', `Requested resource not found: Stream: ${StreamArn} not found`)
}

function listStreams(streams: Streams, input: Input): Answer {
  const { TableName, ExclusiveStartStreamArn, Limit = maxStreams } = input
  if (typeof Limit !== 'number' || Limit < 1 || Limit > maxStreams) {
    return invalid(`Limit must be between 1 and ${maxStreams}`)
  }
  const found = streams
    .all()
    .filter(({ tableName }) => TableName == null || tableName === TableName)
    .sort((a, b) => (a.arn < b.arn ? -1 : 1))
    .filter(({ arn }) => ExclusiveStartStreamArn == null || arn > String(ExclusiveStartStreamArn))
  const page = found.slice(0, Limit)
  return jsonAnswer(200, {
    Streams: page.map(({ arn, tableName, label }) => ({
      StreamArn: arn,
      TableName: tableName,
      StreamLabel: label,
    })),
    ...(found.length > page.length && { LastEvaluatedStreamArn: page.at(-1)?.arn }),
  })
}

function getShardIterator(streams: Streams, stream: Stream, input: Input, at: number): Answer {
  const { ShardId, ShardIteratorType, SequenceNumber } = input
  if (ShardId !== toShardId(stream)) {
    return refuse('ResourceNotFoundException', `Requested resource not found: Shard: ${ShardId} not found`)
  }
  const answer = (from: number): Answer =>
    jsonAnswer(200, { ShardIterator: toToken({ arn: stream.arn, from, at }) })
  if (ShardIteratorType === 'TRIM_HORIZON') return answer(stream.first)
  if (ShardIteratorType === 'LATEST') return answer(streams.endOf(stream.arn))
  if (ShardIteratorType !== 'AT_SEQUENCE_NUMBER' && ShardIteratorType !== 'AFTER_SEQUENCE_NUMBER') {
    return invalid(
      `1 validation error detected: Value '${ShardIteratorType}' at 'shardIteratorType' failed to satisfy constraint: Member must satisfy enum value set: [AFTER_SEQUENCE_NUMBER, LATEST, AT_SEQUENCE_NUMBER, TRIM_HORIZON]`,
    )
  }
  if (typeof SequenceNumber !== 'string' || !/^1\d{20}$/.test(SequenceNumber)) {
    return invalid(`Invalid SequenceNumber: ${SequenceNumber}`)
  }
  const number = Number(SequenceNumber.slice(1))
  return answer(ShardIteratorType === 'AT_SEQUENCE_NUMBER' ? number : number + 1)
}

async function getRecords(
  streams: Streams,
  { ShardIterator, Limit = maxRecords }: Input,
  now: number,
): Promise<Answer> {
  if (typeof Limit !== 'number' || Limit < 1 || Limit > maxRecords) {
    return invalid(`Limit must be between 1 and ${maxRecords}`)
  }
  const iterator = parseToken(ShardIterator)
  if (iterator === undefined) return invalid('Invalid ShardIterator')
  if (iterator.at + iteratorLifeMs < now) {
    return refuse('ExpiredIteratorException', 'The shard iterator has expired: it is valid for 15 minutes')
  }
  const { arn, from } = iterator
  return withStream(streams, { StreamArn: arn }, async stream => {
    if (from < stream.first) {
      return refuse(
        'TrimmedDataAccessException',
        'The records at this position were removed: they are kept for 24 hours',
      )
    }
    const { records, next } = await streams.read(stream, from, Limit)
    const isAtEnd = stream.endedAt !== undefined && next >= streams.endOf(arn)
    const NextShardIterator = toToken({ arn, from: next, at: now })
    return jsonAnswer(200, { Records: records, ...(!isAtEnd && { NextShardIterator }) })
  })
}

function toToken(iterator: Iterator): string {
  return `${iterator.arn}|1|${Buffer.from(JSON.stringify(iterator)).toString('base64')}`
}

function parseToken(token: unknown): Iterator | undefined {
  try {
    const { arn, from, at } = JSON.parse(Buffer.from(String(token).split('|')[2] ?? '', 'base64').toString())
    return typeof arn === 'string' && typeof from === 'number' && typeof at === 'number'
      ? { arn, from, at }
      : undefined
  } catch {
    return undefined
  }
}
