import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { defineBusinessError } from './define-error.ts'
import { isTaskError } from './task-error.ts'
import { toTaskError } from './to-task-error.ts'

function failure(fields: object, message = 'it failed') {
  return Object.assign(new Error(message), fields)
}

describe('toTaskError', () => {
  it.each([
    ['08000', 'DatabaseConnectionError'],
    ['08003', 'DatabaseConnectionError'],
    ['08006', 'DatabaseConnectionError'],
    ['08P01', 'UnexpectedError'],
    ['22001', 'DataValidationError'],
    ['22P02', 'DataValidationError'],
    ['23502', 'DataValidationError'],
    ['23503', 'DataValidationError'],
    ['23505', 'ConflictError'],
    ['23P01', 'ConflictError'],
    ['25006', 'DatabaseConnectionError'],
    ['25P02', 'UnexpectedError'],
    ['25P03', 'DatabaseConnectionError'],
    ['28P01', 'UnexpectedError'],
    ['40001', 'TemporaryError'],
    ['40P01', 'TemporaryError'],
    ['42601', 'UnexpectedError'],
    ['42P01', 'UnexpectedError'],
    ['53100', 'TemporaryError'],
    ['53200', 'TemporaryError'],
    ['53300', 'DatabaseConnectionError'],
    ['55006', 'TemporaryError'],
    ['55P03', 'TemporaryError'],
    ['57014', 'TemporaryError'],
    ['57P01', 'DatabaseConnectionError'],
    ['57P02', 'DatabaseConnectionError'],
    ['57P03', 'DatabaseConnectionError'],
    ['57P04', 'UnexpectedError'],
    ['57P05', 'DatabaseConnectionError'],
    ['58030', 'TemporaryError'],
    ['P0001', 'BusinessError'],
    ['XX000', 'UnexpectedError'],
  ])('knows SQLSTATE %s as %s', (code, name) => {
    const error = failure({ code, severity: 'ERROR' })
    const message = name === 'BusinessError' ? 'it failed' : `reported as Error ${code}`
    expect(toTaskError(error)).toMatchObject({ name, message, cause: error })
  })

  it.each([
    ['08P01', 'server conn crashed?'],
    ['08P01', 'query_wait_timeout'],
    ['08P01', 'pgbouncer cannot connect to server'],
    ['08P01', 'server login failed: FATAL the database system is starting up'],
    ['08P01', 'database shutdown'],
    ['08P01', 'server login has been failing, cached error: connect failed (server_login_retry)'],
    ['08P01', 'client connections exceeded (max_user_client_connections)'],
    ['08P01', 'no more connections allowed (max_client_conn)'],
    ['08P01', 'client_idle_timeout'],
    ['08P01', 'idle transaction timeout'],
    ['08P01', 'pooler is shutting down'],
    ['08P01', 'admin forced disconnect'],
    ['08P01', 'evicted'],
    ['08P01', 'no memory for pool'],
    ['08P01', 'bouncer resources exhaustion'],
    ['08P01', 'server DNS lookup failed'],
    ['08P01', 'database configuration changed'],
    ['08P01', 'pause failed'],
    ['08P01', 'Timed-out waiting to acquire database connection'],
    ['XX000', 'Timed-out waiting to acquire database connection'],
  ])('knows what poolers say: %s %s', (code, message) => {
    expect(toTaskError(failure({ code, message })).name).toBe('DatabaseConnectionError')
  })

  it('does not take a protocol violation of our own for a pooler', () => {
    for (const message of [
      'bind message has 0 parameter formats but 70000 parameters',
      'insufficient data left in message',
      'invalid message format',
      'transaction blocks not allowed in statement pooling mode',
      'no such database: shop',
      'unsupported startup parameter: search_path',
    ]) {
      expect(toTaskError(failure({ code: '08P01', message })).name).toBe('UnexpectedError')
    }
  })

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
      expect(toTaskError(thrown)).toMatchObject({ name: 'UnexpectedError', message: 'SyntaxError' })
    }
  })

  it.each([
    ['ThrottlingException', { $fault: 'client', $metadata: { httpStatusCode: 400 } }, 'ThrottlingException'],
    ['ProvisionedThroughputExceededException', { $fault: 'client', $metadata: {} }, 'ThrottlingException'],
    ['RequestLimitExceeded', { $fault: 'client', $metadata: {} }, 'ThrottlingException'],
    ['LimitExceededException', { $fault: 'client', $metadata: {} }, 'ThrottlingException'],
    ['ItemCollectionSizeLimitExceededException', { $fault: 'client', $metadata: {} }, 'UnexpectedError'],
    [
      'TooManyRequestsException',
      { $fault: 'client', $metadata: { httpStatusCode: 429 } },
      'ThrottlingException',
    ],
    ['SlowDown', { $fault: 'server', $metadata: { httpStatusCode: 503 } }, 'ThrottlingException'],
    ['Odd', { $fault: 'client', $retryable: { throttling: true }, $metadata: {} }, 'ThrottlingException'],
    ['Odd', { $fault: 'client', $retryable: {}, $metadata: {} }, 'TemporaryError'],
    [
      'InternalServerError',
      { $fault: 'server', $metadata: { httpStatusCode: 500 } },
      'ServiceUnavailableException',
    ],
    ['Odd', { $fault: 'client', $metadata: { httpStatusCode: 502 } }, 'ServiceUnavailableException'],
    ['RequestTimeout', { $fault: 'client', $metadata: { httpStatusCode: 400 } }, 'NetworkError'],
    ['TimeoutError', { $metadata: { attempts: 3 } }, 'NetworkError'],
    ['TransactionInProgressException', { $fault: 'client', $metadata: {} }, 'TemporaryError'],
    ['NoSuchKey', { $fault: 'client', $metadata: { httpStatusCode: 404 } }, 'NotFoundError'],
    ['ResourceNotFoundException', { $fault: 'client', $metadata: { httpStatusCode: 400 } }, 'NotFoundError'],
    [
      'ConditionalCheckFailedException',
      { $fault: 'client', $metadata: { httpStatusCode: 400 } },
      'ConflictError',
    ],
    ['PreconditionFailed', { $fault: 'client', $metadata: { httpStatusCode: 412 } }, 'ConflictError'],
    ['AccessDenied', { $fault: 'client', $metadata: { httpStatusCode: 403 } }, 'UnexpectedError'],
    ['Error', { code: 'ECONNREFUSED', $metadata: { attempts: 3 } }, 'NetworkError'],
  ])('knows the SDK error %s %j as %s', (name, fields, expected) => {
    expect(toTaskError(failure({ name, ...fields })).name).toBe(expected)
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
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])("knows pg's %j, which has no code", message => {
    expect(toTaskError(new Error(message)).name).toBe('DatabaseConnectionError')
  })

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

  it('knows what fetch throws', async () => {
    const refused = await fetch('http://127.0.0.1:1/').catch(error => error)
    expect(toTaskError(refused).name).toBe('NetworkError')
    expect(toTaskError(new TypeError('fetch failed')).name).toBe('NetworkError')
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
      toTaskError(new Error('query failed', { cause: new Error('pool', { cause: lost }) })),
    ).toMatchObject({
      name: 'DatabaseConnectionError',
      cause: lost,
    })
    expect(toTaskError(failure({ code: '23505', cause: lost })).name).toBe('ConflictError')
    expect(toTaskError(failure({ name: 'IdempotencyPersistenceLayerError', cause: lost })).name).toBe(
      'DatabaseConnectionError',
    )
  })

  it('calls a bundle of failures business if one of them is', () => {
    const [lost, bad] = [failure({ code: 'ECONNRESET' }), failure({ code: '22001' })]
    expect(toTaskError(new AggregateError([new Error('?'), lost, lost])).name).toBe('NetworkError')
    expect(toTaskError(new AggregateError([lost, bad])).name).toBe('DataValidationError')
    expect(toTaskError(new AggregateError([])).name).toBe('UnexpectedError')
  })

  it('returns errors of the taxonomy as they are, however deep', () => {
    const own = new (defineBusinessError('OutOfStock'))('only 3 left')
    expect(toTaskError(own)).toBe(own)
    expect(toTaskError(new Error('wrapped', { cause: own }))).toBe(own)
  })

  it('keeps what it does not know', () => {
    const bug = new TypeError('x is not a function')
    expect(toTaskError(bug)).toMatchObject({
      name: 'UnexpectedError',
      message: 'TypeError: x is not a function',
      cause: bug,
    })
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
