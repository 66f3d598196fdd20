import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { FunctionThrottledError } from '../functions/concurrency.ts'
import type { CallOptions } from '../functions/function-host.ts'
import { Refusal } from '../refusal.ts'
import type { QueuedEvent } from './event-queue.ts'
import { type LambdaFunction, nameOf } from './function-configuration.ts'

export interface LambdaAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

const maxSyncBytes = 6 * 1024 * 1024
const maxEventBytes = 1024 * 1024
const maxLogBytes = 4096
/** What Invoke knows on AWS besides, and what is refused here. */
const unsupportedHeaders = ['x-amz-tenant-id', 'x-amz-durable-execution-name']

/** Invoke: waits for the answer, or not, or only looks whether it could. */
export async function invoke(
  lambda: LambdaFunction,
  payload: Buffer | undefined,
  headers: IncomingHttpHeaders,
  queue: (event: Omit<QueuedEvent, 'acceptedMs'>) => void,
): Promise<LambdaAnswer> {
  const unsupported = unsupportedHeaders.find(name => headers[name] !== undefined)
  if (unsupported !== undefined) throw invalid(`The header ${unsupported} is not supported on this machine`)
  const logType = headers['x-amz-log-type'] ?? 'None'
  if (logType !== 'None' && logType !== 'Tail') {
    throw invalid(
      `Value '${logType}' at 'logType' failed to satisfy constraint: Member must satisfy enum value set: [None, Tail]`,
    )
  }
  const type = String(headers['x-amz-invocation-type'] ?? 'RequestResponse')
  const maxBytes = type === 'Event' ? maxEventBytes : maxSyncBytes
  if (payload === undefined || payload.length > maxBytes) {
    throw new Refusal(
      413,
      'RequestTooLargeException',
      `Request must be smaller than ${maxBytes} bytes for the InvokeFunction operation`,
    )
  }
  const event = parsePayload(payload)
  const requestId = randomUUID()
  const clientContext = parseClientContext(headers['x-amz-client-context'])
  const options = { requestId, ...(clientContext !== undefined && { clientContext }) }
  const id = { 'x-amzn-requestid': requestId }
  if (type === 'DryRun') return { status: 204, headers: id, body: '' }
  if (type === 'Event') {
    queue({ functionName: nameOf(lambda.arn), event, ...options })
    return { status: 202, headers: id, body: '' }
  }
  if (type !== 'RequestResponse') {
    throw invalid(
      `Value '${type}' at 'invocationType' failed to satisfy constraint: Member must satisfy enum value set: [Event, RequestResponse, DryRun]`,
    )
  }
  return callAndWait(lambda, event, options, logType === 'Tail')
}

function invalid(message: string): Refusal {
  return new Refusal(400, 'InvalidParameterValueException', message)
}

async function callAndWait(
  lambda: LambdaFunction,
  event: unknown,
  options: CallOptions & { readonly requestId: string },
  withLog: boolean,
): Promise<LambdaAnswer> {
  const { requestId } = options
  const startMs = performance.now()
  let printed = ''
  const onPrinted = (log: string): void => {
    printed = log
  }
  const { body, failed } = await bodyOf(lambda.call(event, { ...options, ...(withLog && { onPrinted }) }))
  return {
    status: 200,
    headers: {
      'x-amzn-requestid': requestId,
      'x-amz-executed-version': '$LATEST',
      ...(failed && { 'x-amz-function-error': 'Unhandled' }),
      ...(withLog && {
        'x-amz-log-result': logTail(lambda, requestId, printed, performance.now() - startMs),
      }),
    },
    body,
  }
}

async function bodyOf(
  result: Promise<unknown>,
): Promise<{ readonly body: string; readonly failed: boolean }> {
  try {
    const body = JSON.stringify(await result) ?? 'null'
    if (Buffer.byteLength(body) <= maxSyncBytes) return { body, failed: false }
    const errorMessage = `Response payload size exceeded maximum allowed payload size (${maxSyncBytes} bytes).`
    return {
      body: JSON.stringify({ errorType: 'Function.ResponseSizeTooLarge', errorMessage }),
      failed: true,
    }
  } catch (error) {
    if (error instanceof FunctionThrottledError) {
      throw new Refusal(429, error.name, error.message, { Reason: error.reason })
    }
    const { name: errorType, message: errorMessage, stack = '' } = error as Error
    return {
      body: JSON.stringify({ errorType, errorMessage, trace: stack === '' ? [] : stack.split('\n') }),
      failed: true,
    }
  }
}

function parsePayload(payload: Buffer): unknown {
  if (payload.length === 0) return {}
  try {
    return JSON.parse(payload.toString())
  } catch (error) {
    throw new Refusal(
      400,
      'InvalidRequestContentException',
      `Could not parse request body into json: ${(error as Error).message}`,
    )
  }
}

function parseClientContext(header: string | readonly string[] | undefined): unknown {
  if (header === undefined) return undefined
  try {
    return JSON.parse(Buffer.from(String(header), 'base64').toString())
  } catch {
    throw new Refusal(
      400,
      'InvalidRequestContentException',
      'Client context must be a valid Base64-encoded JSON object.',
    )
  }
}

/** The last 4 KB of what CloudWatch would have of the call. */
function logTail(lambda: LambdaFunction, requestId: string, printed: string, elapsedMs: number): string {
  const lines = printed === '' || printed.endsWith('\n') ? printed : `${printed}\n`
  const report = [
    `REPORT RequestId: ${requestId}`,
    `Duration: ${elapsedMs.toFixed(2)} ms`,
    `Billed Duration: ${Math.ceil(elapsedMs)} ms`,
    `Memory Size: ${lambda.memoryMb} MB`,
  ].join('\t')
  const log = `START RequestId: ${requestId} Version: $LATEST\n${lines}END RequestId: ${requestId}\n${report}\n`
  return Buffer.from(log).subarray(-maxLogBytes).toString('base64')
}
