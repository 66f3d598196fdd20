import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { type LoopbackServer, type LoopbackServerOptions, startLoopbackServer } from './loopback-server.ts'
import { readBody } from './read-body.ts'

let server: LoopbackServer
afterEach(() => server.close())

async function start(options?: LoopbackServerOptions): Promise<number> {
  server = await startLoopbackServer(
    async (request, response) => {
      const body = await readBody(request, 10)
      response.writeHead(body === undefined ? 413 : 200).end(body)
    },
    0,
    options,
  )
  return Number(new URL(server.endpoint).port)
}

/** What the server answers to bytes. */
async function answerTo(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(request)
  return text(socket)
}
async function statusOf(port: number, headers: string): Promise<number> {
  const answer = await answerTo(port, `GET / HTTP/1.1\r\nConnection: close\r\n${headers}\r\n\r\n`)
  return Number(answer.split(' ')[1])
}

describe('startLoopbackServer', () => {
  it.each([
    (port: number) => `Host: 127.0.0.1:${port}`,
    (port: number) => `Host: localhost:${port}`,
    (port: number) => `Host: LocalHost:${port}`,
    (port: number) => `Host: [::1]:${port}`,
    (port: number) => `Host: sync-states.localhost:${port}`,
    (port: number) => `Host: sync-127.0.0.1:${port}`,
    (port: number) => `Host: localhost:${port}\r\nOrigin: http://localhost:5173`,
  ])('answers what is meant for it', async headers => {
    const port = await start()
    expect(await statusOf(port, headers(port))).toBe(200)
  })

  it.each([
    ['a host name that was made to point here', (port: number) => `Host: evil.example:${port}`],
    ['one that only begins like ours', (port: number) => `Host: localhost.evil.example:${port}`],
    ['one that only ends like ours', (port: number) => `Host: evil.localhost.example:${port}`],
    ['one that only begins like an address', (port: number) => `Host: sync-127.0.0.1.evil.example:${port}`],
    ['one that only ends like an address', (port: number) => `Host: evil.sync-127.0.0.1:${port}`],
    ['another port', () => 'Host: 127.0.0.1:1'],
    ['no port', () => 'Host: 127.0.0.1'],
    ['an empty host', () => 'Host:'],
    ['a page elsewhere', (port: number) => `Host: 127.0.0.1:${port}\r\nOrigin: https://evil.example`],
    ['a page without a place', (port: number) => `Host: 127.0.0.1:${port}\r\nOrigin: null`],
  ])('answers 403 to %s', async (_, headers) => {
    const port = await start()
    expect(await statusOf(port, headers(port))).toBe(403)
  })

  it('leaves origins to a handler that decides about them', async () => {
    const port = await start({ anyOrigin: true })
    expect(await statusOf(port, `Host: 127.0.0.1:${port}\r\nOrigin: https://app.example`)).toBe(200)
    expect(await statusOf(port, `Host: app.example:${port}\r\nOrigin: https://app.example`)).toBe(403)
  })

  it('does not wait for ever for a request to end', async () => {
    const port = await start({ requestTimeoutMs: 50 })
    const unfinished = `PUT / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 5\r\n\r\nab`
    expect(await answerTo(port, unfinished)).toMatch(/^HTTP\/1.1 408 /)
  })
})

describe('readBody', () => {
  it('takes a body up to its limit, and reads what is longer to its end', async () => {
    await start()
    const post = (body: string) => fetch(server.endpoint, { method: 'POST', body })
    expect(await (await post('0123456789')).text()).toBe('0123456789')
    expect((await post('0123456789+')).status).toBe(413)
  })
})
