import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { S3Client } from '@aws-sdk/client-s3'
import { type HistoryEvent, SFNClient } from '@aws-sdk/client-sfn'
import { SQSClient } from '@aws-sdk/client-sqs'
import type { AnyApp } from '@stepwright/app'
import type { Finding } from '@stepwright/asl'
import type { RunningApp } from '@stepwright/local-cloud'
import { readBody, startLoopbackServer } from '@stepwright/local-server'
import { auditRoutes } from './api/audit.ts'
import type { ApiContext, ApiRequest, ApiRoute } from './api/context.ts'
import { appRoutes } from './api/describe-app.ts'
import { executionRoutes } from './api/executions.ts'
import { findRoutes } from './api/find.ts'
import { forkRoutes } from './api/fork.ts'
import { createForks } from './api/forks.ts'
import { createHistories } from './api/histories.ts'
import { jobRoutes } from './api/jobs.ts'
import { findMail, mailRoutes } from './api/mail.ts'
import { objectRoutes } from './api/objects.ts'
import { queueRoutes } from './api/queues.ts'
import { stepRoutes } from './api/step.ts'
import { tableRoutes } from './api/tables.ts'
import { assertOwnOrigin, assertTicket, assertToken, ticketFor } from './door.ts'
import { type ConsoleFeed, createConsoleFeed } from './feed.ts'
import { streamLive } from './live.ts'
import { loadPages } from './pages.ts'
import { ConsoleProblem } from './problem.ts'

export interface ConsoleOptions {
  /** The app as it is declared. */
  readonly app: AnyApp
  /** The app as it runs. */
  readonly running: RunningApp
  /** The one whose listeners were given to `startApp`. @default nothing is told live but histories */
  readonly feed?: ConsoleFeed
  /** @default a free one */
  readonly port?: number
  /** @default a random one */
  readonly token?: string
  /** What the checker says about a workflow, shown at its states. @default nothing */
  readonly check?: (workflow: string) => readonly Finding[]
  /** What a state transition costs, in US dollars. @default 0.000025, the price of most regions */
  readonly transitionPriceUsd?: number
}

export interface Console extends AsyncDisposable {
  /** With the token: whoever has it may do everything. */
  readonly url: string
  readonly endpoint: string
  /** Tells open pages that definitions or functions have been loaded anew. */
  reloaded(): void
  stop(): Promise<void>
}

const maxUploadBytes = 512 * 1024 * 1024

const routes: Readonly<Record<string, ApiRoute>> = {
  ...appRoutes,
  ...executionRoutes,
  ...stepRoutes,
  ...forkRoutes,
  ...findRoutes,
  ...objectRoutes,
  ...tableRoutes,
  ...mailRoutes,
  ...auditRoutes,
  ...jobRoutes,
  ...queueRoutes,
}

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A message shows its own styles and pictures that it carries, runs nothing and loads nothing. */
const mailPolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"

/** Serves the console of a running app, on loopback. */
export async function startConsole({
  app,
  running,
  feed = createConsoleFeed(),
  port = 0,
  token = randomBytes(24).toString('base64url'),
  check = () => [],
  transitionPriceUsd = 0.000025,
}: ConsoleOptions): Promise<Console> {
  const { s3, dynamoDb, stepFunctions, sqs } = running.services
  const clients = {
    s3: new S3Client({ endpoint: s3.endpoint, region: s3.region, credentials: s3.credentials }),
    dynamoDb: new DynamoDBClient({
      endpoint: dynamoDb.endpoint,
      region: dynamoDb.region,
      credentials: dynamoDb.credentials,
    }),
    stepFunctions: new SFNClient(stepFunctions.clientConfig),
    sqs: new SQSClient(sqs.clientConfig),
  }
  const context: ApiContext = {
    app,
    running,
    feed,
    ...clients,
    histories: createHistories(
      clients.stepFunctions,
      arn => stepFunctions.history(arn) as readonly HistoryEvent[],
    ),
    forks: createForks(),
    check,
    transitionPriceUsd,
    ticketFor: what => ticketFor(token, what),
  }
  const pages = await loadPages()
  const onReload = new Set<() => void>()

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    closing: AbortSignal,
  ): Promise<void> {
    const url = new URL(request.url ?? '/', server.endpoint)
    if (url.pathname.startsWith('/mail/')) return showMail(url, response)
    assertOwnOrigin(request, server.endpoint)
    const page = request.method === 'GET' ? pages.get(url.pathname) : undefined
    if (page) {
      response.writeHead(200, { ...common, 'content-type': page.type, 'content-security-policy': pagePolicy })
      response.end(page.content)
      return
    }
    assertToken(request, token)
    if (url.pathname === '/api/live') {
      const after = Number(url.searchParams.get('after') ?? 0)
      await streamLive(response, context, {
        arn: url.searchParams.get('arn') ?? undefined,
        after,
        closing,
        onReload: listener => {
          onReload.add(listener)
          return () => onReload.delete(listener)
        },
      })
      return
    }
    const route = routes[`${request.method} ${url.pathname}`]
    if (route === undefined) throw new ConsoleProblem(404, 'There is nothing at this address.')
    const result = await route(toApiRequest(request, url), context)
    response.writeHead(200, { ...common, 'content-type': 'application/json' })
    response.end(JSON.stringify(result, (_, value) => (value instanceof Uint8Array ? '(bytes)' : value)))
  }

  function showMail(url: URL, response: ServerResponse): void {
    const id = url.pathname.slice('/mail/'.length)
    assertTicket(url.searchParams.get('ticket') ?? '', token, `mail ${id}`)
    const { html = '' } = findMail(context, id)
    response.writeHead(200, {
      ...common,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': mailPolicy,
    })
    response.end(html)
  }

  const server = await startLoopbackServer(async (request, response, closing) => {
    try {
      await answer(request, response, closing)
    } catch (error) {
      refuse(response, error as Error)
    }
  }, port)

  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= server.close().finally(() => {
      for (const client of Object.values(clients)) client.destroy()
    })
    return stopped
  }
  return {
    url: `${server.endpoint}/?token=${token}`,
    endpoint: server.endpoint,
    reloaded() {
      for (const listener of onReload) listener()
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

const common = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

function toApiRequest(request: IncomingMessage, url: URL): ApiRequest {
  const bytes = async (): Promise<Buffer> => {
    const body = await readBody(request, maxUploadBytes)
    if (body === undefined) throw new ConsoleProblem(413, `At most ${maxUploadBytes} bytes can be sent.`)
    return body
  }
  return {
    query: url.searchParams,
    bytes,
    async json() {
      try {
        return JSON.parse((await bytes()).toString() || '{}') as Record<string, unknown>
      } catch {
        throw new ConsoleProblem(400, 'The request must be JSON.')
      }
    },
  }
}

/** What the services refuse is said as they said it; the rest is ours. */
function refuse(response: ServerResponse, error: Error): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const { $metadata, status } = error as { $metadata?: { httpStatusCode?: number }; status?: number }
  const code = status ?? (($metadata?.httpStatusCode ?? 500) < 500 ? 400 : 500)
  response.writeHead(code, { ...common, 'content-type': 'application/json' })
  response.end(JSON.stringify({ message: $metadata ? `${error.name}: ${error.message}` : error.message }))
}
