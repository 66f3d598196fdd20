import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { refusalOf } from './doorkeeper.ts'

/** An HTTP server on 127.0.0.1. */
export interface LoopbackServer {
  readonly endpoint: string
  /** Cuts every connection and resolves when all requests have let go of it. */
  close(): Promise<void>
}

export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
) => Promise<void>

export interface LoopbackServerOptions {
  /** Whether pages of any origin may send requests, because the handler decides about them. @default false */
  readonly anyOrigin?: boolean
  /**
   * Whether the handler answers `Expect: 100-continue` by itself, with `response.writeContinue()` or a refusal.
   * @default false: every client may send its body
   */
  readonly expectsContinue?: boolean
  /** How long a client may take to send a request. @default 300,000 */
  readonly requestTimeoutMs?: number
}

/**
 * `handle` deals with its own failures; what it throws nevertheless ends the connection. It hears only of requests
 * whose Host is this server's own; others get 403.
 */
export async function startLoopbackServer(
  handle: RequestHandler,
  port: number = 0,
  { anyOrigin = false, expectsContinue = false, requestTimeoutMs = 300_000 }: LoopbackServerOptions = {},
): Promise<LoopbackServer> {
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  const timeouts = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(requestTimeoutMs, 60_000),
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 30_000),
  }
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const refusal = refusalOf(request.headers, address.port, anyOrigin)
    if (refusal !== undefined) {
      response.writeHead(403, { 'content-type': 'text/plain', connection: 'close' }).end(`${refusal}\n`)
      return
    }
    // A client that leaves is no failure of ours.
    request.on('error', ignore)
    response.on('error', ignore)
    const done: Promise<unknown> = handle(request, response, closing.signal).then(
      () => running.delete(done),
      () => {
        running.delete(done)
        request.socket.destroy()
      },
    )
    running.add(done)
  }
  const server = createServer(timeouts, take)
  if (expectsContinue) server.on('checkContinue', take)
  // Clients keep connections; one closed by us at the moment of reuse would look like a fault.
  server.keepAliveTimeout = 120_000
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo

  let closed: Promise<void> | undefined
  async function close(): Promise<void> {
    const ended = once(server, 'close')
    server.close()
    closing.abort()
    server.closeAllConnections()
    await ended
    await Promise.allSettled(running)
  }
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    close() {
      closed ??= close()
      return closed
    },
  }
}

function ignore(): void {}
