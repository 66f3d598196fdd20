import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createJsonProtocol, type RefusalOf, startLoopbackServer } from '@stepwright/local-server'
import { messageOperations } from './api/message-operations.ts'
import { moveOperations } from './api/move-operations.ts'
import { queryErrorOf } from './api/query-errors.ts'
import { queueOperations } from './api/queue-operations.ts'
import type { Queue } from './queue/queue.ts'
import { createQueues } from './queue/queues.ts'
import { memoryLog, openQueueLog } from './storage/queue-log.ts'

export interface SqsOptions {
  /** @default a free one */
  readonly port?: number
  /** Where queues and messages outlive `stop()`, and a kill. @default memory */
  readonly dataDirectory?: string
  /** @default '000000000000' */
  readonly account?: string
  /** Why a caller may not do what it asks for, if it may not. @default everybody may do everything */
  readonly refusalOf?: RefusalOf
  /** @default Date.now */
  readonly now?: () => number
  /** What a long poll waits with. @default setTimeout */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface Sqs extends AsyncDisposable {
  readonly endpoint: string
  readonly region: string
  /** For `new SQSClient(…)`. Any credentials are accepted: signatures are not verified. */
  readonly clientConfig: {
    readonly endpoint: string
    readonly region: string
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  }
  queueUrl(name: string): string
  queueArn(name: string): string
  /** Cuts all connections, and forgets all messages unless there is a `dataDirectory`. Later calls do nothing. */
  stop(): Promise<void>
}

const region = 'us-east-1'
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }

/** Starts SQS's wire protocol in this process, on loopback. */
export async function startSqs({
  port = 0,
  dataDirectory,
  account = '000000000000',
  refusalOf,
  now = Date.now,
  sleep = (ms, signal) => wait(ms, undefined, { signal }),
}: SqsOptions = {}): Promise<Sqs> {
  const log = dataDirectory === undefined ? memoryLog : openQueueLog(resolve(dataDirectory, 'queues'), now)
  const queues = createQueues({ log, region, account, now })
  const urlOf = ({ header }: Queue): string => queueUrl(header.name)
  const handle = createJsonProtocol({
    target: 'AmazonSQS',
    version: '1.0',
    operations: {
      ...queueOperations(queues, urlOf),
      ...messageOperations(queues, sleep),
      ...moveOperations(queues),
    },
    maxRequestBytes: 16 * 1024 * 1024,
    queryErrorOf,
    refusalOf,
    accessDenied: 'AccessDenied',
  })
  const server = await startLoopbackServer(handle, port)
  const { endpoint } = server
  function queueUrl(name: string): string {
    return `${endpoint}/${account}/${name}`
  }
  let stopping: Promise<void> | undefined
  const end = async (): Promise<void> => {
    await server.close()
    log.close()
  }
  const stop = (): Promise<void> => {
    stopping ??= end()
    return stopping
  }
  return {
    endpoint,
    region,
    clientConfig: { endpoint, region, credentials },
    queueUrl,
    queueArn: name => `arn:aws:sqs:${region}:${account}:${name}`,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
