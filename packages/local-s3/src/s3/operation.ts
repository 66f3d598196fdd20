import type { Authorization } from './authorize.ts'
import type { S3Caller } from './callers.ts'
import type { Publisher } from './events.ts'
import type { S3Request } from './s3-request.ts'
import type { Store } from './store.ts'

/** Where pages come from that may use a bucket, by its name; `*` stands for any text. */
export type CorsOrigins = Readonly<Record<string, readonly string[]>>

/** What an operation works with. */
export interface Context {
  readonly store: Store
  readonly publisher: Publisher
  readonly now: () => number
  readonly region: string
  readonly corsOrigins: CorsOrigins
  readonly endpoint: string
  readonly authorization: Authorization
  /** Who asks, if not everything is allowed. */
  readonly caller: S3Caller | undefined
}

export interface S3Response {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A document, or a stream that is closed when it was sent or the client has left. */
  readonly body?: string | { readonly content: AsyncIterable<Buffer>; close(): Promise<void> }
}

export type Operation = (request: S3Request, context: Context) => Promise<S3Response>

export function xmlResponse(document: string, headers: Readonly<Record<string, string>> = {}): S3Response {
  return { status: 200, headers: { 'content-type': 'application/xml', ...headers }, body: document }
}
