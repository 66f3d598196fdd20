import type { IncomingMessage } from 'node:http'

/** Whose signature a request carries; empty where it has none. The signature itself is not looked at. */
export function accessKeyOf({ headers: { authorization = '' } }: Pick<IncomingMessage, 'headers'>): string {
  return /\bCredential=([^/,=\s]+)\//.exec(authorization)?.[1] ?? ''
}
