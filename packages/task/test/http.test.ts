import { ConcurrentExecutionError, defineBusinessError, ForbiddenError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import {
  claimOf,
  type HttpEvent,
  type HttpOptions,
  type HttpRequest,
  type HttpResponse,
  toHttpHandler,
} from '@stepwright/task/http'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { parseHttpEvent } from '../src/http-request.ts'
import { memorySinks } from './memory-sinks.ts'

class OutOfStock extends defineBusinessError('OutOfStock', { httpStatus: 409 }) {}

const order = defineTask({
  name: 'order',
  input: z.object({
    sku: z.string(),
    count: z._default(z.int(), 1),
    userId: z.optional(z.string()),
    address: z.optional(z.object({ city: z.string() })),
  }),
  output: z.any(),
  errors: [OutOfStock, ForbiddenError, ConcurrentExecutionError],
  run(input) {
    if (input.sku === 'gone') throw new OutOfStock('none left', { details: { sku: 'gone' } })
    if (input.sku === 'busy')
      throw new ConcurrentExecutionError('secret host name', { retryAfterSeconds: 1.5 })
    if (input.sku === 'bug') throw new TypeError('secret')
    return input
  },
})

it('fails for a result that JSON would change or drop, unless the response has another body', async () => {
  const report = defineTask({
    name: 'report',
    input: z.any(),
    output: z.any(),
    errors: [],
    run: () => ({ rows: new Map([['a', 1]]) }),
  })
  const json = await toHttpHandler(report, memorySinks())({ body: '{}' })
  expect(json.statusCode).toBe(500)
  const page = await toHttpHandler(report, { ...memorySinks(), response: () => ({ body: '<p>1</p>' }) })({
    body: '{}',
  })
  expect(page).toMatchObject({ statusCode: 200, body: '<p>1</p>' })
})

async function call(event: HttpEvent, options: HttpOptions<typeof order> = {}) {
  const response: HttpResponse = await toHttpHandler(order, { ...memorySinks(), ...options })(event)
  return { ...response, body: JSON.parse(response.body) }
}

function rest(body: unknown): HttpEvent {
  return {
    httpMethod: 'POST',
    path: '/orders',
    body: JSON.stringify(body),
  }
}

describe('toHttpHandler', () => {
  it('answers with the envelope', async () => {
    expect(await call(rest({ sku: 'A1' }), { successStatus: 202 })).toEqual({
      statusCode: 202,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: { success: true, data: { sku: 'A1', count: 1 } },
    })
  })

  it('answers with a page, and looks at no body, where asked', async () => {
    const handler = toHttpHandler(order, {
      ...memorySinks(),
      body: 'ignored',
      response: () => ({ headers: { 'content-type': 'text/html' }, body: '<p>Done</p>' }),
    })
    const form = { ...rest({}), body: 'List-Unsubscribe=One-Click', queryStringParameters: { sku: 'A1' } }
    expect(await handler(form)).toEqual({
      statusCode: 200,
      headers: { 'content-type': 'text/html', 'cache-control': 'no-store' },
      body: '<p>Done</p>',
    })
  })

  it('answers with the bare result where asked', async () => {
    expect((await call(rest({ sku: 'A1' }), { envelope: false })).body).toEqual({ sku: 'A1', count: 1 })
  })

  it('reads query, body and path, in that order', async () => {
    const event = {
      ...rest({ sku: 'body', userId: 'body' }),
      pathParameters: { sku: 'path' },
      queryStringParameters: { userId: 'query' },
    }
    expect((await call(event)).body.data).toEqual({ sku: 'path', userId: 'body', count: 1 })
  })

  it.each([
    ['a REST API', { requestContext: { authorizer: { claims: { sub: 'ann' } } } }],
    ['an HTTP API', { requestContext: { authorizer: { jwt: { claims: { sub: 'ann' } } } } }],
    ["an HTTP API's function", { requestContext: { authorizer: { lambda: { sub: 'ann' } } } }],
    ["a REST API's function", { requestContext: { authorizer: { principalId: 'a', sub: 'ann' } } }],
  ])('takes the caller from the claims of %s', async (_, context) => {
    const { body } = await call(
      { ...rest({ sku: 'A1', userId: 'forged' }), ...context },
      { input: request => ({ ...(request.body as { sku: string }), userId: claimOf(request, 'sub') }) },
    )
    expect(body.data.userId).toBe('ann')
  })

  it('answers 401 where the caller is not known', async () => {
    const options = { input: (request: Parameters<typeof claimOf>[0]) => ({ sku: claimOf(request, 'sub') }) }
    expect(await call(rest({}), options)).toMatchObject({
      statusCode: 401,
      body: { title: 'UnauthenticatedError' },
    })
  })

  it('reads a body in base64, and an event in format 2.0', async () => {
    const event: HttpEvent = {
      rawPath: '/orders',
      requestContext: { http: { method: 'POST' } },
      body: Buffer.from('{"sku":"語"}').toString('base64'),
      isBase64Encoded: true,
    }
    expect((await call(event)).body.data.sku).toBe('語')
  })

  it.each([
    ['{"sku":', 'the body must be JSON'],
    ['[1]', 'the body must be a JSON object'],
    ['"text"', 'the body must be a JSON object'],
    ['null', 'the body must be a JSON object'],
  ])('answers 400 to the body %s', async (body, problem) => {
    expect(await call({ body, path: '/orders' })).toMatchObject({
      statusCode: 400,
      headers: { 'content-type': 'application/problem+json' },
      body: {
        success: false,
        type: 'urn:stepwright:error:ValidationError',
        status: 400,
        detail: expect.stringContaining(problem),
        instance: '/orders',
      },
    })
  })

  it('says which field is wrong', async () => {
    expect(await call(rest({ count: 'two' }))).toMatchObject({
      statusCode: 400,
      body: { title: 'DataValidationError', details: { issues: [{ path: 'sku' }, { path: 'count' }] } },
    })
    expect((await call({})).statusCode).toBe(400)
  })

  it('refuses unknown fields, unless told to ignore them', async () => {
    const event = rest({ sku: 'A1', cuont: 2, address: { city: 'Kyoto', zip: '600' } })
    expect(await call(event)).toMatchObject({
      statusCode: 400,
      body: { detail: 'unknown fields: cuont, address.zip' },
    })
    expect((await call(event, { unknownFields: 'ignore' })).statusCode).toBe(200)
    const { body } = await call(rest(JSON.parse('{"sku":"A1","__proto__":{"count":9}}')))
    expect(body.detail).toBe('unknown fields: __proto__')
  })

  it('checks the input once', async () => {
    let checks = 0
    const counting = defineTask({
      name: 'counting',
      input: z.pipe(
        z.object({ sku: z.string() }),
        z.transform(value => {
          checks += 1
          return value
        }),
      ),
      output: z.any(),
      errors: [],
      run: input => input,
    })
    const handler = toHttpHandler(counting, memorySinks())
    expect((await handler(rest({ sku: 'A1' }))).statusCode).toBe(200)
    expect(checks).toBe(1)
    expect((await handler(rest({ sku: 'A1', other: 1 }))).statusCode).toBe(400)
    expect(checks).toBe(2)
  })

  it('reports no more than twenty unknown fields, and long ones cut', async () => {
    const fields = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]))
    const { body } = await call(rest({ sku: 'A1', ['x'.repeat(5_000)]: 1, ...fields }))
    expect(body.details.issues).toHaveLength(20)
    expect(body.detail).toMatch(/, f18, \.\.\.$/)
    expect(JSON.stringify(body).length).toBeLessThan(3_000)
  })

  it('refuses a body that is no object before the mapper sees it, unless told otherwise', async () => {
    const mapped: unknown[] = []
    const input = ({ body }: { body: unknown }) => {
      mapped.push(body)
      return { sku: String(body) }
    }
    expect(await call(rest('x'), { input })).toMatchObject({
      statusCode: 400,
      body: { detail: 'the body must be a JSON object' },
    })
    expect(mapped).toEqual([])
    expect((await call(rest('x'), { input, body: 'any' })).body.data.sku).toBe('x')
  })

  it('survives a body that is nested without end', async () => {
    const open = defineTask({
      name: 'o',
      input: z.looseObject({}),
      output: z.any(),
      errors: [],
      run: () => 1,
    })
    const body = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    expect((await toHttpHandler(open, memorySinks())({ body })).statusCode).toBe(200)
  })

  it.each([
    ['a REST API', { multiValueQueryStringParameters: { tag: ['a,b', 'c'], one: ['1'] } }],
    ['an HTTP API', { rawQueryString: 'tag=a%2Cb&tag=c&one=1', queryStringParameters: { tag: 'a,b,c' } }],
  ])('reads a query parameter that %s was given twice as a list', async (_, event) => {
    const echo = defineTask({ name: 'e', input: z.any(), output: z.any(), errors: [], run: input => input })
    const handler = (input?: HttpOptions<typeof echo>['input']) =>
      toHttpHandler(echo, { ...memorySinks(), envelope: false, ...(input && { input }) })(event)
    expect(JSON.parse((await handler()).body)).toEqual({ tag: ['a,b', 'c'], one: '1' })
    expect(JSON.parse((await handler(({ query }) => query)).body)).toEqual({ tag: 'c', one: '1' })
    expect(JSON.parse((await handler(({ queryLists }) => queryLists)).body)).toEqual({
      tag: ['a,b', 'c'],
      one: ['1'],
    })
  })

  it('reads a query of one parameter, given again and again, in no time', () => {
    const before = process.threadCpuUsage()
    const { queryLists } = parseHttpEvent({ rawQueryString: 'a=1&'.repeat(20_000) })
    expect(queryLists['a']).toHaveLength(20_000)
    const names = Array.from({ length: 20_000 }, (_, index) => `n${index}=1`).join('&')
    expect(Object.keys(parseHttpEvent({ rawQueryString: names }).queryLists)).toHaveLength(20_000)
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(1000)
  })

  it.each([
    ['a REST API', { headers: { Cookie: 'sku=A1; theme="d%20k"; sku=second; broken' } }],
    ['an HTTP API', { cookies: ['sku=A1', 'theme=d%20k', 'broken'] }],
  ])('reads the cookies of %s', async (_, event) => {
    const input = ({ cookies }: HttpRequest) => ({ sku: cookies['sku'], userId: cookies['theme'] })
    expect((await call(event, { input })).body.data).toMatchObject({ sku: 'A1', userId: 'd k' })
  })

  it('reads cookies with quotes, spaces and signs in them', () => {
    const { cookies } = parseHttpEvent({ cookies: [' a = "x=y" ', 'b=', 'c="', '=d', 'e f=g', 'h'] })
    expect(cookies).toEqual({ a: 'x=y', b: '', c: '' })
  })

  it('reads a hostile cookie in linear time', { timeout: 2000 }, () => {
    const spaces = '\t'.repeat(300_000)
    expect(parseHttpEvent({ cookies: [`a=${spaces}x${spaces}x`] }).cookies['a']).toHaveLength(300_002)
  })

  it('adds headers, cookies and a status of its own to a result', async () => {
    const options: HttpOptions<typeof order> = {
      response: ({ sku }, { path }) => ({
        status: 201,
        headers: { location: `${path}/${sku}`, 'cache-control': 'max-age=5' },
        cookies: ['last=A1; Secure', 'a=b'],
      }),
    }
    expect(await call(rest({ sku: 'A1' }), options)).toMatchObject({
      statusCode: 201,
      headers: { location: '/orders/A1', 'cache-control': 'max-age=5', 'content-type': 'application/json' },
      multiValueHeaders: { 'set-cookie': ['last=A1; Secure', 'a=b'] },
    })
    const event = { ...rest({ sku: 'A1' }), requestContext: { http: { method: 'POST' } } }
    expect(await call(event, options)).toMatchObject({ cookies: ['last=A1; Secure', 'a=b'] })
  })

  it("answers with each class's status, and tells no secrets", async () => {
    expect(await call(rest({ sku: 'gone' }))).toMatchObject({
      statusCode: 409,
      body: { title: 'OutOfStock', detail: 'none left', details: { sku: 'gone' } },
    })
    const busy = await call(rest({ sku: 'busy' }))
    expect(busy).toMatchObject({ statusCode: 409, headers: { 'retry-after': '2' } })
    const bug = await call(rest({ sku: 'bug' }))
    expect(bug.statusCode).toBe(500)
    expect(JSON.stringify([busy, bug])).not.toContain('secret')
  })
})

