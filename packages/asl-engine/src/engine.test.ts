import type { StateMachine } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { createEngine, type EngineOptions } from './engine.ts'
import { StateFailure } from './failures/state-failure.ts'
import { TaskFailure } from './task/ports.ts'
import { createVirtualClock } from './time/clock.ts'

const start = Date.UTC(2024, 0, 1)
const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:work'

function engineOf(definition: StateMachine, options: Partial<EngineOptions> = {}) {
  const clock = createVirtualClock(start)
  return { clock, engine: createEngine({ definition, clock, random: () => 0.5, ...options }) }
}

async function runOf(definition: StateMachine, input: unknown = {}, options: Partial<EngineOptions> = {}) {
  const { clock, engine } = engineOf(definition, options)
  const execution = engine.run(input)
  const result = await execution.result
  return {
    result,
    elapsedMs: clock.now() - start,
    types: execution.history().map(event => event.type),
    events: execution.history(),
  }
}

function task(fields: object = {}): StateMachine {
  return {
    StartAt: 'Work',
    States: {
      Work: { Type: 'Task', Resource: functionArn, End: true, ...fields },
      Caught: { Type: 'Pass', End: true },
    },
  }
}

function failing(times: number, error: unknown) {
  let calls = 0
  return () => {
    calls += 1
    if (calls <= times) throw error
    return { calls }
  }
}

