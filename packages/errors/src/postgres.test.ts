import { describe, expect, it } from 'vitest'
import { classifyPostgres, isConnectionLost, toDatabaseError } from './postgres.ts'
import { NetworkError } from './taxonomy.ts'
import { toTaskError } from './to-task-error.ts'

function failure(fields: object, message = 'it failed') {
  return Object.assign(new Error(message), fields)
}

describe('classifyPostgres', () => {
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
    expect(toTaskError(error, classifyPostgres)).toMatchObject({ name, message, cause: error })
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
    expect(toTaskError(failure({ code }, message), classifyPostgres).name).toBe('DatabaseConnectionError')
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
      expect(toTaskError(failure({ code: '08P01' }, message), classifyPostgres).name).toBe('UnexpectedError')
    }
  })

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
    'Query read timeout',
  ])("knows pg's %j, which has no code", message => {
    expect(toTaskError(new Error(message), classifyPostgres).name).toBe('DatabaseConnectionError')
  })

  it.each([
    'Connection test failed: printer offline',
    'order Connection terminated was not found',
    'Client has excuses',
    'timeout exceeded',
  ])('does not take an own error that reads alike for one: %j', message => {
    expect(toTaskError(new Error(message), classifyPostgres)).toMatchObject({
      name: 'UnexpectedError',
      message: 'reported as Error',
    })
  })

  it.each([
    { code: 'CONNECTION_CLOSED' },
    { code: 'CONNECT_TIMEOUT', errno: 'CONNECT_TIMEOUT' },
    { name: 'KnexTimeoutError' },
  ])('knows other drivers: %j', fields => {
    expect(toTaskError(failure(fields), classifyPostgres).name).toBe('DatabaseConnectionError')
  })
})

describe('toDatabaseError', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    '57P01',
    '57P03',
    '25006',
    '08006',
  ])('takes %s for a lost connection, however deep', code => {
    const thrown = new Error('query failed', { cause: failure({ code }) })
    expect(toDatabaseError(thrown)).toMatchObject({ name: 'DatabaseConnectionError', kind: 'retryable' })
    expect(isConnectionLost(thrown)).toBe(true)
  })

  it('takes an error of the taxonomy that speaks of the network for one too', () => {
    const thrown = new NetworkError('reset')
    expect(toDatabaseError(thrown)).toMatchObject({ name: 'DatabaseConnectionError', cause: thrown })
  })

  it.each([
    ['40P01', 'TemporaryError'],
    ['23505', 'ConflictError'],
    ['42601', 'UnexpectedError'],
  ])('leaves %s a %s, on a connection that works', (code, name) => {
    expect(toDatabaseError(failure({ code })).name).toBe(name)
    expect(isConnectionLost(failure({ code }))).toBe(false)
  })
})
