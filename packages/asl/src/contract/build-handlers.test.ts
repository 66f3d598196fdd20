import {
  DatabaseConnectionError,
  TemporaryError,
  ThrottlingException,
  ValidationError,
} from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { catchFor, checkWorkflow, RouteError, retryFor } from '../index.ts'

const task = defineTask({
  name: 'write-chunk',
  input: z.object({ key: z.string() }),
  output: z.object({ rows: z.number() }),
  errors: [ValidationError, DatabaseConnectionError, TemporaryError, ThrottlingException],
  run: () => ({ rows: 1 }),
})

describe('retryFor', () => {
  it('groups retryable errors by policy and adds Lambda’s own', () => {
    const retry = retryFor(task)
    expect(retry.find(({ ErrorEquals }) => ErrorEquals.includes('TemporaryError'))).toEqual({
      ErrorEquals: ['DatabaseConnectionError', 'TemporaryError'],
      IntervalSeconds: 2,
      MaxAttempts: 3,
      BackoffRate: 2,
    })
    expect(retry.at(-1)?.ErrorEquals).toContain('Lambda.TooManyRequestsException')
    expect(retry.flatMap(({ ErrorEquals }) => ErrorEquals)).not.toContain('ValidationError')
  })

  it('keeps business errors from a wildcard', () => {
    const retry = retryFor(task, { rest: { intervalSeconds: 1, maxAttempts: 2, backoffRate: 1.5 } })
    expect(retry[0]).toEqual({
      ErrorEquals: expect.arrayContaining(['ValidationError', 'DataValidationError']),
      MaxAttempts: 0,
    })
    expect(retry.at(-1)).toEqual({
      ErrorEquals: ['States.TaskFailed'],
      IntervalSeconds: 1,
      MaxAttempts: 2,
      BackoffRate: 1.5,
    })
  })

  it('retries Lambda’s deaths where the task is idempotent', () => {
    const deaths = ['Lambda.Unknown', 'Runtime.ExitError', 'Sandbox.Timedout', 'States.Timeout']
    const namesOf = (retry: ReturnType<typeof retryFor>) => retry.flatMap(({ ErrorEquals }) => ErrorEquals)
    expect(namesOf(retryFor(task))).not.toContain('Sandbox.Timedout')
    expect(namesOf(retryFor(task, { idempotent: true }))).toEqual(expect.arrayContaining(deaths))
    expect(namesOf(retryFor({ ...task, idempotent: true }))).toEqual(expect.arrayContaining(deaths))
    expect(namesOf(retryFor({ ...task, idempotent: true }, { idempotent: false }))).not.toContain(
      'Sandbox.Timedout',
    )
  })

  it('gives the Retry that the checker asks for when a task is idempotent', () => {
    const idempotent = { ...task, idempotent: true }
    const findings = (retry: object) =>
      checkWorkflow(
        {
          StartAt: 'Write',
          TimeoutSeconds: 3600,
          States: {
            Write: {
              Type: 'Task',
              Resource: 'arn:aws:lambda:eu-west-1:123456789012:function:write-chunk',
              Parameters: { 'key.$': '$.key' },
              Retry: retry,
              Catch: catchFor(task, { '*': 'Failed' }),
              End: true,
            },
            Failed: { Type: 'Fail', ErrorPath: '$.error.Error' },
          },
        },
        { tasks: [idempotent] },
      ).map(({ rule }) => rule)
    expect(findings(retryFor(task))).toEqual(['routes/lambda-transient'])
    expect(findings(retryFor(idempotent))).toEqual([])
  })

  it.each([undefined, { intervalSeconds: 1, maxAttempts: 2, backoffRate: 2 }])(
    'makes what the checker asks for',
    rest => {
      const definition = {
        StartAt: 'Write',
        TimeoutSeconds: 3600,
        States: {
          Write: {
            Type: 'Task',
            Resource: 'arn:aws:lambda:eu-west-1:123456789012:function:write-chunk',
            Parameters: { 'key.$': '$.key' },
            Retry: retryFor(task, rest === undefined ? {} : { rest }),
            Catch: catchFor(task, { ValidationError: 'Refused', '*': 'Failed' }),
            End: true,
          },
          Refused: { Type: 'Fail', ErrorPath: '$.error.Error' },
          Failed: { Type: 'Fail', ErrorPath: '$.error.Error' },
        },
      }
      expect(checkWorkflow(definition, { tasks: [task] })).toEqual([])
    },
  )
})

