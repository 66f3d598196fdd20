import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { followJobEvents, StreamRefusedError } from './client.ts'

/** Answers each request with the next of the answers. */
async function startServer(answers: readonly ((response: ServerResponse) => unknown)[]) {
  const asked: (string | undefined)[] = []
  const etags: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const respond = answers[asked.length]
    asked.push(request.headers['last-event-id'] as string | undefined)
    etags.push(request.headers['if-none-match'])
    if (respond) respond(response)
    else response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    asked,
    etags,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function stream(text: string) {
  return (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text)
}
function fail(status: number) {
  return (response: ServerResponse) => response.writeHead(status).end()
}
function event(id: string, name: string, data: object): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
const done = event('9', 'status', { status: 'COMPLETED' })
const options = { sleep: async () => {} }

async function idsOf(url: string): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of followJobEvents(url, options)) ids.push(id)
  return ids
}

describe('followJobEvents', () => {
  it('goes on after the last event over streams that end early or break', async () => {
    await using server = await startServer([
      stream(event('1', 'part', { part: 0 })),
      response => {
        response.writeHead(200).write(event('2', 'part', { part: 1 }))
        setImmediate(() => response.destroy())
      },
      stream(`retry: 1000\n\n:\n\n${done}`),
    ])
    expect(await idsOf(server.url)).toEqual(['1', '2', '9'])
    expect(server.asked).toEqual([undefined, '1', '2'])
  })

  it.each([500, 503, 429, 408])('comes back after %s', async status => {
    await using server = await startServer([fail(status), stream(done)])
    expect(await idsOf(server.url)).toEqual(['9'])
  })

  it.each([401, 403, 404])('gives up after %s', async status => {
    await using server = await startServer([fail(status), stream(done)])
    await expect(idsOf(server.url)).rejects.toEqual(new StreamRefusedError(status))
  })

  it('polls while there is no stream to be had, with an ETag, and goes on where it was', async () => {
    const view = (status: string, etag: string) => (response: ServerResponse) =>
      response.writeHead(200, { etag }).end(JSON.stringify({ success: true, data: { status } }))
    await using server = await startServer([
      stream(event('1', 'part', { part: 0 })),
      fail(500), // the stream, throttled
      view('PROCESSING', '"a"'),
      fail(304),
      view('COMPLETED', '"b"'),
    ])
    const seen: unknown[] = []
    const sleeps: number[] = []
    for await (const { id, event: name, data } of followJobEvents(server.url, {
      pollUrl: server.url,
      sleep: async ms => void sleeps.push(ms),
    })) {
      seen.push([id, name, data['status']])
    }
    expect(seen).toEqual([
      ['1', 'part', undefined],
      ['', 'status', 'PROCESSING'],
      ['', 'status', 'COMPLETED'],
    ])
    expect(sleeps).toEqual([1000, 2000, 2000, 2000])
    expect(server.etags).toEqual([undefined, undefined, undefined, '"a"', '"a"'])
  })

  it('tries the stream again after a few polls', async () => {
    await using server = await startServer([
      fail(503),
      ...Array.from({ length: 5 }, () => fail(304)),
      stream(done),
    ])
    const ids: string[] = []
    for await (const { id } of followJobEvents(server.url, { ...options, pollUrl: server.url })) ids.push(id)
    expect(ids).toEqual(['9'])
  })

  it('ends where nothing will come any more', async () => {
    await using server = await startServer([])
    expect(await idsOf(server.url)).toEqual([])
  })

  it('ends without an error when its reader stops it', async () => {
    const stopping = new AbortController()
    await using server = await startServer([
      response => void response.writeHead(200).write(event('1', 'part', {})),
    ])
    const ids: string[] = []
    for await (const { id } of followJobEvents(server.url, { signal: stopping.signal })) {
      ids.push(id)
      stopping.abort()
    }
    expect(ids).toEqual(['1'])
  })
})
