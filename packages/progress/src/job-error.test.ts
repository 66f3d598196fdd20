import { BusinessError, sealMessage } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { toJobError } from './job-error.ts'

describe('toJobError', () => {
  it('reads what a catcher was given, without the trace', () => {
    const Cause = JSON.stringify({
      errorType: 'BusinessError',
      errorMessage: 'the model refused',
      trace: ['at secret.ts'],
    })
    expect(toJobError({ Error: 'BusinessError', Cause }, 'FAILED')).toEqual({
      code: 'BusinessError',
      message: 'the model refused',
    })
  })

  it('prefers the finer code', () => {
    const errorMessage = sealMessage(new BusinessError('the model refused', { code: 'MODEL_REFUSED' }))
    const Cause = JSON.stringify({ errorType: 'BusinessError', errorMessage })
    expect(toJobError({ Error: 'BusinessError', Cause }, 'FAILED')).toEqual({
      code: 'MODEL_REFUSED',
      message: 'the model refused',
    })
  })

  it('takes a code and a message as they are', () => {
    const error = { code: 'TIMEOUT_ERROR', message: '処理時間が制限を超えました', more: 1 }
    expect(toJobError(error, 'TIMEOUT')).toEqual({
      code: 'TIMEOUT_ERROR',
      message: '処理時間が制限を超えました',
    })
  })

  it.each([undefined, null, 7, {}, { Error: 'States.Timeout' }])('makes something of %j', error => {
    expect(toJobError(error, 'TIMEOUT')).toMatchObject({ message: expect.stringContaining('longer') })
  })

  it.each([
    'DatabaseConnectionError',
    'UnexpectedError',
    'NetworkError',
    'TypeError',
    'Error',
    'States.TaskFailed',
    'Runtime.ExitError',
    'ServiceUnavailableException',
    'java.lang.IllegalStateException',
    'KeyError',
    'error',
  ])('shows nothing of what %s says', name => {
    const message = 'connect ECONNREFUSED db.internal:5432, select * from users where email = $1'
    const Cause = JSON.stringify({ errorType: name, errorMessage: message })
    expect(toJobError({ Error: name, Cause }, 'FAILED')).toEqual({
      code: name,
      message: 'the processing failed',
    })
  })
})
