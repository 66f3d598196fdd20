import { readFileSync } from 'node:fs'
import * as bedrock from '@aws-sdk/client-bedrock-runtime'
import * as dynamodb from '@aws-sdk/client-dynamodb'
import * as streams from '@aws-sdk/client-dynamodb-streams'
import * as eventbridge from '@aws-sdk/client-eventbridge'
import * as lambda from '@aws-sdk/client-lambda'
import * as s3 from '@aws-sdk/client-s3'
import * as secretsManager from '@aws-sdk/client-secrets-manager'
import * as sesv2 from '@aws-sdk/client-sesv2'
import * as sfn from '@aws-sdk/client-sfn'
import * as sns from '@aws-sdk/client-sns'
import * as sqs from '@aws-sdk/client-sqs'
import * as ssm from '@aws-sdk/client-ssm'
import { describe, expect, it } from 'vitest'
import { classifyAws } from './aws.ts'
import { toTaskError } from './to-task-error.ts'

/**
 * Every exception by the class it is meant to become. Reviewed by hand: when a new version of a client brings a new
 * exception, decide whether the same call may succeed later before you enter it.
 */
const expectedClasses = JSON.parse(
  readFileSync(new URL('../test/sdk-exceptions.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

function failure(fields: object, message = 'it failed') {
  return Object.assign(new Error(message), fields)
}

type ExceptionClass = new (options: object) => Error
type Schema = readonly [number, string, string, { readonly httpError?: number }]

/** An instance of every exception that a client exports, with the status that its service sends. */
function exceptionsOf(client: Readonly<Record<string, unknown>>): Error[] {
  return Object.entries(client).flatMap(([name, value]) => {
    const schema = client[`${name}$`] as Schema | undefined
    if (!isExceptionClass(value) || schema?.[0] !== -3 || !schema[3]) return []
    const $metadata = { httpStatusCode: schema[3].httpError ?? 400 }
    return [new value({ message: 'secret', $metadata })]
  })
}

function isExceptionClass(value: unknown): value is ExceptionClass {
  return typeof value === 'function' && value.prototype instanceof Error
}

describe('classifyAws', () => {
  it.each(
    Object.entries({
      bedrock,
      dynamodb,
      streams,
      eventbridge,
      lambda,
      s3,
      secretsManager,
      sesv2,
      sfn,
      sns,
      sqs,
      ssm,
    }),
  )('knows every exception of %s', (client, module) => {
    const found: Record<string, string[]> = {}
    for (const exception of exceptionsOf(module)) {
      const { name, message } = toTaskError(exception, classifyAws)
      expect(message).toBe(`reported as ${exception.name}`)
      found[name] = [...(found[name] ?? []), exception.name]
    }
    expect(found).toEqual(expectedClasses[client])
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
    ['SomethingNew', { $fault: 'client', $metadata: {} }, 'UnexpectedError'],
    ['Error', { code: 'ECONNREFUSED', $metadata: { attempts: 3 } }, 'NetworkError'],
  ])('knows the SDK error %s %j as %s', (name, fields, expected) => {
    expect(toTaskError(failure({ name, ...fields }), classifyAws).name).toBe(expected)
  })

  it.each([
    [['None', 'ConditionalCheckFailed'], 'ConflictError'],
    [['TransactionConflict', 'ConditionalCheckFailed'], 'ConflictError'],
    [['TransactionConflict', 'None'], 'TemporaryError'],
    [['TransactionConflict', 'ProvisionedThroughputExceeded'], 'ThrottlingException'],
    [['ThrottlingError'], 'ThrottlingException'],
    [['ThrottlingError', 'ValidationError'], 'UnexpectedError'],
    [['ItemCollectionSizeLimitExceeded'], 'UnexpectedError'],
    [[], 'UnexpectedError'],
  ])('reads why a transaction was cancelled: %j is a %s', (codes, expected) => {
    const cancelled = new dynamodb.TransactionCanceledException({
      message: 'Transaction cancelled',
      $metadata: { httpStatusCode: 400 },
      CancellationReasons: codes.map(Code => ({ Code })),
    })
    expect(toTaskError(cancelled, classifyAws).name).toBe(expected)
  })

  it('leaves errors of others alone', () => {
    expect(classifyAws(failure({ name: 'ThrottlingException' }) as never)).toBeUndefined()
  })
})