describe('createEngine', () => {
  it('waits a year in no time', async () => {
    const { result, elapsedMs } = await runOf({
      StartAt: 'Long',
      States: { Long: { Type: 'Wait', Seconds: 31_536_000, End: true } },
    })
    expect(result).toEqual({ status: 'SUCCEEDED', output: {} })
    expect(elapsedMs).toBe(31_536_000_000)
  })

  it('retries with backoff and then succeeds', async () => {
    const { result, elapsedMs, types } = await runOf(
      task({ Retry: [{ ErrorEquals: ['Boom'], IntervalSeconds: 1, BackoffRate: 3, MaxAttempts: 5 }] }),
      {},
      { invoke: failing(3, new TaskFailure('Boom', 'no')) },
    )
    expect(result).toEqual({ status: 'SUCCEEDED', output: { calls: 4 } })
    expect(elapsedMs).toBe((1 + 3 + 9) * 1000)
    expect(types.filter(type => type === 'LambdaFunctionFailed')).toHaveLength(3)
  })

  it('spreads jittered retries by the random it is given', async () => {
    const { elapsedMs } = await runOf(
      task({
        Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 8, JitterStrategy: 'FULL', MaxAttempts: 1 }],
      }),
      {},
      { invoke: failing(1, new TaskFailure('Boom')) },
    )
    expect(elapsedMs).toBe(4000)
  })

  it('reports what a function threw as Lambda does', async () => {
    class CardDeclined extends Error {
      override readonly name = 'CardDeclined'
    }
    const { result } = await runOf(task(), {}, { invoke: failing(1, new CardDeclined('no funds')) })
    expect(result).toMatchObject({ status: 'FAILED', error: 'CardDeclined' })
    expect(JSON.parse((result as { cause: string }).cause)).toMatchObject({
      errorType: 'CardDeclined',
      errorMessage: 'no funds',
    })
    const thrown = await runOf(task(), {}, { invoke: failing(1, 'text') })
    expect(thrown.result).toMatchObject({ error: 'string' })
  })

  it('catches into the path that the catcher names', async () => {
    const { result } = await runOf(
      task({ Catch: [{ ErrorEquals: ['Boom'], ResultPath: '$.problem', Next: 'Caught' }] }),
      { id: 1 },
      { invoke: failing(1, new TaskFailure('Boom', 'no')) },
    )
    expect(result).toEqual({
      status: 'SUCCEEDED',
      output: { id: 1, problem: { Error: 'Boom', Cause: 'no' } },
    })
  })

  it('times out a task that waits too long, and aborts its signal', async () => {
    let aborted = false
    const { result, elapsedMs, types } = await runOf(
      task({ TimeoutSeconds: 7 }),
      {},
      {
        invoke: async (_arn, _payload, context) => {
          context.signal.addEventListener('abort', () => {
            aborted = true
          })
          await context.sleep(60_000)
        },
      },
    )
    expect(result).toEqual({ status: 'FAILED', error: 'States.Timeout', cause: undefined })
    expect(elapsedMs).toBe(7000)
    expect(aborted).toBe(true)
    expect(types).toContain('LambdaFunctionTimedOut')
  })

  it('goes on in time after a function that was given up would have woken', async () => {
    const { result, elapsedMs } = await runOf(
      task({
        TimeoutSeconds: 5,
        Retry: [{ ErrorEquals: ['States.Timeout'], IntervalSeconds: 100, MaxAttempts: 1 }],
      }),
      {},
      {
        invoke: async (_arn, _payload, { retryCount, sleep }) => {
          await sleep(retryCount === 0 ? 60_000 : 1000)
          return 'at last'
        },
      },
    )
    expect(result).toEqual({ status: 'SUCCEEDED', output: 'at last' })
    expect(elapsedMs).toBe(106_000)
  })

  it('records whose rights a task borrows', async () => {
    const { events } = await runOf(
      task({ Credentials: { 'RoleArn.$': '$.role' } }),
      { role: 'arn:aws:iam::1:role/x' },
      { invoke: () => 1 },
    )
    expect(events[2]?.lambdaFunctionScheduledEventDetails).toMatchObject({
      taskCredentials: { roleArn: 'arn:aws:iam::1:role/x' },
    })
  })

  it('never lets time jump while a function works', async () => {
    const { result, elapsedMs } = await runOf(
      task({ TimeoutSeconds: 1 }),
      {},
      { invoke: () => new Promise(resolve => setTimeout(resolve, 20, 'done')) },
    )
    expect(result).toEqual({ status: 'SUCCEEDED', output: 'done' })
    expect(elapsedMs).toBe(0)
  })

  it('gives functions a copy: what they change stays theirs', async () => {
    const { result } = await runOf(
      task({ ResultPath: '$.result' }),
      { list: [1] },
      {
        invoke: (_arn, payload) => {
          ;(payload as { list: number[] }).list.push(2)
          return 'ok'
        },
      },
    )
    expect(result).toEqual({ status: 'SUCCEEDED', output: { list: [1], result: 'ok' } })
  })

  it('fails at the 25,000th event', async () => {
    const { result, types } = await runOf({
      StartAt: 'A',
      States: { A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', Next: 'A' } },
    })
    expect(result).toMatchObject({ status: 'FAILED', error: 'States.Runtime' })
    expect((result as { cause: string }).cause).toContain('maximum number of history events (25000)')
    expect(types).toHaveLength(25_000)
  })

  it('refuses a payload over 256 KiB', async () => {
    const big = 'ä'.repeat(140_000)
    const { result } = await runOf(task({ ResultPath: '$.r' }), {}, { invoke: () => big })
    expect(result).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' })
  })

  it('keeps no history of an Express execution unless asked to', async () => {
    const { engine } = engineOf(task(), { invoke: () => 1, type: 'EXPRESS' })
    const quick = engine.run({})
    await quick.result
    expect(quick.history()).toEqual([])
    const kept = engine.run({}, { keepHistory: true })
    await kept.result
    expect(kept.history()).toHaveLength(7)
  })

  it('times out the whole execution', async () => {
    const { result, types } = await runOf({
      StartAt: 'Long',
      TimeoutSeconds: 10,
      States: { Long: { Type: 'Wait', Seconds: 60, End: true } },
    })
    expect(result).toEqual({ status: 'TIMED_OUT', error: 'States.Timeout', cause: undefined })
    expect(types.at(-1)).toBe('ExecutionTimedOut')
  })

  it('stops when it is aborted', async () => {
    const { engine } = engineOf(
      {
        StartAt: 'W',
        States: {
          W: { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken', End: true },
        },
      },
      { services: () => ({}) },
    )
    const execution = engine.run({})
    setImmediate(() => execution.abort({ error: 'Stopped', cause: 'by hand' }))
    expect(await execution.result).toEqual({ status: 'ABORTED', error: 'Stopped', cause: 'by hand' })
    expect(execution.history().at(-1)).toMatchObject({
      type: 'ExecutionAborted',
      previousEventId: 0,
      executionAbortedEventDetails: { error: 'Stopped', cause: 'by hand' },
    })
  })

  it('yields to the event loop in a long loop, so that it can be stopped', async () => {
    const { engine } = engineOf(
      { StartAt: 'A', States: { A: { Type: 'Pass', Next: 'A' } } },
      { limits: { historyEvents: Number.POSITIVE_INFINITY } },
    )
    const execution = engine.run({}, { keepHistory: false })
    setImmediate(() => execution.abort())
    expect(await execution.result).toMatchObject({ status: 'ABORTED' })
  })

  it('does not catch a runtime error', async () => {
    const { result } = await runOf(
      task({ InputPath: '$.nothing', Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }] }),
    )
    expect(result).toMatchObject({ status: 'FAILED', error: 'States.Runtime' })
  })

  it('goes on from the failed state when it is redriven, with its variables', async () => {
    const definition: StateMachine = {
      StartAt: 'Set',
      States: {
        Set: { Type: 'Pass', Assign: { kept: 'v' }, Result: { n: 1 }, Next: 'Work' },
        Work: { Type: 'Task', Resource: functionArn, ResultPath: '$.r', Next: 'Show' },
        Show: { Type: 'Pass', Parameters: { 'kept.$': '$kept', 'r.$': '$.r', 'n.$': '$.n' }, End: true },
      },
    }
    const { engine } = engineOf(definition, { invoke: failing(1, new TaskFailure('Boom')) })
    const first = engine.run({ start: true }, { name: 'x' })
    expect(await first.result).toMatchObject({ status: 'FAILED', error: 'Boom' })
    const second = engine.run(
      { start: true },
      { name: 'x', resume: { records: first.records(), redrive: true } },
    )
    expect(await second.result).toEqual({ status: 'SUCCEEDED', output: { kept: 'v', r: { calls: 2 }, n: 1 } })
    const types = second.history().map(event => event.type)
    expect(types.filter(type => type === 'ExecutionStarted')).toHaveLength(1)
    expect(types).toContain('ExecutionRedriven')
    expect(second.history().map(event => event.id)).toEqual(types.map((_, index) => index + 1))
  })
})

