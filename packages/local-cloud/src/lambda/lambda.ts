import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { accessKeyOf, readBody, startLoopbackServer } from '@stepwright/local-server'
import { Refusal } from '../refusal.ts'
import { type FailedEvent, openEventQueue, type QueuedEvent } from './event-queue.ts'
import { configurationOf, type LambdaFunction, nameOf } from './function-configuration.ts'
import { functionNotFound } from './function-not-found.ts'
import { parseFunctionName } from './function-reference.ts'
import { invoke, type LambdaAnswer } from './invoke.ts'

/** Lambda's API over the functions of an app. */
export interface Lambda extends AsyncDisposable {
  readonly endpoint: string
  /** An asynchronous call. Resolves when the function has succeeded, or the event is given up. */
  send(functionName: string, event: unknown): Promise<void>
  /** Makes the asynchronous calls that are waiting, also those of an earlier process, and each new one at once. */
  run(): void
  /** Begins no asynchronous call any more, and forgets the answers of those under way: they are made again. */
  pause(): Promise<void>
  stop(): Promise<void>
}

export interface LambdaOptions {
  readonly functions: readonly LambdaFunction[]
  /** Where asynchronous calls outlive a kill. @default nothing does */
  readonly eventFile?: string | undefined
  /** Whether asynchronous calls wait for `run()`, because functions are still to come. @default false */
  readonly paused?: boolean
  /** Takes an event whose function failed each time. @default nobody does */
  readonly onFailure?: (functionName: string, failed: FailedEvent) => Promise<void>
  /** @default Date.now */
  readonly now?: () => number
  /** What asynchronous calls wait with before they are made again. @default setTimeout, which keeps no process alive */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Why a caller may not invoke a function, if it may not. @default everybody may */
  readonly refusalOf?: (accessKeyId: string, functionArn: string) => string | undefined
  /** @default a free one */
  readonly port?: number
}

const maxRequestBytes = 7 * 1024 * 1024
const maxFunctions = 50
const arnPrefix = 'arn:aws:lambda:us-east-1:000000000000:function:'

/** Starts Lambda's API in this process, on loopback: Invoke, and reading what functions there are. */
export async function startLambda({
  functions,
  eventFile,
  paused = false,
  onFailure = async () => {},
  now = Date.now,
  sleep = (ms, signal) => wait(ms, undefined, { signal, ref: false }),
  refusalOf = () => undefined,
  port = 0,
}: LambdaOptions): Promise<Lambda> {
  const byName = new Map(functions.map(lambda => [nameOf(lambda.arn), lambda]))
  const events = openEventQueue({ functions: byName, now, sleep, file: eventFile, onFailure })
  const queue = (event: Omit<QueuedEvent, 'acceptedMs'>): Promise<void> =>
    events.send({ ...event, acceptedMs: now() })

  async function answer(request: IncomingMessage): Promise<LambdaAnswer> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://lambda')
    const [version, collection, given = '', action = ''] = pathname.split('/').slice(1)
    const operation = `${request.method} ${action}`
    if (version !== '2015-03-31' || collection !== 'functions') throw unknownOperation()
    refuseOthers(searchParams, given === '' ? ['Marker', 'MaxItems'] : ['Qualifier'])
    if (given === '' && operation === 'GET ') return json(list(searchParams))
    const name = parseFunctionName(decode(given), arnPrefix, searchParams.get('Qualifier'))
    const lambda = byName.get(name)
    if (lambda === undefined) throw functionNotFound(`${arnPrefix}${name}`)
    if (operation === 'POST invocations') {
      const refusal = refusalOf(accessKeyOf(request), lambda.arn)
      if (refusal !== undefined) throw new Refusal(403, 'AccessDeniedException', refusal)
      return invoke(lambda, await readBody(request, maxRequestBytes), request.headers, queue)
    }
    const Configuration = configurationOf(lambda)
    if (operation === 'GET configuration') return json(Configuration)
    if (operation === 'GET ') return json({ Configuration, Code: {}, Tags: {} })
    throw unknownOperation()
  }

  function list(parameters: URLSearchParams): object {
    const start = readWhole(parameters, 'Marker', 0, functions.length) ?? 0
    const size = readWhole(parameters, 'MaxItems', 1, 10_000) ?? maxFunctions
    const page = functions.slice(start, start + size)
    const end = start + page.length
    return {
      Functions: page.map(configurationOf),
      ...(end < functions.length && { NextMarker: String(end) }),
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await answer(request).catch(toRefusal)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }

  const server = await startLoopbackServer(handle, port)
  if (!paused) events.run()
  const stop = async (): Promise<void> => {
    await server.close()
    await events.stop()
  }
  return {
    endpoint: server.endpoint,
    send: (functionName, event) => queue({ functionName, event, requestId: randomUUID() }),
    run: events.run,
    pause: events.pause,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** What cannot be decoded is no function's name, and is refused as such. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function readWhole(
  parameters: URLSearchParams,
  name: string,
  least: number,
  most: number,
): number | undefined {
  const text = parameters.get(name)
  if (text === null) return undefined
  const value = Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new Refusal(
    400,
    'InvalidParameterValueException',
    `${name} must be a whole number from ${least} to ${most}, not ${text}`,
  )
}

/** Refuses a parameter that would be ignored, by its name. */
function refuseOthers(parameters: URLSearchParams, known: readonly string[]): void {
  const ignored = [...parameters.keys()].find(name => !known.includes(name))
  if (ignored === undefined) return
  throw new Refusal(
    400,
    'InvalidParameterValueException',
    `The parameter ${ignored} is not supported on this machine`,
  )
}

function unknownOperation(): Refusal {
  return new Refusal(
    404,
    'UnknownOperationException',
    'Of Lambda, only Invoke, GetFunction, GetFunctionConfiguration and ListFunctions run on this machine.',
  )
}

function json(body: object): LambdaAnswer {
  return { status: 200, body: JSON.stringify(body) }
}

function toRefusal(error: unknown): LambdaAnswer {
  const { status, type, message, details } =
    error instanceof Refusal ? error : new Refusal(500, 'ServiceException', String(error))
  return {
    status,
    headers: { 'x-amzn-errortype': type },
    body: JSON.stringify({ ...details, Type: status < 500 ? 'User' : 'Service', Message: message, message }),
  }
}
