import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type AuthorizeOptions, authorize } from './authorize.ts'
import { accessesOf, assertMay, callerOf, hideMissing } from './callers.ts'
import { corsHeaders, preflight } from './cors.ts'
import type { Context, S3Response } from './operation.ts'
import { isFormUpload, postObject } from './post-operation.ts'
import { refuseHeaders } from './refuse-headers.ts'
import { findOperation } from './router.ts'
import { S3Error } from './s3-error.ts'
import { toS3Request, withHoistedHeaders } from './s3-request.ts'
import { warn } from './warn.ts'
import { toXml } from './xml.ts'

export type HandlerOptions = Omit<Context, 'authorization' | 'endpoint' | 'caller'> & AuthorizeOptions

/** Answers one request, with S3's XML for what goes wrong. */
export async function handle(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: HandlerOptions,
): Promise<void> {
  const id = randomBytes(8).toString('hex').toUpperCase()
  let isAwaited = /100-continue/i.test(incoming.headers.expect ?? '')
  /** A client that asked whether it may send its body may. */
  const accept = (): void => {
    if (isAwaited) outgoing.writeContinue()
    isAwaited = false
  }
  const response = await respond(incoming, id, options, accept).catch(error =>
    toErrorResponse(incoming, id, error),
  )
  // The client has to be done with sending before it reads a refusal, unless it waits for one.
  if (!isAwaited) await drain(incoming)
  const { status, headers = {}, body } = response
  // SDKs correct their clocks by the date of a response.
  const date = new Date(options.now()).toUTCString()
  const cors = corsHeaders(incoming, options.corsOrigins)
  outgoing.writeHead(status, { date, 'x-amz-request-id': id, 'x-amz-id-2': id, ...cors, ...headers })
  if (typeof body === 'string' || body === undefined) {
    outgoing.end(body)
    return
  }
  try {
    await pipeline(Readable.from(body.content, { objectMode: false }), outgoing)
  } finally {
    await body.close()
  }
}

async function respond(
  incoming: IncomingMessage,
  id: string,
  options: HandlerOptions,
  accept: () => void,
): Promise<S3Response> {
  const request = toS3Request(incoming, id)
  if (request.method === 'OPTIONS') return preflight(incoming, options.corsOrigins)
  const endpoint = `http://${incoming.headers.host}`
  if (isFormUpload(request)) {
    accept() // its signature is in its body
    return postObject(request, { ...options, endpoint })
  }
  const authorization = await authorize(request, options)
  const authorized = withHoistedHeaders(request)
  refuseHeaders(authorized)
  const caller = callerOf(options.callers, authorization.accessKeyId)
  const { operation, action } = findOperation(authorized)
  if (caller) for (const access of accessesOf(authorized, action)) assertMay(caller, access)
  accept()
  try {
    return await operation(authorized, { ...options, endpoint, authorization, caller })
  } catch (error) {
    // A bucket that was deleted while this request was at work takes its directory along.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') options.store.bucket(request.bucket)
    throw hideMissing(caller, request, error)
  }
}

function toErrorResponse(incoming: IncomingMessage, id: string, error: unknown): S3Response {
  const known = toS3Error(incoming, error)
  const document = toXml(
    'Error',
    { Code: known.code, Message: known.message, ...known.details, RequestId: id, HostId: id },
    '',
  )
  const bodiless = incoming.method === 'HEAD' || known.status === 304
  return {
    status: known.status,
    headers: bodiless ? known.headers : { ...known.headers, 'content-type': 'application/xml' },
    ...(bodiless ? {} : { body: document }),
  }
}

function toS3Error(incoming: IncomingMessage, error: unknown): S3Error {
  if (error instanceof S3Error) return error
  if (incoming.destroyed && !incoming.complete) return new S3Error('IncompleteBody')
  warn(`${incoming.method} ${incoming.url} failed`, error)
  return new S3Error('InternalError')
}

async function drain(incoming: IncomingMessage): Promise<void> {
  if (incoming.complete || incoming.destroyed) return
  incoming.resume()
  await new Promise<void>(resolve => {
    incoming.once('end', resolve)
    incoming.once('close', resolve)
  })
}