describe('what recordings do not show', () => {
  const work = 'arn:aws:lambda:us-east-1:000000000000:function:work'
  const caught = { Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }] }

  it('lets functions sleep side by side in virtual time', async () => {
    const { engine, clock } = engineOf(task(), {
      invoke: async (_arn, _payload, { sleep }) => {
        await Promise.all([sleep(1000), sleep(5000), sleep(3000)])
        await sleep(1000)
        return 'done'
      },
    })
    const startMs = clock.now()
    expect(await engine.run({}).result).toMatchObject({ output: 'done' })
    expect(clock.now() - startMs).toBe(6000)
  })

  it('ends an inline Map at the limit of events, without waiting for its siblings', async () => {
    const { engine } = engineOf(
      {
        StartAt: 'M',
        States: {
          M: {
            Type: 'Map',
            ItemProcessor: {
              StartAt: 'C',
              States: {
                C: {
                  Type: 'Choice',
                  Choices: [{ Variable: '$', NumericEquals: 0, Next: 'Long' }],
                  Default: 'Loop',
                },
                Long: { Type: 'Wait', Seconds: 99_999, End: true },
                Loop: { Type: 'Pass', Next: 'Loop' },
              },
            },
            End: true,
          },
        },
      },
      { limits: { historyEvents: 200 } },
    )
    const execution = engine.run([0, 1])
    expect(await execution.result).toEqual({
      status: 'FAILED',
      error: 'States.Runtime',
      cause: 'The execution reached the maximum number of history events (200).',
    })
    expect(execution.history()).toHaveLength(200)
  })

  it('lets no catcher hide that a service has no adapter', async () => {
    const { engine } = engineOf({
      StartAt: 'T',
      States: {
        T: { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage', ...caught, End: true },
        Caught: { Type: 'Pass', End: true },
      },
    })
    expect(await engine.run({}).result).toMatchObject({
      status: 'FAILED',
      error: 'States.Runtime',
      cause: expect.stringContaining('No adapter answers sqs:sendMessage'),
    })
  })

  it('says of an unknown function what Lambda says', async () => {
    const { engine } = engineOf({
      StartAt: 'T',
      States: { T: { Type: 'Task', Resource: work, End: true } },
    })
    expect(await engine.run({}).result).toMatchObject({
      error: 'Lambda.ResourceNotFoundException',
      cause: expect.stringMatching(
        /^Function not found: .*:function:work:\$LATEST \(Service: Lambda, Status Code: 404/,
      ),
    })
  })

  it.each([
    ['Event', 202, 1],
    ['DryRun', 204, 0],
  ])('does not wait for a function that is invoked as %s', async (InvocationType, StatusCode, called) => {
    let calls = 0
    const { engine } = engineOf(
      {
        StartAt: 'T',
        States: {
          T: {
            Type: 'Task',
            Resource: 'arn:aws:states:::lambda:invoke',
            Parameters: { FunctionName: 'work', InvocationType },
            End: true,
          },
        },
      },
      {
        invoke: () => {
          calls += 1
          return new Promise(() => undefined)
        },
      },
    )
    expect(await engine.run({}).result).toMatchObject({ output: { StatusCode, Payload: '' } })
    expect(calls).toBe(called)
  })

  it('writes no variables where none are assigned, and an empty cause as it is', async () => {
    const { engine } = engineOf({
      StartAt: 'P',
      States: { P: { Type: 'Pass', Assign: {}, Next: 'F' }, F: { Type: 'Fail', Error: 'E', Cause: '' } },
    })
    const execution = engine.run({})
    expect(await execution.result).toEqual({ status: 'FAILED', error: 'E', cause: '' })
    const exited = execution.history().find(event => event.type === 'PassStateExited')
    expect(exited?.stateExitedEventDetails).not.toHaveProperty('assignedVariables')
    expect(execution.history().at(-1)?.executionFailedEventDetails).toEqual({ error: 'E', cause: '' })
  })
})

