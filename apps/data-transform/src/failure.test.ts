import { DQ_FAILED, sealMessage } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { describeFailure } from './failure.ts'

function lambdaCause(errorType: string, errorMessage: string): string {
  return JSON.stringify({ errorType, errorMessage, trace: [] })
}
const dq = sealMessage(new DQ_FAILED('null ratio exceeded for column price', { details: { a: 1 } }))

function job(fields: object): string {
  return JSON.stringify({ Id: 'jr_1', JobRunState: 'FAILED', ...fields })
}

describe('describeFailure', () => {
  it.each<[string, string, string, string, string]>([
    [
      'PublishPartition',
      'DQ_FAILED',
      lambdaCause('DQ_FAILED', dq),
      'DQ_FAILED',
      'null ratio exceeded for column price',
    ],
    ['Preflight', 'TaskTimeoutError', '', 'TIMEOUT', 'Preflight took too long'],
    ['Preflight', 'Sandbox.Timedout', '', 'TIMEOUT', 'Preflight took too long'],
    ['RunGlueJob', 'States.Timeout', '', 'TIMEOUT', 'RunGlueJob took too long'],
    [
      'RunGlueJob',
      'States.TaskFailed',
      job({ JobRunState: 'TIMEOUT' }),
      'TIMEOUT',
      'the job run jr_1 took too long',
    ],
    [
      'RunGlueJob',
      'States.TaskFailed',
      job({ ErrorMessage: 'row "secret"' }),
      'GLUE_JOB_FAILED',
      'the job run jr_1 ended as FAILED',
    ],
    [
      'RunGlueJob',
      'States.TaskFailed',
      job({ ErrorMessage: 'TransformError: transform: no header' }),
      'GLUE_JOB_FAILED',
      'the job run jr_1 ended as FAILED: no header',
    ],
    [
      'RunGlueJob',
      'Glue.EntityNotFoundException',
      'no job secret',
      'GLUE_JOB_FAILED',
      'the job could not be run (Glue.EntityNotFoundException)',
    ],
    [
      'UpdateCatalog',
      'CRAWLER_FAILED',
      'the crawler ended without success',
      'CRAWLER_FAILED',
      'the crawler ended without success',
    ],
    [
      'UpdateCatalog',
      'Glue.EntityNotFoundException',
      'secret',
      'CRAWLER_FAILED',
      'the catalog could not be updated (Glue.EntityNotFoundException)',
    ],
    [
      'Preflight',
      'ConcurrentExecutionError',
      'x',
      'IDEMPOTENT_SKIP',
      'another execution is at work on the partition',
    ],
    [
      'Preflight',
      'ForbiddenError',
      lambdaCause('ForbiddenError', 'secret'),
      'UNEXPECTED_ERROR',
      'Preflight failed with ForbiddenError',
    ],
    [
      'Preflight',
      'a secret row',
      'secret',
      'UNEXPECTED_ERROR',
      'Preflight failed with an error without a name',
    ],
  ])('%s %s', (state, name, Cause, code, message) => {
    expect(describeFailure({ state, Error: name, Cause })).toEqual({ code, message })
  })
})
