import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createGenerationClient } from '../web/client.ts'

/** A gateway whose streams each tell what is next, and end; then there is nothing more to tell. */
async function startStreams(streams: readonly string[]) {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const text = streams[asked.length]
    asked.push(request.headers['last-event-id'] as string | undefined)
    if (text === undefined) response.writeHead(204).end()
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const waits: number[] = []
  const client = createGenerationClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'token',
    sleep: async ms => void waits.push(ms),
  })
  return {
    client,
    asked,
    waits,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function event(id: string, name: string, data: object): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

describe('createGenerationClient', () => {
  it('waits for the end of a process over streams that end before it', async () => {
    await using streams = await startStreams([
      event('1', 'status', { status: 'PENDING' }),
      event('2.0', 'part', { part: 0 }),
      event('3', 'status', { status: 'COMPLETED' }),
    ])
    const { client, asked, waits } = streams
    expect(await client.ended('p')).toEqual({ status: 'COMPLETED' })
    expect([asked, waits]).toEqual([
      [undefined, '1', '2.0'],
      [1000, 1000],
    ])
  })

  it('goes on where it was after a stream that ended with a problem, and hands on none of it', async () => {
    await using streams = await startStreams([
      `${event('1.0', 'part', { part: 0 })}event: error\ndata: {"status":503}\n\n`,
      event('2', 'status', { status: 'COMPLETED' }),
    ])
    const seen: string[] = []
    for await (const { id } of streams.client.events('p')) seen.push(id)
    expect([seen, streams.asked]).toEqual([
      ['1.0', '2'],
      [undefined, '1.0'],
    ])
  })

  it('tells of nothing where all was seen', async () => {
    await using streams = await startStreams([])
    for await (const seen of streams.client.events('p', { lastEventId: '3' })) expect.fail(seen.event)
    expect(streams.asked).toEqual(['3'])
  })
})
