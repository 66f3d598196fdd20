import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { readBody, startLoopbackServer } from '@stepwright/local-server'
import { corsHeaders, type GatewayCors, preflightHeaders } from './gateway/cors.ts'
import { createDeadlines } from './gateway/deadlines.ts'
import { failed, gatewayAnswers, message } from './gateway/gateway-answers.ts'
import { createJwtVerifier, InvalidTokenError, signJwt, type TokenClaims } from './gateway/jwt.ts'
import { assertSmallEnough, isTooLarge } from './gateway/payload-limit.ts'
import { type Answer, type ApiKind, toAnswer } from './gateway/proxy-answer.ts'
import { toHttpApiEvent, toRestEvent } from './gateway/proxy-event.ts'
import { createRouteTable } from './gateway/route-table.ts'
import { StreamedAnswer } from './gateway/streamed-answer.ts'

export type { GatewayCors } from './gateway/cors.ts'
export type { TokenClaims } from './gateway/jwt.ts'
export { GatewayRouteError } from './gateway/route-table.ts'

/** A Lambda function behind the gateway. With `streaming`, its response goes into `stream`, as Lambda streams it. */
export type GatewayHandler = (event: never, context: GatewayContext, stream?: Writable) => Promise<unknown>

export interface GatewayContext {
  readonly awsRequestId: string
  readonly functionName: string
  getRemainingTimeInMillis(): number
}

export interface GatewayRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As API Gateway writes it: `/campaigns/{id}`. */
  readonly path: string
  readonly handler: GatewayHandler
  /** Whether a caller needs a token. @default true */
  readonly authorized?: boolean
  /** Whether the handler streams its response: for as long as it likes, but never 5 minutes without a byte. @default false */
  readonly streaming?: boolean
}

/** A page beside the routes. */
export interface GatewaySite {
  find(
    path: string,
  ): { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } | undefined
}

export interface GatewayOptions {
  readonly routes: readonly GatewayRoute[]
  /** The shape of events: a REST API's (1.0) or an HTTP API's (2.0). @default 'http' */
  readonly api?: ApiKind
  readonly cors?: GatewayCors
  /** Answers a GET that no route does. @default none */
  readonly site?: GatewaySite
  /** Signs and checks tokens (HS256). @default a random one */
  readonly jwtSecret?: string
  /** After that the caller gets API Gateway's 504 or, of an HTTP API, 503. @default 29,000; of an HTTP API 30,000 */
  readonly timeoutMs?: number
  /** @default a free one */
  readonly port?: number
  /** Hears of every request, when it has been answered. @default nobody does */
  readonly onRequest?: (request: AnsweredRequest) => void
  /** @default Date.now */
  readonly now?: () => number
}

/** A request, without what it carried. */
export interface AnsweredRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly status: number
  readonly startMs: number
  readonly endMs: number
}

export interface Gateway extends AsyncDisposable {
  readonly endpoint: string
  /** A token that the gateway accepts: `issueToken({ sub: 'ann' })`. */
  issueToken(claims: TokenClaims, options?: { readonly expiresInSeconds?: number }): string
  stop(): Promise<void>
}

const maxBodyBytes = 10 * 1024 * 1024
const maxStreamIdleMs = 300_000

