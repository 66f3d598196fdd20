import type { IncomingMessage, ServerResponse } from 'node:http'
import { accessKeyOf, readBody, startLoopbackServer } from '@stepwright/local-server'
import { Refusal } from '../refusal.ts'
import { configurationOf, type LambdaFunction, nameOf } from './function-configuration.ts'
import { functionNotFound } from './function-not-found.ts'
import { parseFunctionName } from './function-reference.ts'
import { invoke, type LambdaAnswer } from './invoke.ts'

/** Lambda's API over the functions of an app. */
export interface Lambda extends AsyncDisposable {
  readonly endpoint: string
  stop(): Promise<void>
}

export interface LambdaOptions {
  readonly functions: readonly LambdaFunction[]
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
  refusalOf = () => undefined,
  port = 0,
}: LambdaOptions): Promise<Lambda> {
  const byName = new Map(functions.map(lambda => [nameOf(lambda.arn), lambda]))

  async function answer(request: IncomingMessage): Promise<LambdaAnswer> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://lambda')
    const [version, collection, given = '', action = ''] = pathname.split('/').slice(1)
    const operation = `${request.method} ${action}`
    if (version !== '2015-03-31' || collection !== 'functions') throw unknownOperation()
    if (given === '' && operation === 'GET ') return json(list(searchParams))
    const name = parseFunctionName(decode(given), arnPrefix, searchParams.get('Qualifier'))
    const lambda = byName.get(name)
    if (lambda === undefined) throw functionNotFound(`${arnPrefix}${name}`)
    if (operation === 'POST invocations') {
      const refusal = refusalOf(accessKeyOf(request), lambda.arn)
      if (refusal !== undefined) throw new Refusal(403, 'AccessDeniedException', refusal)
      return invoke(lambda, await readBody(request, maxRequestBytes), request.headers)
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
  return { endpoint: server.endpoint, stop: server.close, [Symbol.asyncDispose]: server.close }
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
  const { status, type, message } =
    error instanceof Refusal ? error : new Refusal(500, 'ServiceException', String(error))
  return {
    status,
    headers: { 'x-amzn-errortype': type },
    body: JSON.stringify({ Type: status < 500 ? 'User' : 'Service', Message: message, message }),
  }
}
