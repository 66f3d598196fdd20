import { mkdir } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { accessKeyOf, readBody, startLoopbackServer } from '@stepwright/local-server'
import { runPartOfBatch } from './dynamodb/batch-split.ts'
import type { Answer, Call, Engine } from './dynamodb/engine.ts'
import { jsonAnswer } from './dynamodb/engine-calls.ts'
import { extendEngine } from './dynamodb/extend-engine.ts'
import { createFaults, type FaultEffect, type FaultError, type Faults } from './dynamodb/faults.ts'
import { openEngine } from './dynamodb/open-engine.ts'

export interface DynamoDbOptions {
  /** @default a free one */
  readonly port?: number
  /** Where tables outlive `stop()`, and a kill. @default memory */
  readonly dataDirectory?: string
  /** How long tables stay CREATING, UPDATING and DELETING; at 0 they are ready when the call returns. @default 0 */
  readonly tableDelayMs?: number
  /** Why a request is refused, as AWS words it; undefined where it is not. @default nothing is refused */
  readonly refusalOf?: (request: DynamoDbRequest) => string | undefined
  /** The time in ms, for time to live, streams and request tokens. @default Date.now */
  readonly now?: () => number
  /** Waits out injected latency. @default setTimeout */
  readonly sleep?: (delayMs: number, signal: AbortSignal) => Promise<void>
}

/** What is asked, and by whom. */
export interface DynamoDbRequest {
  readonly accessKeyId: string
  /** `GetItem` */
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
}

export interface DynamoDb extends AsyncDisposable {
  readonly endpoint: string
  readonly region: string
  /** Any are accepted: signatures are not verified. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** For the tests of what happens when DynamoDB misbehaves. */
  readonly faults: Faults
  /** Deletes the items whose time to live has passed, and returns their number. It happens by itself every minute. */
  deleteExpiredItems(): Promise<number>
  /** Cuts all connections, and forgets all tables unless there is a `dataDirectory`. Later calls do nothing. */
  stop(): Promise<void>
}

const sweepIntervalMs = 60_000
const maxRequestBytes = 16 * 1024 * 1024

const messages: Record<FaultError, { status: number; message: string }> = {
  ProvisionedThroughputExceededException: {
    status: 400,
    message: 'The level of configured provisioned throughput for the table was exceeded.',
  },
  ThrottlingException: { status: 400, message: 'Rate of requests exceeds the allowed throughput.' },
  RequestLimitExceeded: { status: 400, message: 'Throughput exceeds the current limit for your account.' },
  InternalServerError: { status: 500, message: 'The request could not be processed.' },
  ServiceUnavailable: { status: 503, message: 'The service is temporarily unavailable.' },
}

/** Starts DynamoDB's wire protocol in this process, on loopback. */
export async function startDynamoDb({
  port = 0,
  dataDirectory,
  tableDelayMs = 0,
  refusalOf = () => undefined,
  now = Date.now,
  sleep = (delayMs, signal) => wait(delayMs, undefined, { signal }),
}: DynamoDbOptions = {}): Promise<DynamoDb> {
  const path = dataDirectory === undefined ? undefined : resolve(dataDirectory, 'tables')
  // What is below is nobody else's to read.
  if (path !== undefined) await mkdir(path, { recursive: true, mode: 0o700 })
  const opened = await openEngine({ tableDelayMs, path })
  const extended = await extendEngine(opened, now)
  const { engine } = extended
  const faults = createFaults()
  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    closing: AbortSignal,
  ): Promise<void> {
    const call = await readCall(request)
    if (call === 'too large') {
      response.writeHead(413, { connection: 'close' }).end()
      return
    }
    const refused = refusalOf({ ...call, accessKeyId: accessKeyOf(request) })
    if (refused !== undefined) {
      send(response, accessDenied(refused))
      return
    }
    const answer = await answerWithFaults(call, faults.hitting(call), engine, delay => sleep(delay, closing))
    if (answer === 'drop') request.socket.resetAndDestroy()
    else send(response, answer)
  }
  const server = await startLoopbackServer(handle, port).catch(async error => {
    await opened.close()
    throw error
  })
  let stopping: Promise<void> | undefined
  let swept = Promise.resolve()
  const sweeping = setInterval(() => {
    swept = swept.then(extended.sweep).catch(error => process.emitWarning(error))
  }, sweepIntervalMs).unref()
  function stop(): Promise<void> {
    clearInterval(sweeping)
    stopping ??= server
      .close()
      .then(() => swept)
      .then(opened.close)
    return stopping
  }
  return {
    endpoint: server.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    deleteExpiredItems: extended.deleteExpiredItems,
    faults: { inject: faults.inject, clear: faults.clear },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

async function answerWithFaults(
  call: Call,
  effects: readonly FaultEffect[],
  engine: Engine,
  sleep: (delayMs: number) => Promise<void>,
): Promise<Answer | 'drop'> {
  for (const effect of effects) if (effect.kind === 'latency') await sleep(effect.delayMs)
  const effect = effects.find(one => one.kind !== 'latency')
  if (effect?.kind === 'error') return refusal(effect.error ?? 'ProvisionedThroughputExceededException')
  if (effect?.kind === 'unprocessed') return runPartOfBatch(call, engine, effect.processed)
  if (effect?.kind === 'drop') {
    if (effect.when === 'after') await engine(call)
    return 'drop'
  }
  return engine(call)
}

function refusal(error: FaultError): Answer {
  const { status, message } = messages[error]
  return jsonAnswer(status, { __type: `com.amazonaws.dynamodb.v20120810#${error}`, message })
}

function accessDenied(message: string): Answer {
  return jsonAnswer(400, { __type: 'com.amazon.coral.service#AccessDeniedException', Message: message })
}

async function readCall(request: IncomingMessage): Promise<Call | 'too large'> {
  const body = await readBody(request, maxRequestBytes)
  if (body === undefined) return 'too large'
  // dynalite would let every page in that names its origin.
  const { origin: _, ...headers } = request.headers
  const target = String(headers['x-amz-target'] ?? '')
  return {
    operation: target.split('.')[1] ?? '',
    method: request.method ?? '',
    url: request.url ?? '/',
    headers,
    body,
    input: parseObject(body.toString()),
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers).end(body)
}