describe('catchFor', () => {
  it('keeps the input and takes what is not named last', () => {
    expect(
      catchFor(task, {
        ValidationError: 'Refused',
        DataValidationError: 'Refused',
        '*': { next: 'Failed', resultPath: '$.cause' },
      }),
    ).toEqual([
      { ErrorEquals: ['ValidationError', 'DataValidationError'], ResultPath: '$.error', Next: 'Refused' },
      { ErrorEquals: ['States.ALL'], ResultPath: '$.cause', Next: 'Failed' },
    ])
  })

  it('refuses an error that the task does not declare', () => {
    expect(() => catchFor(task, { ValidatonError: 'Refused', '*': 'Failed' })).toThrow(RouteError)
    expect(() => catchFor(task, { ValidatonError: 'Refused', '*': 'Failed' })).toThrow(
      'Did you mean ValidationError?',
    )
  })

  it('refuses to leave a declared business error without a route', () => {
    expect(() => catchFor(task, { TemporaryError: 'Later' })).toThrow(/No route for .*ValidationError/)
  })

  it('leaves retryable errors to their retries, as the checker does, unless it is told otherwise', () => {
    const routes = {
      ValidationError: 'Refused',
      DataValidationError: 'Refused',
      PayloadTooLargeError: 'Refused',
    }
    expect(catchFor(task, routes)).toHaveLength(1)
    expect(() => catchFor(task, routes, { catchExhausted: true })).toThrow(/No route for .*TemporaryError/)
  })

  it('takes the errors of several tasks, for a Map or a Parallel around them', () => {
    const other = { name: 'tell', errors: [{ name: 'NoAddress', kind: 'business' }] } as const
    const third = { name: 'log', errors: [{ name: 'NoAddress', kind: 'business' }] } as const
    expect(catchFor([other, third], { NoAddress: 'Skip' })).toEqual([
      { ErrorEquals: ['NoAddress'], ResultPath: '$.error', Next: 'Skip' },
    ])
    expect(() => catchFor([task, other], { '*': 'Failed', NoAdress: 'Skip' })).toThrow(
      'None of the tasks write-chunk, tell declares NoAdress. Did you mean NoAddress?',
    )
    expect(() => catchFor([other, task], { NoAddress: 'Skip' })).toThrow(
      /No route for .*ValidationError of task write-chunk/,
    )
  })

  it('keeps the input in JSONata by Output', async () => {
    const [catcher] = catchFor(task, { '*': 'Failed' }, { language: 'JSONata' })
    expect(catcher).toEqual({ ErrorEquals: ['States.ALL'], Output: expect.any(String), Next: 'Failed' })
    const definition = {
      StartAt: 'Write',
      QueryLanguage: 'JSONata',
      TimeoutSeconds: 3600,
      States: {
        Write: {
          Type: 'Task',
          Resource: 'arn:aws:lambda:eu-west-1:123456789012:function:write-chunk',
          Arguments: { key: '{% $states.input.key %}' },
          Retry: retryFor(task),
          Catch: [catcher],
          End: true,
        },
        Failed: { Type: 'Fail', Error: '{% $states.input.error.Error %}', Cause: '{% $states.input.key %}' },
      },
    }
    expect(checkWorkflow(definition, { tasks: [task] })).toEqual([])
  })
})