/** Starts an API Gateway in this process, on loopback: HTTP requests become proxy events for handlers. */
export async function startGateway({
  routes,
  api = 'http',
  cors = {},
  site,
  jwtSecret = randomBytes(32).toString('base64url'),
  timeoutMs = api === 'rest' ? 29_000 : 30_000,
  port = 0,
  onRequest,
  now = Date.now,
}: GatewayOptions): Promise<Gateway> {
  const table = createRouteTable(routes)
  const verifyJwt = createJwtVerifier(jwtSecret)
  const headersOfAll = corsHeaders(cors)
  const toEvent = api === 'rest' ? toRestEvent : toHttpApiEvent
  const answers = gatewayAnswers[api]

  /** Nothing where the answer has been sent already. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<Answer | undefined> {
    const { path, rawQuery } = targetOf(request)
    const method = request.method ?? 'GET'
    if (method === 'OPTIONS')
      return { status: 204, headers: preflightHeaders(cors, table.methodsOf(path)), body: '' }
    const match = table.find(method, path)
    if (match === undefined) {
      if (site === undefined || (method !== 'GET' && method !== 'HEAD')) return answers.noRoute
      const file = site.find(path)
      return file ? { status: 200, ...file } : message(404, 'Not Found')
    }

    let claims: TokenClaims | undefined
    if (match.route.authorized ?? true) {
      try {
        claims = verifyJwt(tokenOf(request), now())
      } catch (error) {
        if (error instanceof InvalidTokenError) return message(401, `Unauthorized: ${error.message}`)
        throw error
      }
    }
    const body = await readBody(request, maxBodyBytes)
    if (body === undefined) return answers.tooLong
    const event = toEvent({
      method,
      resource: match.route.path,
      path,
      rawQuery,
      rawHeaders: request.rawHeaders,
      pathParameters: match.pathParameters,
      body,
      claims,
      requestId: randomUUID(),
      timeMs: now(),
      port: ownPort,
    })
    if (isTooLarge(event, body.length)) return answers.tooLong
    return match.route.streaming ? stream(match.route, event, response) : invoke(match.route, event)
  }

  async function stream(
    route: GatewayRoute,
    event: Record<string, unknown>,
    response: ServerResponse,
  ): Promise<Answer | undefined> {
    const name = `${route.method} ${route.path}`
    const streamed = new StreamedAnswer(response, headersOfAll)
    response.setTimeout(maxStreamIdleMs, () => response.destroy())
    try {
      await route.handler(event as never, new CallContext(name, Number.POSITIVE_INFINITY, now), streamed)
      if (!streamed.destroyed) await finished(streamed.end())
      if (!streamed.opened && !response.destroyed) throw new Error('it did not stream a response')
    } catch (error) {
      if (response.destroyed) return undefined
      const failure = failed(name, error, answers)
      if (!streamed.opened) return failure
      response.destroy()
    }
    return undefined
  }

  const deadlines = createDeadlines(timeoutMs)

  function invoke(route: GatewayRoute, event: Record<string, unknown>): Promise<Answer> {
    const context = new CallContext(`${route.method} ${route.path}`, now() + timeoutMs, now)
    return new Promise(resolve => {
      const deadline = deadlines.add(() => resolve(answers.late))
      answerOf(context.functionName, route.handler(event as never, context)).then(answered => {
        deadlines.delete(deadline)
        resolve(answered)
      })
    })
  }

  async function answerOf(name: string, result: Promise<unknown>): Promise<Answer> {
    try {
      const answered = toAnswer(await result, api)
      assertSmallEnough(answered)
      return answered
    } catch (error) {
      return failed(name, error, answers)
    }
  }

  const server = await startLoopbackServer(
    async (request, response) => {
      if (onRequest) tell(onRequest, request, response, now)
      let answered: Answer | undefined
      try {
        answered = await answer(request, response)
      } catch (error) {
        answered = failed(`${request.method}`, error, answers)
      }
      if (answered) send(response, headersOfAll, answered)
    },
    port,
    { anyOrigin: true },
  )

  const ownPort = Number(new URL(server.endpoint).port)

  const stop = async (): Promise<void> => {
    await server.close()
    deadlines.clear()
  }
  return {
    endpoint: server.endpoint,
    issueToken(claims, { expiresInSeconds = 3600 } = {}) {
      const issued = Math.floor(now() / 1000)
      return signJwt({ iat: issued, exp: issued + expiresInSeconds, ...claims }, jwtSecret)
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function tell(
  onRequest: NonNullable<GatewayOptions['onRequest']>,
  request: IncomingMessage,
  response: ServerResponse,
  now: () => number,
): void {
  const startMs = now()
  response.once('close', () => {
    const { path } = targetOf(request)
    onRequest({
      method: request.method ?? 'GET',
      path,
      status: response.statusCode,
      startMs,
      endMs: now(),
    })
  })
}

/** A class, whose fields cost a request less than those of closures. */
class CallContext implements GatewayContext {
  readonly functionName: string
  readonly #deadline: number
  readonly #now: () => number
  #requestId: string | undefined

  constructor(functionName: string, deadline: number, now: () => number) {
    this.functionName = functionName
    this.#deadline = deadline
    this.#now = now
  }

  get awsRequestId(): string {
    this.#requestId ??= randomUUID()
    return this.#requestId
  }

  getRemainingTimeInMillis(): number {
    return this.#deadline - this.#now()
  }
}

/** As they were sent: a URL would fold `//` and write the query anew. */
function targetOf({ url = '/' }: IncomingMessage): { path: string; rawQuery: string } {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '')
  const end = target.indexOf('?')
  if (end < 0) return { path: target || '/', rawQuery: '' }
  return { path: target.slice(0, end) || '/', rawQuery: target.slice(end + 1) }
}

function tokenOf({ headers }: IncomingMessage): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (token === undefined) throw new InvalidTokenError('there is no bearer token')
  return token
}

function send(
  response: ServerResponse,
  headersOfAll: Answer['headers'],
  { status, headers, body }: Answer,
): void {
  const sent = { ...headersOfAll, ...headers } as OutgoingHttpHeaders
  // Without its length, Node would send a body in chunks.
  if (status !== 204 && status !== 304) sent['content-length'] = Buffer.byteLength(body)
  response.writeHead(status, sent)
  response.end(body)
}
