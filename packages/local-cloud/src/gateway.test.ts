import { once } from 'node:events'
import { get, type IncomingMessage, request } from 'node:http'
import type { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { FunctionThrottledError } from './functions/concurrency.ts'
import { signJwt } from './gateway/jwt.ts'
import {
  type AnsweredRequest,
  type Gateway,
  type GatewayOptions,
  GatewayRouteError,
  startGateway,
} from './gateway.ts'

let gateway: Gateway
afterEach(() => gateway?.stop())

async function echo(event: unknown) {
  return { statusCode: 200, body: JSON.stringify(event) }
}

async function start(options: Partial<GatewayOptions> = {}) {
  gateway = await startGateway({
    routes: [
      { method: 'GET', path: '/open', handler: echo, authorized: false },
      { method: 'PUT', path: '/campaigns/{id}', handler: echo },
      { method: 'GET', path: '/campaigns/new', handler: async () => ({ fresh: true }), authorized: false },
      { method: 'GET', path: '/campaigns/{id}', handler: echo, authorized: false },
      { method: 'GET', path: '/files/{key+}', handler: echo, authorized: false },
    ],
    ...options,
  })
  return (path: string, init: RequestInit = {}) => fetch(gateway.endpoint + path, init)
}

function bearer(token = gateway.issueToken({ sub: 'ann', admin: true })) {
  return {
    authorization: `Bearer ${token}`,
  }
}

describe('startGateway', () => {
  it("passes a request on in an HTTP API's format", async () => {
    const call = await start()
    const response = await call('/campaigns/a%20b?tag=x&tag=y', {
      method: 'PUT',
      headers: { ...bearer(), 'content-type': 'application/json', 'x-forwarded-for': '10.0.0.1' },
      body: '{"a":1}',
    })
    const { host, port } = new URL(gateway.endpoint)
    expect(await response.json()).toMatchObject({
      version: '2.0',
      headers: {
        'x-amzn-trace-id': expect.stringMatching(/^Root=1-[\da-f]{8}-[\da-f]{24}$/),
        'x-forwarded-for': '10.0.0.1, 127.0.0.1',
        'x-forwarded-port': port,
        'x-forwarded-proto': 'http',
      },
      rawPath: '/campaigns/a%20b',
      pathParameters: { id: 'a b' },
      queryStringParameters: { tag: 'x,y' },
      body: '{"a":1}',
      isBase64Encoded: false,
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        authorizer: { jwt: { claims: { sub: 'ann', admin: true } } },
        domainName: host,
        domainPrefix: '127',
        http: {
          method: 'PUT',
          path: '/campaigns/a%20b',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'node',
        },
        requestId: expect.any(String),
        routeKey: 'PUT /campaigns/{id}',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
    })
  })

  it('tells of every request, without what it carried', async () => {
    const told: AnsweredRequest[] = []
    const call = await start({ onRequest: request => told.push(request) })
    await (await call('/open?secret=x')).text()
    await (await call('/campaigns/7', { method: 'PUT' })).text()
    await expect.poll(() => told).toHaveLength(2)
    expect(told).toMatchObject([
      { method: 'GET', path: '/open', status: 200, startMs: expect.any(Number), endMs: expect.any(Number) },
      { method: 'PUT', path: '/campaigns/7', status: 401 },
    ])
  })

  it("passes it on in a REST API's format", async () => {
    const call = await start({ api: 'rest' })
    const response = await call('/campaigns/7?tag=x&tag=y', {
      method: 'PUT',
      headers: bearer(),
      body: '{"a":1}',
    })
    expect(await response.json()).toMatchObject({
      resource: '/campaigns/{id}',
      httpMethod: 'PUT',
      pathParameters: { id: '7' },
      multiValueQueryStringParameters: { tag: ['x', 'y'] },
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        authorizer: { claims: { sub: 'ann', admin: 'true' } },
        domainName: new URL(gateway.endpoint).host,
        domainPrefix: '127',
        extendedRequestId: expect.any(String),
        httpMethod: 'PUT',
        identity: {
          accessKey: null,
          cognitoIdentityId: null,
          sourceIp: '127.0.0.1',
          userAgent: 'node',
          user: null,
        },
        path: '/local/campaigns/7',
        protocol: 'HTTP/1.1',
        requestId: expect.any(String),
        requestTime: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        requestTimeEpoch: expect.any(Number),
        resourceId: expect.any(String),
        resourcePath: '/campaigns/{id}',
        stage: 'local',
      },
      body: '{"a":1}',
      isBase64Encoded: false,
    })
    const bare = await (await call('/open')).json()
    expect(bare).toMatchObject({ queryStringParameters: null, pathParameters: null, body: null })
  })

  it('prefers the literal path, and lets a greedy one take slashes', async () => {
    const call = await start()
    expect(await (await call('/campaigns/new')).json()).toEqual({ fresh: true })
    expect(await (await call('/files/a/b.csv')).json()).toMatchObject({ pathParameters: { key: 'a/b.csv' } })
  })

  it.each([
    ['text/plain', false],
    ['text/csv; charset=utf-8', false],
    ['Application/JSON; charset=utf-8', false],
    ['application/xml', false],
    ['application/javascript', false],
    ['application/octet-stream', true],
    ['application/x-www-form-urlencoded', true],
    ['application/problem+json', true],
    ['application/atom+xml', true],
    ['application/jsonl', true],
    ['', true],
  ])("passes a body of the type %j in an HTTP API's way: in base64 %s", async (type, isBase64Encoded) => {
    const call = await start()
    const response = await call('/campaigns/7', {
      method: 'PUT',
      headers: { ...bearer(), ...(type !== '' && { 'content-type': type }) },
      body: Buffer.from('a=1'),
    })
    expect(await response.json()).toMatchObject({ body: isBase64Encoded ? 'YT0x' : 'a=1', isBase64Encoded })
  })

  it('passes any body of a REST API as text, and header names as the client spells them', async () => {
    const handler = async (event: object) => ({ statusCode: 200, body: JSON.stringify(event) })
    await start({ api: 'rest', routes: [{ method: 'PUT', path: '/', handler, authorized: false }] })
    const response = await new Promise<IncomingMessage>(resolve => {
      const headers = { 'X-Request-ID': '7', 'X-Forwarded-For': '10.0.0.1', 'X-FORWARDED-PROTO': 'gopher' }
      request(gateway.endpoint, { method: 'PUT', headers }, resolve).end('a=1')
    })
    expect(JSON.parse(await text(response))).toMatchObject({
      headers: {
        'X-Request-ID': '7',
        'X-Amzn-Trace-Id': expect.stringMatching(/^Root=1-/),
        'X-Forwarded-For': '10.0.0.1, 127.0.0.1',
        'X-Forwarded-Port': new URL(gateway.endpoint).port,
        'X-Forwarded-Proto': 'http',
      },
      multiValueHeaders: { 'X-Request-ID': ['7'] },
      body: 'a=1',
      isBase64Encoded: false,
    })
  })

  it('takes a header for a header, whatever its name', async () => {
    const call = await start()
    const response = await call('/open', { headers: { constructor: 'a', tostring: 'b' } })
    expect(await response.json()).toMatchObject({ headers: { constructor: 'a', tostring: 'b' } })
  })

  it.each([
    ['http', 413, 'Request Entity Too Large', 500, 'Internal Server Error'],
    ['rest', 413, 'Request Too Long', 502, 'Internal server error'],
  ] as const)(
    'limits an event and its answer to 6 MB, as Lambda does: %s',
    async (api, long, longWhy, large, largeWhy) => {
      const handler = async ({ body = '' }: { body?: string }) => ({
        statusCode: 200,
        body: body.length > 100 ? 'taken' : 'x'.repeat(Number(body)),
      })
      const call = await start({ api, routes: [{ method: 'PUT', path: '/', handler, authorized: false }] })
      const put = async (body: string) => {
        const response = await call('/', { method: 'PUT', headers: { 'content-type': 'text/plain' }, body })
        return [response.status, await response.text()]
      }
      const mb = 1024 * 1024
      expect(await put('x'.repeat(5.9 * mb))).toEqual([200, 'taken'])
      expect(await put('x'.repeat(6 * mb))).toEqual([long, JSON.stringify({ message: longWhy })])
      expect(await put('"'.repeat(3 * mb))).toEqual([long, JSON.stringify({ message: longWhy })])
      expect((await put(String(Math.floor(5.9 * mb))))[0]).toBe(200)
      const warned = once(process, 'warning')
      expect(await put(String(6 * mb))).toEqual([large, JSON.stringify({ message: largeWhy })])
      expect((await warned)[0].message).toContain('more than 6291456 bytes')
    },
  )

  it.each([
    ['no token', () => ({})],
    ['no bearer', () => ({ authorization: 'Basic YTpi' })],
    ['another secret', () => bearer(signJwt({ sub: 'ann' }, 'guessed'))],
    ['no signature', () => bearer(`${gateway.issueToken({}).split('.').slice(0, 2).join('.')}.`)],
    ['alg none', () => bearer(`${btoa('{"alg":"none"}')}.${btoa('{"sub":"ann"}')}.`)],
    ['an expired token', () => bearer(gateway.issueToken({}, { expiresInSeconds: 0 }))],
    ['a token of tomorrow', () => bearer(gateway.issueToken({ nbf: 99_999_999_999 }))],
    ['nonsense', () => bearer('a.b.c')],
  ])('answers 401 to %s', async (_, headers) => {
    const call = await start()
    const response = await call('/campaigns/7', { method: 'PUT', headers: headers() })
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ message: expect.stringMatching(/^Unauthorized: /) })
  })

  it.each([
    ['http', 404, 'Not Found'],
    ['rest', 403, 'Missing Authentication Token'],
  ] as const)('answers where there is no route, or none of that method: %s', async (api, status, message) => {
    const call = await start({ api })
    for (const [path, method] of [
      ['/nowhere', 'GET'],
      ['/campaigns/7', 'DELETE'],
    ] as const) {
      const response = await call(path, { method })
      expect([response.status, await response.json()]).toEqual([status, { message }])
    }
  })

  it("answers a browser's preflight, and marks every answer for it", async () => {
    const call = await start({ cors: { origin: 'https://app.example' } })
    const preflight = await call('/campaigns/7', { method: 'OPTIONS' })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toBe('PUT,GET,OPTIONS')
    const refused = await call('/campaigns/7', { method: 'PUT' })
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://app.example')
  })

  it.each([
    ['http', [500, 'Internal Server Error'], [503, 'Service Unavailable'], [503, 'Service Unavailable']],
    [
      'rest',
      [502, 'Internal server error'],
      [500, 'Internal server error'],
      [504, 'Endpoint request timed out'],
    ],
  ] as const)(
    'answers for a handler that fails, is throttled or too late: %s',
    async (api, fails, throttled, late) => {
      const warnings: string[] = []
      const listen = (warning: Error) => warnings.push(warning.message)
      process.on('warning', listen)
      const route = (path: string, handler: () => Promise<unknown>) =>
        ({ method: 'GET', path, handler, authorized: false }) as const
      const call = await start({
        api,
        timeoutMs: 50,
        routes: [
          route('/fails', () => Promise.reject(new Error('broken'))),
          route('/throttled', () => Promise.reject(new FunctionThrottledError())),
          route('/late', () => new Promise(() => {})),
        ],
      })
      const answerOf = async (path: string) => {
        const response = await call(path)
        const { message } = (await response.json()) as { message: string }
        return [response.status, message]
      }
      expect(await answerOf('/fails')).toEqual(fails)
      expect(await answerOf('/throttled')).toEqual(throttled)
      expect(await answerOf('/late')).toEqual(late)
      process.off('warning', listen)
      expect(warnings).toEqual([
        expect.stringMatching(/^GET \/fails failed: Error: broken\n/),
        expect.stringMatching(/^GET \/throttled failed: TooManyRequestsException: Rate Exceeded/),
      ])
    },
  )

  it.each([
    ['a body that is an object', { statusCode: 200, body: { a: 1 } }, /body must be text/],
    ['status 99', { statusCode: 99 }, /whole number from 200 to 599, but is 99/],
    ['a status that is no number', { statusCode: 'OK' }, /but is "OK"/],
    [
      'a line break in a header',
      { statusCode: 200, headers: { a: 'b\r\nc: d' } },
      /header "a" cannot be sent/,
    ],
    ['a header without a name', { statusCode: 200, headers: { '': 'b' } }, /header "" cannot be sent/],
    ['a header that is an object', { statusCode: 200, headers: { a: {} } }, /header "a" cannot be sent/],
    ['headers in a list', { statusCode: 200, headers: ['a'] }, /headers must be an object/],
    ['a line break in a cookie', { statusCode: 200, cookies: ['a=1\n'] }, /"set-cookie" cannot be sent/],
  ])('answers 500 for %s, and says why', async (_, result, why) => {
    const warned = once(process, 'warning')
    const call = await start({
      routes: [{ method: 'GET', path: '/', handler: async () => result, authorized: false }],
    })
    const response = await call('/')
    expect([response.status, await response.json()]).toEqual([500, { message: 'Internal Server Error' }])
    expect((await warned)[0].message).toMatch(why)
  })

  it("takes a REST API's answer only with a status", async () => {
    const warned = once(process, 'warning')
    const call = await start({
      api: 'rest',
      routes: [{ method: 'GET', path: '/', handler: async () => ({ a: 1 }), authorized: false }],
    })
    expect((await call('/')).status).toBe(502)
    expect((await warned)[0].message).toContain(
      'GET / failed: MalformedAnswerError: the handler answered without a statusCode',
    )
  })

  it("keeps an HTTP API's cookies, both ways", async () => {
    const handler = async ({ cookies, headers }: { cookies: string[]; headers: object }) => ({
      statusCode: 200,
      headers: { 'Content-Type': 'text/plain', 'content-length': '99' },
      cookies: ['a=1; HttpOnly', 'b=2'],
      body: JSON.stringify({ cookies, named: Object.keys(headers).includes('cookie') }),
    })
    const call = await start({ routes: [{ method: 'GET', path: '/', handler, authorized: false }] })
    const response = await call('/', { headers: { cookie: 'x=1; y=2' } })
    expect(await response.json()).toEqual({ cookies: ['x=1', 'y=2'], named: false })
    expect(response.headers.getSetCookie()).toEqual(['a=1; HttpOnly', 'b=2'])
    expect(response.headers.get('content-type')).toBe('text/plain')
  })

  it("keeps a REST API's headers of several values, both ways", async () => {
    const handler = async ({ multiValueHeaders }: { multiValueHeaders: object }) => ({
      statusCode: 200,
      headers: { 'Set-Cookie': 'lost=1', other: 'kept' },
      multiValueHeaders: { 'set-cookie': ['a=1', 'b=2'] },
      body: JSON.stringify(multiValueHeaders),
    })
    const call = await start({
      api: 'rest',
      routes: [{ method: 'GET', path: '/', handler, authorized: false }],
    })
    const response = await new Promise<IncomingMessage>(resolve => {
      get(gateway.endpoint, { headers: { 'x-many': ['1', '2'] } }, resolve)
    })
    expect(JSON.parse(await text(response))).toMatchObject({ 'x-many': ['1', '2'] })
    const answer = await call('/')
    expect([answer.headers.getSetCookie(), answer.headers.get('other')]).toEqual([['a=1', 'b=2'], 'kept'])
  })

  it('passes path and query on as they were sent', async () => {
    const call = await start()
    const response = await call('/files/a//b%20c/?x=a%20b&y=c+d&z')
    expect(await response.json()).toMatchObject({
      rawPath: '/files/a//b%20c/',
      rawQueryString: 'x=a%20b&y=c+d&z',
      queryStringParameters: { x: 'a b', y: 'c d', z: '' },
      pathParameters: { key: 'a//b c/' },
    })
    expect((await call('//open')).status).toBe(404)
  })

  it('takes a token whichever way its scheme is written', async () => {
    const call = await start()
    const authorization = `bEARER ${gateway.issueToken({ sub: 'ann' })}`
    expect((await call('/campaigns/7', { method: 'PUT', headers: { authorization } })).status).toBe(200)
  })

  it('runs nothing for another host name', async () => {
    let calls = 0
    await start({
      routes: [{ method: 'GET', path: '/', handler: async () => (calls += 1), authorized: false }],
    })
    const host = `evil.example:${new URL(gateway.endpoint).port}`
    const response = await new Promise<IncomingMessage>(resolve => {
      get(gateway.endpoint, { headers: { host } }, resolve)
    })
    response.resume()
    expect([response.statusCode, calls]).toEqual([403, 0])
  })

  describe('with a handler that streams', () => {
    const head = (statusCode: unknown) =>
      `${JSON.stringify({ statusCode, headers: { 'X-A': 'b' } })}${'\0'.repeat(8)}`
    const startStreaming = (write: (stream: Writable) => unknown) =>
      start({
        api: 'rest',
        timeoutMs: 1,
        routes: [
          {
            method: 'GET',
            path: '/',
            streaming: true,
            authorized: false,
            handler: async (_event, _context, stream) => write(stream as Writable),
          },
        ],
      })

    it('passes on what it writes, head first, however it is cut, and later than an answer may come', async () => {
      const proceed = Promise.withResolvers<void>()
      const call = await startStreaming(async stream => {
        for (const byte of Buffer.from(`${head(201)}first `)) stream.write(Buffer.from([byte]))
        await proceed.promise
        stream.end('second')
      })
      const response = await call('/')
      expect([response.status, response.headers.get('x-a')]).toEqual([201, 'b'])
      proceed.resolve()
      expect(await response.text()).toBe('first second')
    })

    it.each([
      ['nothing', () => {}, /it did not stream a response/],
      ['no head', (stream: Writable) => stream.end('x'.repeat(70_000)), /streamed no head/],
      ['a status that cannot be', (stream: Writable) => stream.end(head(99)), /but is 99/],
    ])('answers 502 for %s, and says why', async (_, write, why) => {
      const warned = once(process, 'warning')
      const call = await startStreaming(write)
      expect((await call('/')).status).toBe(502)
      expect((await warned)[0].message).toMatch(why)
    })

    it('cuts the answer of one that fails in the middle', async () => {
      const warned = once(process, 'warning')
      const call = await startStreaming(stream => {
        stream.write(`${head(200)}half`)
        throw new Error('broken')
      })
      const response = await call('/')
      await expect(response.text()).rejects.toThrow()
      expect((await warned)[0].message).toMatch(/^GET \/ failed: Error: broken/)
    })

    it('destroys the stream when the caller leaves', async () => {
      const closed = Promise.withResolvers<void>()
      const call = await startStreaming(async stream => {
        stream.once('close', closed.resolve)
        stream.write(`${head(200)}half`)
        await closed.promise
      })
      const leaving = new AbortController()
      await call('/', { signal: leaving.signal })
      leaving.abort()
      await closed.promise
    })
  })

  it('answers 413 to more than 10 MB', async () => {
    const call = await start()
    const body = new Uint8Array(10 * 1024 * 1024 + 1)
    expect((await call('/campaigns/7', { method: 'PUT', headers: bearer(), body })).status).toBe(413)
  })

  it.each([
    [[{ method: 'GET', path: 'open', handler: echo }] as const],
    [
      [
        { method: 'GET', path: '/a/{x}', handler: echo },
        { method: 'GET', path: '/a/{y}', handler: echo },
      ] as const,
    ],
  ])('refuses routes that cannot be told apart', async routes => {
    await expect(startGateway({ routes })).rejects.toThrow(GatewayRouteError)
  })
})