describe('cors', () => {
  const cors = { origins: ['https://shop.example'], credentials: true }
  const from = (origin: string, event: HttpEvent = rest({ sku: 'A1' })) => ({
    ...event,
    headers: { Origin: origin, ...event.headers },
  })

  it('names an allowed origin on results and problems alike, and no other', async () => {
    for (const sku of ['A1', 'gone']) {
      const { headers } = await call(from('https://shop.example', rest({ sku })), { cors })
      expect(headers).toMatchObject({
        vary: 'origin',
        'access-control-allow-origin': 'https://shop.example',
        'access-control-allow-credentials': 'true',
      })
    }
    const { headers } = await call(from('https://evil.example'), { cors })
    expect(headers['vary']).toBe('origin')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect((await call(from('https://any.example'), { cors: { origins: '*' } })).headers).toMatchObject({
      'access-control-allow-origin': '*',
    })
  })

  it('answers a browser that asks first, without running the task', async () => {
    const question = {
      requestContext: { http: { method: 'OPTIONS' } },
      headers: { 'access-control-request-method': 'PUT' },
    }
    const sinks = memorySinks()
    const handler = toHttpHandler(order, { ...sinks, cors: { ...cors, methods: ['PUT'], maxAgeSeconds: 5 } })
    expect(await handler(from('https://shop.example', question))).toEqual({
      statusCode: 204,
      headers: {
        vary: 'origin',
        'access-control-allow-origin': 'https://shop.example',
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'PUT',
        'access-control-allow-headers': 'authorization, content-type',
        'access-control-max-age': '5',
      },
      body: '',
    })
    expect(sinks.published).toEqual([])
  })

  it('takes no credentials from everywhere', () => {
    expect(() => toHttpHandler(order, { cors: { origins: '*', credentials: true } })).toThrow(
      'cors.origins must be a list',
    )
  })
})
