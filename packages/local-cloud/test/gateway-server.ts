import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startGateway } from '../src/gateway.ts'

/** A process that serves: `bare` answers with what it was sent, `gateway` has a function do so, for those with a token. */
const [, , kind] = process.argv

function answerTo(body: string): string {
  const { name } = JSON.parse(body) as { name: string }
  return JSON.stringify({ success: true, data: { name, length: body.length } })
}

async function serveBare(): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      const text = answerTo(body)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length }).end(text)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function serveGateway(): Promise<{ endpoint: string; token: string }> {
  const gateway = await startGateway({
    routes: [
      { method: 'GET', path: '/campaigns/{id}', handler: async () => ({ statusCode: 404 }) },
      {
        method: 'POST',
        path: '/campaigns/{id}',
        handler: async ({ body }: { body: string }) => ({
          statusCode: 200,
          headers: { 'content-type': 'application/json' },
          body: answerTo(body),
        }),
      },
    ],
  })
  return { endpoint: gateway.endpoint, token: gateway.issueToken({ sub: 'ann', email: 'ann@example.com' }) }
}

process.send?.(kind === 'bare' ? { endpoint: await serveBare(), token: 'none' } : await serveGateway())
