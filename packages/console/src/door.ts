import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ConsoleProblem } from './problem.ts'

/**
 * Lets in who knows the token. It comes in a header that only our own page can send: a cookie would also go to other
 * servers on this machine, and with requests that their pages make.
 */
export function assertToken(request: IncomingMessage, token: string): void {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (!isSame(given, token)) {
    throw new ConsoleProblem(
      401,
      'The token is missing or wrong: open the address that was printed at the start.',
    )
  }
}

/** Pages of other origins get nothing, those of other servers on this machine neither. */
export function assertOwnOrigin(request: IncomingMessage, endpoint: string): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isOwn =
    origin === undefined || origin === endpoint || origin === endpoint.replace('127.0.0.1', 'localhost')
  if (!isOwn || (site !== undefined && site !== 'same-origin' && site !== 'none')) {
    throw new ConsoleProblem(403, 'Pages of other origins get nothing here.')
  }
}

/** A key to one thing, for a frame, which cannot send headers. */
export function ticketFor(token: string, what: string): string {
  return createHmac('sha256', token).update(what).digest('base64url')
}

export function assertTicket(given: string, token: string, what: string): void {
  if (!isSame(given, ticketFor(token, what))) throw new ConsoleProblem(401, 'The ticket is missing or wrong.')
}

function isSame(given: string, wanted: string): boolean {
  const hash = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(hash(given), hash(wanted))
}
