import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { accessKeyOf, ServiceError, toServiceError } from '@stepwright/local-server'
import type { StepFunctionsGuard } from '../guard.ts'
import type { World } from '../world.ts'
import { createOperations, type Operations } from './operations.ts'
import { createParameters } from './request.ts'

const maxRequestBytes = 4 * 1024 * 1024

type Answer = (request: IncomingMessage, response: ServerResponse, closing: AbortSignal) => Promise<void>

/** Step Functions' wire protocol: AWS JSON 1.0. */
export function createAnswer(world: World, guard?: Pick<StepFunctionsGuard, 'ofRequest'>): Answer {
  const operations = createOperations(world)
  return async (request, response, closing) => {
    /** Aborts when the client has gone or the server stops; made only for who asks. */
    const signal = (): AbortSignal => {
      const gone = new AbortController()
      response.on('close', () => gone.abort())
      return AbortSignal.any([closing, gone.signal])
    }
    let status = 200
    let text: string
    try {
      text = JSON.stringify(await call(request, operations, signal, guard))
    } catch (error) {
      const failure = toServiceError(error)
      status = failure.status
      text = JSON.stringify({ __type: failure.code, message: failure.message })
    }
    response
      .writeHead(status, {
        'content-type': 'application/x-amz-json-1.0',
        'content-length': Buffer.byteLength(text),
        'x-amzn-requestid': randomUUID(),
      })
      .end(text)
  }
}

async function call(
  request: IncomingMessage,
  operations: Operations,
  signal: () => AbortSignal,
  guard: Pick<StepFunctionsGuard, 'ofRequest'> | undefined,
): Promise<object> {
  const text = await readBody(request)
  const operation = String(request.headers['x-amz-target'] ?? '').replace(/^AWSStepFunctions\./, '')
  const operate = Object.hasOwn(operations, operation) ? operations[operation] : undefined
  if (operate === undefined)
    throw new ServiceError('UnknownOperationException', `There is no operation '${operation}'`)
  let body: unknown
  try {
    body = JSON.parse(text || '{}') ?? {}
  } catch {
    throw new ServiceError('SerializationException', 'The request is not JSON')
  }
  if (typeof body !== 'object' || Array.isArray(body))
    throw new ServiceError('SerializationException', 'The request must be a JSON object')
  const input = body as Readonly<Record<string, unknown>>
  const refusal = guard?.ofRequest({ accessKeyId: accessKeyOf(request), operation, input })
  if (refusal !== undefined) throw new ServiceError('AccessDeniedException', refusal)
  return operate(createParameters(input), signal)
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxRequestBytes)
        reject(new ServiceError('RequestEntityTooLargeException', 'Request is too large', 413))
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks).toString()))
    request.on('error', reject)
    request.on('aborted', () => reject(new ServiceError('RequestAbortedException', 'The client has gone')))
  })
}
