import { ConcurrentExecutionError, defineBusinessError, ForbiddenError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import {
  claimOf,
  type HttpEvent,
  type HttpOptions,
  type HttpResponse,
  toHttpHandler,
} from '@stepwright/task/http'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
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
    ['{"sku":', 'the body is no JSON'],
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
