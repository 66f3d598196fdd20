import type { IncomingMessage, ServerResponse } from 'node:http'
import { type LoopbackServer, startLoopbackServer } from '@stepwright/local-server'

const code = 'ServiceNotOnThisMachine'

/** Where every call goes to a service that does not run here: it is refused by name, and never reaches AWS. */
export function startRefusingPlace(): Promise<LoopbackServer> {
  return startLoopbackServer(refuse)
}

async function refuse(request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume()
  const service = serviceOf(request) ?? 'This service'
  const message = `${service} does not run on this machine, and AWS was not called.`
  const isJson = String(request.headers['content-type'] ?? 'json').includes('json')
  const body = isJson
    ? JSON.stringify({ __type: code, message })
    : `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`
  response
    .writeHead(501, {
      'content-type': isJson ? 'application/json' : 'text/xml',
      'x-amzn-errortype': code,
      connection: 'close',
    })
    .end(body)
}

/** What the request is signed for: `Credential=key/20261117/us-east-1/secretsmanager/aws4_request`. */
function serviceOf({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
  return /Credential=[^/=]*\/\d{8}\/[\w-]*\/([\w-]+)\//.exec(authorization)?.[1]
}
