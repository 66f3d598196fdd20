import type { IncomingHttpHeaders } from 'node:http'

/**
 * Why a request must not get in, if it must not. A page whose host name was made to point here names that host, and
 * any page can send requests here, with its origin: a browser tells us both, and pages cannot change either.
 */
export function refusalOf(
  { host = '', origin }: IncomingHttpHeaders,
  port: number,
  anyOrigin: boolean,
): string | undefined {
  if (!isLoopback(host, port)) {
    return `The Host of a request must be 127.0.0.1:${port} or localhost:${port}.`
  }
  if (!anyOrigin && origin !== undefined && !isLoopback(/^https?:\/\/(.+)$/.exec(origin)?.[1] ?? '')) {
    return 'Pages of other origins may not send requests to this server.'
  }
  return undefined
}

// Names below localhost belong to nobody else (RFC 6761). sync-127.0.0.1 is where SDKs send StartSyncExecution; no page can
// have it as its host, because browsers take a host that ends in a number for an address.
function isLoopback(host: string, port?: number): boolean {
  const [, name, given = '80'] =
    /^((?:sync-)?127\.0\.0\.1|(?:[\w-]+\.)*localhost|\[::1\])(?::(\d+))?$/i.exec(host) ?? []
  return name !== undefined && (port === undefined || Number(given) === port)
}
