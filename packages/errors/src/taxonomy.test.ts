import { describe, expect, it } from 'vitest'
import * as errors from './index.ts'
import type { TaskErrorClass } from './task-error.ts'

const exported: Readonly<Record<string, unknown>> = errors
const classes = Object.entries(exported).filter(
  (entry): entry is [string, TaskErrorClass] => typeof entry[1] === 'function' && 'errorName' in entry[1],
)
function classNamed(name: string) {
  return { ...(exported[name] as TaskErrorClass) }
}

describe('the taxonomy', () => {
  it('exports every class under its name', () => {
    expect(classes.length).toBe(27)
    for (const [name, errorClass] of classes) expect(errorClass.errorName).toBe(name)
  })

  it.each([
    'BusinessError',
    'CSVValidationError',
    'DataValidationError',
    'ForbiddenError',
    'ValidationError',
    'DQ_FAILED',
    'IDEMPOTENT_SKIP',
    'NO_RAW_DATA',
    'PRE_VALIDATION_FAILED',
  ])('never retries %s', name => {
    expect(classNamed(name)).toMatchObject({ errorName: name, kind: 'business', retry: undefined })
  })

  it.each([
    ['DatabaseConnectionError', 2, 3],
    ['TemporaryError', 2, 3],
    ['ThrottlingException', 1, 3],
    ['ServiceUnavailableException', 1, 3],
    ['NetworkError', 1, 3],
    ['GLUE_JOB_FAILED', 2, 1],
    ['CRAWLER_FAILED', 2, 2],
    ['SCHEMA_CHECK_FAILED', 2, 1],
    ['TIMEOUT', 2, 1],
    ['UNEXPECTED_ERROR', 2, 1],
  ])('retries %s after %i s, %i times, doubling', (name, intervalSeconds, maxAttempts) => {
    const retry = { intervalSeconds, maxAttempts, backoffRate: 2 }
    expect(classNamed(name)).toMatchObject({ errorName: name, kind: 'retryable', retry })
  })

  it('has an HTTP status for each', () => {
    const statuses = Object.fromEntries(classes.map(([name, { httpStatus }]) => [name, httpStatus]))
    expect(statuses).toMatchInlineSnapshot(`
      {
        "BusinessError": 422,
        "CRAWLER_FAILED": 502,
        "CSVValidationError": 422,
        "ConcurrentExecutionError": 409,
        "ConflictError": 409,
        "DQ_FAILED": 422,
        "DataValidationError": 400,
        "DatabaseConnectionError": 503,
        "ForbiddenError": 403,
        "GLUE_JOB_FAILED": 502,
        "IDEMPOTENT_SKIP": 409,
        "IdempotencyConflictError": 422,
        "NO_RAW_DATA": 404,
        "NetworkError": 502,
        "NotFoundError": 404,
        "PRE_VALIDATION_FAILED": 400,
        "PayloadTooLargeError": 413,
        "RetryableError": 503,
        "SCHEMA_CHECK_FAILED": 502,
        "ServiceUnavailableException": 503,
        "TIMEOUT": 504,
        "TaskTimeoutError": 504,
        "TemporaryError": 503,
        "ThrottlingException": 429,
        "UNEXPECTED_ERROR": 500,
        "UnexpectedError": 500,
        "ValidationError": 400,
      }
    `)
  })
})
