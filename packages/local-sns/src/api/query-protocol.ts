import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  accessKeyOf,
  checkParameters,
  type RefusalOf,
  type RequestHandler,
  readBody,
  ServiceError,
  type ServiceInput,
  type ServiceOperation,
  type SupportedParameters,
  toServiceError,
} from '@stepwright/local-server'
import { parseForm } from './form.ts'
import { escapeXml, toXml } from './xml.ts'

export interface QueryProtocolOptions {
  readonly namespace: string
  readonly operations: Readonly<Record<string, ServiceOperation>>
  readonly parameters: SupportedParameters
  readonly refusalOf: RefusalOf | undefined
}

const maxRequestBytes = 4 * 1024 * 1024

/** AWS's query protocol: a form goes in, XML comes out. */
export function createQueryProtocol({
  namespace,
  operations,
  parameters,
  refusalOf,
}: QueryProtocolOptions): RequestHandler {
  const answerTo = async (
    form: URLSearchParams,
    request: IncomingMessage,
    signal: AbortSignal,
  ): Promise<{ readonly name: string; readonly result: object }> => {
    const name = form.get('Action') ?? ''
    const operate = Object.hasOwn(operations, name) ? operations[name] : undefined
    if (operate === undefined) {
      throw new ServiceError('InvalidAction', `The action ${name} is not valid for this endpoint.`)
    }
    const input: ServiceInput = parseForm(form)
    checkParameters(parameters, name, input, 'InvalidParameter')
    const refusal = refusalOf?.({ accessKeyId: accessKeyOf(request), operation: name, input })
    if (refusal !== undefined) throw new ServiceError('AuthorizationError', refusal, 403)
    return { name, result: await operate(input, signal, request.headers) }
  }

  return async (request, response, closing) => {
    const requestId = randomUUID()
    let status = 200
    let body: string
    try {
      const bytes = await readBody(request, maxRequestBytes)
      if (bytes === undefined) throw new ServiceError('RequestEntityTooLarge', 'Request is too large', 413)
      const { name, result } = await answerTo(new URLSearchParams(bytes.toString()), request, closing)
      body = `<${name}Response xmlns="${namespace}"><${name}Result>${toXml(result)}</${name}Result><ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata></${name}Response>`
    } catch (error) {
      const { code, message, status: failed } = toServiceError(error)
      status = failed
      const type = failed < 500 ? 'Sender' : 'Receiver'
      body = `<ErrorResponse xmlns="${namespace}"><Error><Type>${type}</Type><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`
    }
    const headers = { 'content-type': 'text/xml', 'x-amzn-requestid': requestId }
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
  }
}
