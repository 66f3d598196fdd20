import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { ForbiddenError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import {
  type EventStreamOptions,
  type EventStreamTask,
  type ServerSentEvent,
  toEventStreamHandler,
} from '@stepwright/task/http'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { bundleHandler } from './bundle-handler.ts'
import { runInLambda } from './lambda-runtime.ts'
import { memorySinks } from './memory-sinks.ts'

/** The same global as Lambda's runtime has, with heads kept where a test can see them. */
const heads: { statusCode: number; headers: Record<string, string> }[] = []
const awslambda = {
  streamifyResponse: <H>(handler: H): H => handler,
  HttpResponseStream: {
    from<S>(stream: S, head: (typeof heads)[number]): S {
      heads.push(head)
      return stream
    },
  },
}

function watching(
  events: (signal: AbortSignal) => AsyncIterable<ServerSentEvent> | undefined,
): EventStreamTask {
  return defineTask({
    name: 'watch',
    input: z.object({ id: z.string() }),
    output: z.custom<AsyncIterable<ServerSentEvent> | undefined>(),
    errors: [ForbiddenError],
    run: (_input, _ports, { signal }) => events(signal),
  })
}

function open(task: EventStreamTask, options: EventStreamOptions<EventStreamTask> = {}) {
  Object.assign(globalThis, { awslambda })
  const stream = new PassThrough()
  const handler = toEventStreamHandler(task, { ...memorySinks(), ...options })
  const ended = handler({ pathParameters: { id: '7' }, path: '/watch/7' }, stream)
  return { stream, ended }
}

/** What was written, all of it. */
async function read(task: EventStreamTask, options?: EventStreamOptions<EventStreamTask>): Promise<string> {
  const { stream, ended } = open(task, options)
  await ended
  return stream.setEncoding('utf8').read() ?? ''
}

afterEach(() => {
  heads.length = 0
  Reflect.deleteProperty(globalThis, 'awslambda')
})

describe('toEventStreamHandler', () => {
  it('writes events, none of whose fields can begin another one', async () => {
    const text = await read(
      watching(async function* () {
        yield { id: 'a\nb', event: 'status', data: { text: 'two\nlines' } }
        yield { data: null }
      }),
      { retryMs: 50 },
    )
    expect(text).toBe('retry: 50\n\nid: a b\nevent: status\ndata: {"text":"two\\nlines"}\n\ndata: null\n\n')
    expect(heads).toEqual([
      { statusCode: 200, headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } },
    ])
  })

  it('answers 204 where nothing will come any more', async () => {
    expect(await read(watching(() => undefined))).toBe('')
    expect(heads).toEqual([{ statusCode: 204, headers: {} }])
  })

  it('answers with a problem before the first event, and ends with one afterwards', async () => {
    const refuse = (): never => {
      throw new ForbiddenError('not yours')
    }
    expect(JSON.parse(await read(watching(refuse)))).toMatchObject({
      success: false,
      status: 403,
      detail: 'not yours',
    })
    expect(heads).toMatchObject([{ statusCode: 403 }])
    const later = await read(
      watching(async function* () {
        yield { data: 1 }
        refuse()
      }),
    )
    expect(later).toMatch(/data: 1\n\nevent: error\ndata: \{.*"status":403/)
  })

  it('sends comments while nothing happens', async () => {
    const pauses: number[] = []
    const done = Promise.withResolvers<void>()
    const text = await read(
      watching(async function* () {
        await done.promise
        yield { data: 'at last' }
      }),
      {
        async sleep(ms, signal) {
          pauses.push(ms)
          if (pauses.length < 3) return
          done.resolve()
          if (!signal?.aborted) await once(signal as AbortSignal, 'abort')
          signal?.throwIfAborted()
        },
      },
    )
    expect(text).toBe('retry: 1000\n\n:\n\n:\n\ndata: "at last"\n\n')
    expect(pauses).toEqual([15_000, 15_000, 15_000])
  })

  it('aborts the signal when the reader leaves, which is no failure', async () => {
    const sinks = memorySinks()
    let aborted = false
    const task = watching(async function* (signal) {
      yield { data: 1 }
      await once(signal, 'abort')
      aborted = true
      signal.throwIfAborted()
    })
    const { stream, ended } = open(task, sinks)
    for await (const chunk of stream) if (String(chunk).includes('data: 1')) break // which destroys it
    await ended
    expect([aborted, sinks.lines]).toEqual([true, []])
  })

  it('waits for a reader that is slow', async () => {
    let made = 0
    const { stream, ended } = open(
      watching(async function* () {
        for (; made < 50; made += 1) yield { data: 'x'.repeat(16_384) }
      }),
    )
    await new Promise(setImmediate)
    expect(made).toBeLessThan(10)
    stream.resume()
    await ended
    expect(made).toBe(50)
  })

  it('says what it needs where it does not run', () => {
    expect(() => toEventStreamHandler(watching(() => undefined))).toThrow(
      'watch streams its response, which needs awslambda.streamifyResponse: Lambda and startApp have it',
    )
  })
})

describe('an event stream under the Lambda runtime client', () => {
  const made = mkdtemp(join(tmpdir(), 'stepwright-stream-'))
  afterAll(async () => rm(await made, { recursive: true }))

  it('is a head, eight NULs and a body', { timeout: 60_000 }, async () => {
    const file = await bundleHandler('test/fixtures/streaming-handler.ts', join(await made, 'handler.mjs'))
    const { outcomes } = await runInLambda(file, [
      { pathParameters: { id: '7' } },
      { pathParameters: { id: 'foreign' } },
    ])
    const [streamed, refused] = outcomes.map(outcome =>
      (outcome as { streamed: string }).streamed.split('\0'.repeat(8)),
    )
    expect(JSON.parse(streamed?.[0] ?? '')).toMatchObject({ statusCode: 200 })
    expect(streamed?.[1]).toContain('id: 2\nevent: status\ndata: {"id":"7","progress":100}\n\n')
    expect([JSON.parse(refused?.[0] ?? ''), JSON.parse(refused?.[1] ?? '')]).toMatchObject([
      { statusCode: 403, headers: { 'content-type': 'application/problem+json' } },
      { status: 403, detail: 'not yours' },
    ])
  })
})