describe('callbacks', () => {
  const waiting = (fields: object = {}): StateMachine => ({
    StartAt: 'Ask',
    States: {
      Ask: {
        Type: 'Task',
        Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
        Parameters: { 'token.$': '$$.Task.Token' },
        End: true,
        ...fields,
      },
    },
  })

  it('goes on with what the token is answered', async () => {
    const { engine } = engineOf(waiting(), {
      services: ({ parameters, taskToken }) => {
        expect(parameters).toEqual({ token: taskToken })
        setImmediate(() => engine.taskTokens.get(taskToken)?.succeed({ approved: true }))
        return { MessageId: 'm' }
      },
    })
    const execution = engine.run({})
    expect(await execution.result).toEqual({ status: 'SUCCEEDED', output: { approved: true } })
    expect(execution.history().map(event => event.type)).toContain('TaskSubmitted')
  })

  it('fails with the error that the token is given', async () => {
    const { engine } = engineOf(waiting(), {
      services: ({ taskToken }) => {
        setImmediate(() => engine.taskTokens.get(taskToken)?.fail(new StateFailure('Rejected', 'no')))
        return {}
      },
    })
    expect(await engine.run({}).result).toEqual({ status: 'FAILED', error: 'Rejected', cause: 'no' })
  })

  it('times out when heartbeats stop coming, and not before', async () => {
    const { engine, clock } = engineOf(waiting({ HeartbeatSeconds: 10, TimeoutSeconds: 600 }), {
      services: ({ taskToken }) => {
        for (const second of [8, 16, 24]) {
          clock.at(start + second * 1000, () => engine.taskTokens.get(taskToken)?.beat())
        }
        return {}
      },
    })
    expect(await engine.run({}).result).toEqual({
      status: 'FAILED',
      error: 'States.Timeout',
      cause: undefined,
    })
    expect(clock.now() - start).toBe(34_000)
  })

  it('times out although the service that was called has not answered yet', async () => {
    const { engine, clock } = engineOf(waiting({ HeartbeatSeconds: 10, TimeoutSeconds: 600 }), {
      services: async ({ sleep }) => sleep(300_000),
    })
    expect(await engine.run({}).result).toMatchObject({ status: 'FAILED', error: 'States.Timeout' })
    expect(clock.now() - start).toBe(10_000)
  })
})

