import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { defineBusinessError } from './define-error.ts'
import { classifyPostgres } from './postgres.ts'
import { isTaskError } from './task-error.ts'
import { toTaskError } from './to-task-error.ts'

function failure(fields: object, message = 'it failed') {
  return Object.assign(new Error(message), fields)
}

describe('toTaskError', () => {
  it.each([
    failure({ code: '22P02', message: 'invalid input syntax for type integer: "secret"' }),
    failure({ code: '42601', message: 'syntax error at or near "secret"' }),
    failure({ code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND secret.internal' }),
    failure({ name: 'SlowDown', $metadata: { httpStatusCode: 503 }, message: 'secret' }),
    failure({ name: 'AbortError', message: 'secret' }),
    'secret',
    { name: 'secret', secret: 'secret' },
  ])('says nothing of what a foreign text may quote: %o', thrown => {
    const error = toTaskError(thrown)
    expect(`${error.message} ${JSON.stringify(error.details)}`).not.toContain('secret')
  })

  it('leaves out what a parser quotes', () => {
    const parse = () => JSON.parse('{"card": secret}')
    expect(parse).toThrow('secret')
    try {
      parse()
    } catch (thrown) {
      expect(toTaskError(thrown)).toMatchObject({
        name: 'UnexpectedError',
        message: 'reported as SyntaxError',
      })
    }
  })

  it.each([
    ...['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'],
    ...[
      'EHOSTUNREACH',
      'ENETUNREACH',
      'ENETDOWN',
      'EADDRNOTAVAIL',
      'UND_ERR_SOCKET',
      'UND_ERR_CONNECT_TIMEOUT',
    ],
    ...['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_SOCKET_CLOSED'],
  ])('knows %s as NetworkError', code => {
    expect(toTaskError(failure({ code })).name).toBe('NetworkError')
  })

  it.each(['EMFILE', 'ENFILE', 'EAGAIN', 'EBUSY'])('knows %s as TemporaryError', code => {
    expect(toTaskError(failure({ code })).name).toBe('TemporaryError')
  })

  it.each(['E2BIG', 'ENOENT', 'EACCES', 'UND_ERR_INVALID_ARG', 'ERR_INVALID_ARG_TYPE'])(
    'does not know %s',
    code => {
      expect(toTaskError(failure({ code })).name).toBe('UnexpectedError')
    },
  )

  it.each([
    ['IdempotencyAlreadyInProgressError', 'ConcurrentExecutionError'],
    ['IdempotencyItemAlreadyExistsError', 'ConcurrentExecutionError'],
    ['IdempotencyValidationError', 'IdempotencyConflictError'],
    ['IdempotencyKeyError', 'DataValidationError'],
    ['IdempotencyPersistenceLayerError', 'TemporaryError'],
    ['IdempotencyInconsistentStateError', 'TemporaryError'],
    ['AbortError', 'TemporaryError'],
    ['TimeoutError', 'TemporaryError'],
  ])('knows %s as %s', (name, expected) => {
    expect(toTaskError(failure({ name })).name).toBe(expected)
  })

  it.each([
    [{ status: 429 }, 'ThrottlingException'],
    [{ statusCode: 503 }, 'ServiceUnavailableException'],
    [{ response: { status: 503, data: {} } }, 'ServiceUnavailableException'],
    [{ response: { statusCode: 429 }, code: 'ERR_NON_2XX_3XX_RESPONSE' }, 'ThrottlingException'],
    [{ response: { status: 504 }, code: 'ERR_BAD_RESPONSE' }, 'ServiceUnavailableException'],
    [{ $metadata: { httpStatusCode: 503 } }, 'ServiceUnavailableException'],
    [{ status: 500 }, 'UnexpectedError'],
    [{ response: { status: 404 } }, 'UnexpectedError'],
    [{ response: 'none', status: 'open' }, 'UnexpectedError'],
  ])('knows the status that an HTTP client reports: %j is a %s', (fields, name) => {
    expect(toTaskError(failure(fields)).name).toBe(name)
  })

  it.each(['order EPIPE-7 is unknown', 'user ECONNRESET was not found', 'fetch failed'])(
    'goes by codes and names, never by words: %j is a bug',
    message => {
      expect(toTaskError(new Error(message))).toMatchObject({
        name: 'UnexpectedError',
        message: 'reported as Error',
      })
    },
  )

  it('reads errors of another realm', () => {
    expect(toTaskError(runInNewContext('new RangeError("too far")')).message).toBe('reported as RangeError')
    const lost = runInNewContext('Object.assign(new Error("x"), { code: "ECONNRESET" })')
    expect(toTaskError(runInNewContext('new Error("x", { cause })', { cause: lost })).name).toBe(
      'NetworkError',
    )
  })

  it('knows what fetch throws', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await new Promise(resolve => server.close(resolve))
    const refused = await fetch(`http://127.0.0.1:${port}/`).catch(error => error)
    expect(toTaskError(refused).name).toBe('NetworkError')
    const cut = new TypeError('terminated', {
      cause: failure({ name: 'SocketError', code: 'UND_ERR_SOCKET' }),
    })
    expect(toTaskError(cut).name).toBe('NetworkError')
    expect(toTaskError(AbortSignal.timeout(0).reason ?? new DOMException('late', 'TimeoutError')).name).toBe(
      'TemporaryError',
    )
    expect(toTaskError(AbortSignal.abort().reason).name).toBe('TemporaryError')
  })

  it('lists what a schema found, with paths', () => {
    const { error } = z
      .object({ rows: z.array(z.object({ email: z.email() })) })
      .safeParse({ rows: [{ email: 'x' }] })
    expect(toTaskError(error)).toMatchObject({
      name: 'DataValidationError',
      message: 'rows.0.email: Invalid email address',
      details: { issues: [{ path: 'rows.0.email', message: 'Invalid email address' }] },
    })
    const issues = Array.from({ length: 9 }, (_, row) => ({ message: 'bad', path: [{ key: 'rows' }, row] }))
    expect(toTaskError({ issues }).message).toMatch(/^rows\.0: bad; .*rows\.4: bad; \.\.\.$/)
  })

  it('looks through cause, unless the error itself has the answer', () => {
    const lost = failure({ code: '57P01' })
    expect(
      toTaskError(new Error('query failed', { cause: new Error('pool', { cause: lost }) }), classifyPostgres),
    ).toMatchObject({
      name: 'DatabaseConnectionError',
      cause: lost,
    })
    expect(toTaskError(failure({ code: '23505', cause: lost }), classifyPostgres).name).toBe('ConflictError')
    expect(
      toTaskError(failure({ name: 'IdempotencyPersistenceLayerError', cause: lost }), classifyPostgres).name,
    ).toBe('DatabaseConnectionError')
  })

  it('calls a bundle of failures business if one of them is', () => {
    const [lost, bad] = [failure({ code: 'ECONNRESET' }), failure({ code: '22001' })]
    expect(toTaskError(new AggregateError([new Error('?'), lost, lost])).name).toBe('NetworkError')
    expect(toTaskError(new AggregateError([lost, bad]), classifyPostgres).name).toBe('DataValidationError')
    expect(toTaskError(new AggregateError([])).name).toBe('UnexpectedError')
  })

  it('returns errors of the taxonomy as they are, however deep', () => {
    const own = new (defineBusinessError('OutOfStock'))('only 3 left')
    expect(toTaskError(own)).toBe(own)
    expect(toTaskError(new Error('wrapped', { cause: own }))).toBe(own)
  })

  it('says of what it does not know only what it was, and keeps it as the cause', () => {
    const bug = new TypeError('x is not a function')
    expect(toTaskError(bug)).toMatchObject({
      name: 'UnexpectedError',
      message: 'reported as TypeError',
      cause: bug,
    })
    const named = Object.assign(new Error('x'), { name: 'ann@example.com of secret', code: 'a b' })
    expect(toTaskError(named).message).toBe('reported as')
    expect(toTaskError('boom').message).toBe('string was thrown')
    expect(toTaskError(undefined).message).toBe('undefined was thrown')
    expect(toTaskError({ a: 1 }).message).toBe('object was thrown')
  })

  it('survives anything that can be thrown', () => {
    const circular: Record<string, unknown> = { name: 'Loop' }
    circular['cause'] = circular
    const aggregate = new AggregateError([])
    aggregate.errors.push(aggregate)
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const hostile = {
      get code(): never {
        throw new Error('hands off')
      },
    }
    for (const value of [
      circular,
      aggregate,
      proxy,
      hostile,
      1n,
      Symbol('s'),
      Object.create(null),
      () => 0,
      Number.NaN,
    ]) {
      expect(toTaskError(value).name).toBe('UnexpectedError')
    }
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), value =>
        isTaskError(toTaskError(value)),
      ),
    )
  })
})
