import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { S3Client } from '@aws-sdk/client-s3'
import { type HistoryEvent, SFNClient } from '@aws-sdk/client-sfn'
import { SQSClient } from '@aws-sdk/client-sqs'
import type { App } from '@stepwright/app'
import type { Finding } from '@stepwright/asl'
import { awsPrices, type Prices } from '@stepwright/asl-engine'
import type { RunningApp } from '@stepwright/local-cloud'
import { readBody, startLoopbackServer } from '@stepwright/local-server'
import { auditRoutes } from './api/audit.ts'
import type { ApiContext, ApiRequest, ApiRoute } from './api/context.ts'
import { appRoutes } from './api/describe-app.ts'
import { createExecutionIndex } from './api/execution-index.ts'
import { executionRoutes } from './api/executions.ts'
import { findRoutes } from './api/find.ts'
import { forkRoutes } from './api/fork.ts'
import { readForks } from './api/forks.ts'
import { createHistories } from './api/histories.ts'
import { createInspections } from './api/inspections.ts'
import { jobRoutes } from './api/jobs.ts'
import { findMail, mailRoutes } from './api/mail.ts'
import { objectRoutes } from './api/objects.ts'
import { queueRoutes } from './api/queues.ts'
import { readCount } from './api/read-query.ts'
import { stepRoutes } from './api/step.ts'
import { tableChangesRoutes } from './api/table-changes.ts'
import { tableRoutes } from './api/tables.ts'
import { assertOwnOrigin, assertTicket, assertToken, ticketFor } from './door.ts'
import { type ConsoleFeed, createConsoleFeed } from './feed.ts'
import { hardening } from './hardening.ts'
import { streamLive } from './live.ts'
import { loadPages } from './pages.ts'
import { ConsoleProblem } from './problem.ts'

export interface ConsoleOptions {
  /** The app as it is declared. */
  readonly app: App
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
  /** What AWS bills, in US dollars. @default the prices of most regions */
  readonly prices?: Partial<Prices>
}

export interface Console extends AsyncDisposable {
  /** With the token: whoever has it may do everything. */
  readonly url: string
  readonly endpoint: string
  /** Tells open pages that definitions or functions have been loaded anew. */
  reloaded(): void
  stop(): Promise<void>
}

const maxJsonBytes = 4_000_000

const routes: Readonly<Record<string, ApiRoute>> = {
  ...appRoutes,
  ...executionRoutes,
  ...stepRoutes,
  ...forkRoutes,
  ...findRoutes,
  ...objectRoutes,
  ...tableRoutes,
  ...tableChangesRoutes,
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
  feed: given,
  port = 0,
  token = randomBytes(24).toString('base64url'),
  check = () => [],
  prices = {},
}: ConsoleOptions): Promise<Console> {
  const feed = given ?? createConsoleFeed()
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
      (arn, after) => stepFunctions.history(arn, after) as readonly HistoryEvent[],
    ),
    inspections: createInspections(app, running),
    forks: await readForks(clients.stepFunctions),
    index: createExecutionIndex(clients.stepFunctions, given),
    check,
    prices: { ...awsPrices, ...prices },
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
      response.writeHead(200, {
        ...hardening,
        'content-type': page.type,
        'content-security-policy': pagePolicy,
      })
      response.end(page.content)
      return
    }
    assertToken(request, token)
    if (url.pathname === '/api/live') {
      await streamLive(response, context, {
        arn: url.searchParams.get('arn') ?? undefined,
        after: readCount(url.searchParams, 'after'),
        hasAllCalls: url.searchParams.get('calls') === 'all',
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
    response.writeHead(200, { ...hardening, 'content-type': 'application/json' })
    response.end(JSON.stringify(result))
  }

  function showMail(url: URL, response: ServerResponse): void {
    const id = url.pathname.slice('/mail/'.length)
    assertTicket(url.searchParams.get('ticket') ?? '', token, `mail ${id}`)
    const { html = '' } = findMail(context, id)
    response.writeHead(200, {
      ...hardening,
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
    stopped ??= server.close().finally(async () => {
      for (const client of Object.values(clients)) client.destroy()
      await context.inspections[Symbol.asyncDispose]()
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

function toApiRequest(request: IncomingMessage, url: URL): ApiRequest {
  return {
    query: url.searchParams,
    body: { stream: request, length: Number(request.headers['content-length'] ?? 0) },
    async json() {
      const body = await readBody(request, maxJsonBytes)
      if (body === undefined) throw new ConsoleProblem(413, `At most ${maxJsonBytes} bytes can be sent.`)
      const value = parseObject(body.toString() || '{}')
      if (value === undefined) throw new ConsoleProblem(400, 'The request must be a JSON object.')
      return value
    },
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
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
  response.writeHead(code, { ...hardening, 'content-type': 'application/json' })
  response.end(JSON.stringify({ message: $metadata ? `${error.name}: ${error.message}` : error.message }))
}
