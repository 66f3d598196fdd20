import { describe, expect, it } from 'vitest'
import { toStoreError } from './s3-error.ts'

function failure(name: string, httpStatusCode?: number, facts: object = {}): Error {
  return Object.assign(new Error(name), { name, $fault: 'client', $metadata: { httpStatusCode }, ...facts })
}

describe('toStoreError', () => {
  it.each([
    ['NoSuchKey', 404, 'NotFoundError', 'business'],
    ['NoSuchBucket', 404, 'NotFoundError', 'business'],
    ['PreconditionFailed', 412, 'ConflictError', 'business'],
    ['AccessDenied', 403, 'ForbiddenError', 'business'],
    ['InvalidRange', 416, 'ValidationError', 'business'],
    ['ConditionalRequestConflict', 409, 'TemporaryError', 'retryable'],
    ['SlowDown', 503, 'ThrottlingException', 'retryable'],
    ['InternalError', 500, 'ServiceUnavailableException', 'retryable'],
    ['ServiceUnavailable', 503, 'ServiceUnavailableException', 'retryable'],
    ['RequestTimeout', 400, 'NetworkError', 'retryable'],
  ])('makes %s (%i) a %s', (name, status, expected, kind) => {
    expect(
      toStoreError(failure(name, status), { operation: 'GetObject', bucket: 'b', key: 'key' }),
    ).toMatchObject({
      name: expected,
      kind,
    })
  })

  it('takes timeouts and broken connections as trouble of the network', () => {
    for (const code of ['ECONNRESET', 'ETIMEDOUT', 'ECONNREFUSED', 'EPIPE']) {
      const error = Object.assign(new Error(code), { code, $metadata: { attempts: 3 } })
      expect(toStoreError(error, { operation: 'GetObject', bucket: 'b', key: 'key' })).toMatchObject({
        name: 'NetworkError',
      })
    }
    const timeout = Object.assign(new Error('timed out'), { name: 'TimeoutError', $metadata: {} })
    expect(toStoreError(timeout, { operation: 'GetObject', bucket: 'b', key: 'key' })).toMatchObject({
      kind: 'retryable',
    })
  })

  it('says in its own words what was asked for, and no more', () => {
    const message = 'getaddrinfo ENOTFOUND secret-host.internal'
    const unreachable = Object.assign(new Error(message), { code: 'ENOTFOUND', $metadata: {} })
    expect(
      toStoreError(unreachable, { operation: 'HeadObject', bucket: 'uploads', key: 'in/a.csv' }),
    ).toMatchObject({
      message: 'the connection to S3 failed for the object in/a.csv (HeadObject)',
      details: { bucket: 'uploads', key: 'in/a.csv', operation: 'HeadObject' },
      cause: unreachable,
    })
    const head = Object.assign(failure('UnknownError', 404), { message: 'UnknownError' })
    expect(toStoreError(head, { operation: 'HeadObject', bucket: 'uploads', key: 'in/a.csv' })).toMatchObject(
      {
        message: 'there is no object in/a.csv in the bucket uploads (HeadObject)',
      },
    )
    const call = { operation: 'GetObject', bucket: 'uploads', key: 'in/a.csv' }
    expect(toStoreError(failure('NoSuchBucket', 404), call)).toMatchObject({
      message: 'there is no bucket uploads for the object in/a.csv (GetObject)',
      code: 'BUCKET_NOT_FOUND',
    })
  })

  it('leaves what the source of an upload threw', () => {
    const broken = new Error('the source broke')
    expect(toStoreError(broken, { operation: 'PutObject', bucket: 'b', key: 'key' })).toBe(broken)
  })

  it('leaves an abort what it is', () => {
    const abort = new DOMException('aborted', 'AbortError')
    expect(toStoreError(abort, { operation: 'GetObject', bucket: 'b', key: 'key' })).toBe(abort)
  })
})
