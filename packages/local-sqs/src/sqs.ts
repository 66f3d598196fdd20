import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  createJsonProtocol,
  type LocalService,
  localRegion,
  type RefusalOf,
  startLocalService,
} from '@stepwright/local-server'
import { messageOperations } from './api/message-operations.ts'
import { moveOperations } from './api/move-operations.ts'
import { parameters } from './api/parameters.ts'
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

export interface Sqs extends LocalService {
  queueUrl(name: string): string
  queueArn(name: string): string
  /** Cuts all connections, and forgets all messages unless there is a `dataDirectory`. Later calls do nothing. */
  stop(): Promise<void>
}

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
  const queues = createQueues({ log, region: localRegion, account, now })
  const urlOf = ({ header }: Queue): string => queueUrl(header.name)
  const handle = createJsonProtocol({
    target: 'AmazonSQS',
    version: '1.0',
    operations: {
      ...queueOperations(queues, urlOf),
      ...messageOperations(queues, sleep),
      ...moveOperations(queues),
    },
    parameters,
    maxRequestBytes: 16 * 1024 * 1024,
    queryErrorOf,
    refusalOf,
    accessDenied: { code: 'AccessDenied', status: 403 },
  })
  const service = await startLocalService(handle, { port, afterEnd: log.close })
  function queueUrl(name: string): string {
    return `${service.endpoint}/${account}/${name}`
  }
  return { ...service, queueUrl, queueArn: name => `arn:aws:sqs:${localRegion}:${account}:${name}` }
}
