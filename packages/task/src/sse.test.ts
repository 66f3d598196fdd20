import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ForbiddenError } from '@stepwright/errors'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type OpenEvents, type SseOptions, sendEvents, toEventsResponse } from './sse.ts'

/** Both adapters, as a client sees them. */
const adapters = {
  async sendEvents(open: OpenEvents, options?: SseOptions, signal?: AbortSignal) {
    const server = createServer((_, response) => void sendEvents(response, open, options)).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    onTestFinished(async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    })
    const { port } = server.address() as AddressInfo
    return fetch(`http://127.0.0.1:${port}`, { ...(signal && { signal }) })
  },
  toEventsResponse: (open: OpenEvents, options?: SseOptions) => toEventsResponse(open, options),
}

async function* twoEvents() {
  yield { id: '1', event: 'part', data: { part: 0 } }
  yield { id: '2', event: 'status', data: { status: 'COMPLETED' } }
}

describe.each(Object.entries(adapters))('%s', (_, respond) => {
  it('sends events, and ends with them', async () => {
    const response = await respond(async () => twoEvents())
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(await response.text()).toBe(
      'retry: 1000\n\nid: 1\nevent: part\ndata: {"part":0}\n\nid: 2\nevent: status\ndata: {"status":"COMPLETED"}\n\n',
    )
  })

  it('answers 204 where nothing will come any more', async () => {
    const response = await respond(async () => undefined)
    expect([response.status, await response.text()]).toEqual([204, ''])
  })

  it('answers a problem with its status before the first event', async () => {
    const response = await respond(async () => {
      throw new ForbiddenError('not yours')
    })
    expect([response.status, await response.json()]).toEqual([
      403,
      expect.objectContaining({ title: 'ForbiddenError', detail: 'not yours' }),
    ])
  })

  it('tells of a problem that comes later by an event, without its private parts', async () => {
    const response = await respond(async () =>
      (async function* () {
        yield { id: '1', data: 'a' }
        throw new Error('host db-7 refused')
      })(),
    )
    const text = await response.text()
    expect(text).toContain('event: error\ndata: {"type":"urn:stepwright:error:UnexpectedError"')
    expect(text).not.toContain('db-7')
  })

  it('sends comments while nothing comes', async () => {
    let pauses = 0
    const sleep = async (_ms: number, signal?: AbortSignal) => {
      pauses += 1
      if (pauses > 2) await new Promise((_, reject) => signal?.addEventListener('abort', reject))
    }
    const response = await respond(
      async () =>
        (async function* () {
          while (pauses < 3) await new Promise(resolve => setImmediate(resolve))
          yield { data: 'late' }
        })(),
      { sleep },
    )
    expect(await response.text()).toBe('retry: 1000\n\n:\n\n:\n\ndata: "late"\n\n')
  })

  it('tells the events that their reader has left', async () => {
    const leaving = new AbortController()
    const left = Promise.withResolvers<void>()
    const response = await respond(
      async signal => {
        signal.addEventListener('abort', () => left.resolve())
        return (async function* () {
          yield { data: 1 }
          await left.promise
        })()
      },
      {},
      leaving.signal,
    )
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    leaving.abort()
    await left.promise
  })
})