describe('activities', () => {
  it('hands the input to a worker and takes its answer', async () => {
    const activityArn = 'arn:aws:states:us-east-1:000000000000:activity:pack'
    const { engine } = engineOf(
      { StartAt: 'Pack', States: { Pack: { Type: 'Task', Resource: activityArn, End: true } } },
      {
        activities: {
          exists: arn => arn === activityArn,
          schedule: ({ taskToken, input }) => {
            engine.taskTokens.get(taskToken)?.start('worker-1')
            engine.taskTokens.get(taskToken)?.succeed({ packed: JSON.parse(input) })
          },
        },
      },
    )
    const execution = engine.run({ box: 1 })
    expect(await execution.result).toEqual({ status: 'SUCCEEDED', output: { packed: { box: 1 } } })
    expect(execution.history().map(event => event.type)).toEqual([
      'ExecutionStarted',
      'TaskStateEntered',
      'ActivityScheduled',
      'ActivityStarted',
      'ActivitySucceeded',
      'TaskStateExited',
      'ExecutionSucceeded',
    ])
  })
})

describe('the heartbeat of an activity', () => {
  it('is due from when a worker has started, not while the task waits for one', async () => {
    const activityArn = 'arn:aws:states:us-east-1:000000000000:activity:pack'
    const { engine, clock } = engineOf(
      {
        StartAt: 'Pack',
        States: { Pack: { Type: 'Task', Resource: activityArn, HeartbeatSeconds: 10, End: true } },
      },
      {
        activities: {
          exists: () => true,
          schedule: ({ taskToken }) => {
            clock.at(clock.now() + 60_000, () => engine.taskTokens.get(taskToken)?.start('worker-1'))
          },
        },
      },
    )
    expect(await engine.run({}).result).toMatchObject({ status: 'FAILED', error: 'States.Timeout' })
    expect(clock.now() - start).toBe(70_000)
  })
})

describe('Choice', () => {
  const definition: StateMachine = {
    StartAt: 'Which',
    States: {
      Which: { Type: 'Choice', Choices: [{ Variable: '$.n', NumericEquals: 1, Next: 'One' }] },
      One: { Type: 'Succeed' },
    },
  }

  it('fails where no rule holds and there is no default', async () => {
    expect((await runOf(definition, { n: 1 })).result.status).toBe('SUCCEEDED')
    const { result } = await runOf(definition, { n: 2 })
    expect(result).toMatchObject({ status: 'FAILED', error: 'States.NoChoiceMatched' })
  })
})

describe('Parallel', () => {
  it('stops the other branches when one fails', async () => {
    const { result, types, elapsedMs } = await runOf({
      StartAt: 'Both',
      States: {
        Both: {
          Type: 'Parallel',
          Branches: [
            { StartAt: 'Slow', States: { Slow: { Type: 'Wait', Seconds: 1000, End: true } } },
            { StartAt: 'Bad', States: { Bad: { Type: 'Fail', Error: 'Bad', Cause: 'it is' } } },
          ],
          Catch: [{ ErrorEquals: ['Bad'], Next: 'Caught' }],
          End: true,
        },
        Caught: { Type: 'Pass', End: true },
      },
    })
    expect(result).toEqual({ status: 'SUCCEEDED', output: { Error: 'Bad', Cause: 'it is' } })
    expect(types).toContain('WaitStateAborted')
    expect(elapsedMs).toBe(0)
  })
})
