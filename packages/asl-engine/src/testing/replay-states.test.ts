import type { State, StateMachine } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { createEngine, type EngineOptions } from '../engine.ts'
import { StateFailure } from '../failures/state-failure.ts'
import type { HistoryRecord } from '../history/record.ts'
import type { Json } from '../json.ts'
import { createMemoryObjects } from '../map/memory-objects.ts'
import { type CallContext, TaskFailure } from '../task/ports.ts'
import { createTaskTokens } from '../task/task-tokens.ts'
import { createVirtualClock } from '../time/clock.ts'
import { replayHistory } from './index.ts'

const functionArn = 'arn:aws:lambda:us-east-1:123456789012:function:work'
const ended = { Done: { Type: 'Succeed' }, Refused: { Type: 'Fail', Error: 'Refused' } } as const

function machine(state: object, more: object = {}): StateMachine {
  return { StartAt: 'Work', States: { Work: state as State, ...ended }, ...more }
}

function callback(more: object = {}): StateMachine {
  return machine({
    Type: 'Task',
    Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
    Parameters: { QueueUrl: 'https://queue', MessageBody: { 'token.$': '$$.Task.Token' } },
    Next: 'Done',
    ...more,
  })
}

/** Records an execution on an engine with its own surroundings, as GetExecutionHistory prints it. */
async function record(
  definition: StateMachine,
  surroundings: (outside: {
    readonly later: (ms: number, token: string, act: Act) => void
  }) => Partial<EngineOptions>,
  input: Json = { id: 7 },
): Promise<{ readonly events: readonly object[] }> {
  const clock = createVirtualClock(Date.UTC(2026, 2, 1))
  const taskTokens = createTaskTokens()
  const later = (ms: number, token: string, act: Act): void => {
    clock.at(clock.now() + ms, () => {
      const task = taskTokens.get(token)
      if (task) act(task)
    })
  }
  const engine = createEngine({ definition, clock, taskTokens, ...surroundings({ later }) })
  const execution = engine.run(input)
  clock.onIdle(execution.suspend)
  await execution.result
  return JSON.parse(JSON.stringify({ events: execution.history() }))
}

type Act = (task: NonNullable<ReturnType<ReturnType<typeof createTaskTokens>['get']>>) => void

const succeed: Act = task => task.succeed({ approved: true })

describe('replayHistory, from the history alone', () => {
  it('answers a callback through its token, when it was answered', async () => {
    const definition = callback({ TimeoutSeconds: 3600 })
    const history = await record(definition, ({ later }) => ({
      services: ({ taskToken }) => {
        later(1_800_000, taskToken, succeed)
        return { MessageId: 'm1' }
      },
    }))
    const { differences, run, recorded } = await replayHistory(definition, history)
    expect(differences).toEqual([])
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: { approved: true }, elapsedSeconds: 1800 })
    expect(recorded.calls).toMatchObject([{ submitted: { MessageId: 'm1' }, seconds: 1800 }])
    const sooner = await replayHistory(callback({ TimeoutSeconds: 60 }), history)
    expect(sooner.differences).toContain('It ended SUCCEEDED, and now ends FAILED (States.Timeout).')
  })

  it('answers a function that reports with its token', async () => {
    const definition = callback({
      Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
      Parameters: { FunctionName: functionArn, Payload: { 'token.$': '$$.Task.Token' } },
    })
    const history = await record(definition, ({ later }) => ({
      invoke: (_arn, payload) => {
        later(0, (payload as { token: string }).token, succeed)
        return null
      },
    }))
    expect(await replayHistory(definition, history)).toMatchObject({ differences: [] })
  })

  it.each([
    ['with a name', new StateFailure('Rejected', 'no')],
    ['without a name', new StateFailure(undefined, undefined)],
  ])('lets a callback fail %s', async (_what, failure) => {
    const definition = callback({ Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Refused' }] })
    const history = await record(definition, ({ later }) => ({
      services: ({ taskToken }) => later(5000, taskToken, task => task.fail(failure)) ?? {},
    }))
    const { differences, run } = await replayHistory(definition, history)
    expect(differences).toEqual([])
    expect(run.path).toEqual(['Work', 'Refused'])
  })

  it('goes on sending the heartbeats that no history tells of', async () => {
    const definition = callback({ HeartbeatSeconds: 60 })
    const history = await record(definition, ({ later }) => ({
      services: ({ taskToken }) => {
        for (let minute = 0; minute < 10; minute += 1) later(minute * 55_000, taskToken, task => task.beat())
        later(550_000, taskToken, succeed)
        return {}
      },
    }))
    expect(await replayHistory(definition, history)).toMatchObject({ differences: [] })
  })

  it('lets a missed heartbeat be caught by its own name', async () => {
    const definition = callback({
      HeartbeatSeconds: 60,
      Catch: [{ ErrorEquals: ['States.HeartbeatTimeout'], Next: 'Refused' }],
    })
    const history = await record(definition, () => ({ services: () => ({}) }))
    const { differences, run } = await replayHistory(definition, history)
    expect({ differences, path: run.path }).toEqual({ differences: [], path: ['Work', 'Refused'] })
  })

  it('stops where an execution still waits, instead of waiting for ever', async () => {
    const definition = callback()
    const history = await record(definition, () => ({ services: () => ({}) }))
    const { differences, run, recorded } = await replayHistory(definition, history)
    expect(recorded.status).toBe('RUNNING')
    expect(run).toMatchObject({ status: 'RUNNING', waitsFor: ['Work'] })
    expect(differences).toEqual([])
  })

  it('says that a definition of today waits for ever', async () => {
    const history = await record(callback({ TimeoutSeconds: 5 }), () => ({ services: () => ({}) }))
    const { differences } = await replayHistory(callback(), history)
    expect(differences).toEqual(['It ended FAILED, and now waits for an answer of Work.'])
  })

  it('answers for the worker of an activity', async () => {
    const definition = machine({
      Type: 'Task',
      Resource: 'arn:aws:states:us-east-1:123456789012:activity:review',
      Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 1 }],
      Next: 'Done',
    })
    let attempts = 0
    const history = await record(definition, ({ later }) => ({
      activities: {
        exists: () => true,
        schedule: ({ taskToken }) => {
          attempts += 1
          const isFirst = attempts === 1
          later(1000, taskToken, task => task.start('worker-1'))
          later(9000, taskToken, task =>
            isFirst ? task.fail(new StateFailure('Busy', '')) : task.succeed({ reviewed: true }),
          )
        },
      },
    }))
    const { differences, run } = await replayHistory(definition, history)
    expect(differences).toEqual([])
    expect(run).toMatchObject({ output: { reviewed: true }, elapsedSeconds: 19 })
    expect(run.attempts('Work')).toBe(2)
  })

  it('answers for a job that the state waits for', async () => {
    const definition = machine({
      Type: 'Task',
      Resource: 'arn:aws:states:::glue:startJobRun.sync',
      Parameters: { JobName: 'transform' },
      Next: 'Done',
    })
    const history = await record(definition, () => ({
      services: async ({ submitted, sleep }) => {
        submitted({ JobRunId: 'jr1' })
        await sleep(60_000)
        return { JobRunState: 'SUCCEEDED' }
      },
    }))
    const { differences, run } = await replayHistory(definition, history)
    expect(differences).toEqual([])
    expect(run.elapsedSeconds).toBe(60)
  })

  it('catches a result that was too large', async () => {
    const definition = machine({
      Type: 'Task',
      Resource: functionArn,
      Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Refused' }],
      Next: 'Done',
    })
    const history = await record(definition, () => ({ invoke: () => 'x'.repeat(300_000) }))
    const { differences, run } = await replayHistory(definition, history)
    expect({ differences, path: run.path }).toEqual({ differences: [], path: ['Work', 'Refused'] })
  })

  it('times out as the definition says', async () => {
    const definition = machine({
      Type: 'Task',
      Resource: functionArn,
      TimeoutSeconds: 30,
      Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'Refused' }],
      Next: 'Done',
    })
    const history = await record(definition, () => ({
      invoke: (_arn, _payload, { sleep }: CallContext) => sleep(60_000),
    }))
    expect(await replayHistory(definition, history)).toMatchObject({
      differences: [],
      run: { path: ['Work', 'Refused'], elapsedSeconds: 30 },
    })
  })

  it('keeps branches apart, whichever of them is faster', async () => {
    const branch = (name: string) => ({
      StartAt: name,
      States: {
        [name]: { Type: 'Task', Resource: `${functionArn}-${name}`, Next: `${name}After` },
        [`${name}After`]: { Type: 'Pass', End: true },
      },
    })
    const definition = machine({ Type: 'Parallel', Branches: [branch('Slow'), branch('Fast')], Next: 'Done' })
    const recordIt = (recorded: StateMachine) =>
      record(recorded, () => ({
        invoke: async (arn, _payload, { sleep }) => {
          await sleep(arn.endsWith('Slow') ? 20_000 : 1000)
          return arn
        },
      }))
    const history = await recordIt(definition)
    const { differences, run } = await replayHistory(definition, history)
    expect(differences).toEqual([])
    expect(run.path).toEqual(['Work', 'Slow', 'Fast', 'FastAfter', 'SlowAfter', 'Done'])
    const changed = JSON.parse(JSON.stringify(definition))
    changed.States.Work.Branches[0].States.Slow.OutputPath = '$.nothing'
    expect((await replayHistory(changed, history)).differences[0]).toBe(
      'After Work (state 1) it went to Done, and now goes to its end.',
    )
    changed.States.Work.Branches[0].States.Slow = { Type: 'Pass', Next: 'SlowAfter' }
    changed.States.Work.Branches[0].States.SlowAfter.Parameters = functionArn
    changed.States.Work.ResultPath = null
    const dropping = machine({ ...definition.States['Work'], ResultPath: null })
    expect((await replayHistory(changed, await recordIt(dropping))).differences).toEqual([
      'SlowAfter is given something else than when it was recorded.',
    ])
  })

  it('goes as an execution went that was redriven', async () => {
    const definition = machine({ Type: 'Task', Resource: functionArn, ResultPath: '$.work', Next: 'More' })
    const whole = {
      ...definition,
      States: { ...definition.States, More: { Type: 'Task', Resource: functionArn, Next: 'Done' } },
    } as StateMachine
    let calls = 0
    const engine = createEngine({
      definition: whole,
      clock: createVirtualClock(),
      invoke: () => {
        calls += 1
        if (calls === 2) throw new TaskFailure('Busy', '')
        return calls
      },
    })
    const records: HistoryRecord[] = []
    const onEvent = (record: HistoryRecord) => records.push(record)
    expect(await engine.run({ id: 7 }, { onEvent }).result).toMatchObject({ error: 'Busy' })
    const redriven = engine.run({ id: 7 }, { resume: { records, redrive: true } })
    expect(await redriven.result).toMatchObject({ status: 'SUCCEEDED' })
    const history = JSON.parse(JSON.stringify({ events: redriven.history() }))
    expect(history.events.map(({ type }: { type: string }) => type)).toContain('ExecutionRedriven')
    const { differences, run, recorded } = await replayHistory(whole, history)
    expect(recorded.status).toBe('SUCCEEDED')
    expect({ differences, output: run.output }).toEqual({ differences: [], output: 3 })
  })

  it('knows no difference in names, identifiers and times that are new in each run', async () => {
    const definition = machine({
      Type: 'Pass',
      Parameters: {
        'name.$': '$$.Execution.Name',
        'arn.$': '$$.Execution.Id',
        'at.$': '$$.State.EnteredTime',
        'id.$': "States.Format('{}-{}', $.id, States.UUID())",
      },
      Next: 'Done',
    })
    const history = await record(definition, () => ({}))
    expect((await replayHistory(definition, history)).differences).toEqual([])
    const other = machine({ ...definition.States['Work'], Parameters: { 'name.$': '$$.Execution.Name' } })
    expect((await replayHistory(other, history)).differences).toHaveLength(2)
  })
})

describe('a Distributed Map, of whose children the history says nothing', () => {
  const each = (more: object = {}): StateMachine =>
    machine({
      Type: 'Map',
      ItemReader: {
        Resource: 'arn:aws:states:::s3:getObject',
        ReaderConfig: { InputType: 'JSON' },
        Parameters: { Bucket: 'files', Key: 'rows.json' },
      },
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        StartAt: 'One',
        States: { One: { Type: 'Task', Resource: functionArn, End: true } },
      },
      ResultPath: '$.results',
      Next: 'Done',
      ...more,
    })
  const rows = createMemoryObjects([{ bucket: 'files', key: 'rows.json', body: '[1, 2]' }])

  it('leaves with the output and the variables that were recorded', async () => {
    const definition = each({ Assign: { 'count.$': 'States.ArrayLength($)' } })
    const history = await record(definition, () => ({ objects: rows, invoke: (_arn, row) => row }))
    const { differences, run, recorded } = await replayHistory(definition, history)
    expect(differences).toEqual([])
    expect(run.output).toEqual({ id: 7, results: [1, 2] })
    expect(recorded.mapRuns).toMatchObject([{ state: 'Work', assigned: { count: 2 } }])
  })

  it('does so in JSONata too', async () => {
    const definition = each({
      QueryLanguage: 'JSONata',
      ItemReader: {
        Resource: 'arn:aws:states:::s3:getObject',
        ReaderConfig: { InputType: 'JSON' },
        Arguments: { Bucket: 'files', Key: 'rows.json' },
      },
      ResultPath: undefined,
      Assign: { total: '{% $sum($states.result) %}' },
      Output: '{% { "sum": $sum($states.result) } %}',
    })
    const history = await record(definition, () => ({ objects: rows, invoke: (_arn, row) => row }))
    const { differences, run } = await replayHistory(definition, history)
    expect(differences).toEqual([])
    expect(run.output).toEqual({ sum: 3 })
  })

  it('fails as it did, and is retried and caught as the definition says', async () => {
    const definition = each({
      Retry: [{ ErrorEquals: ['States.ExceedToleratedFailureThreshold'], MaxAttempts: 1 }],
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Refused' }],
    })
    const history = await record(definition, () => ({
      objects: rows,
      invoke: () => {
        throw new TaskFailure('BadRow', '')
      },
    }))
    const { differences, run } = await replayHistory(definition, history)
    expect(differences).toEqual([])
    expect(run.path).toEqual(['Work', 'Refused'])
    expect(run.attempts('Work')).toBe(2)
  })

  it('runs the children whose tasks of today are given, if nothing else is missing', async () => {
    const definition = each({ ItemReader: undefined, ItemsPath: '$.rows' })
    const history = await record(definition, () => ({ invoke: (_arn, row) => row }), { rows: [1, 2] })
    const { differences } = await replayHistory(definition, history, {
      tasks: { One: row => (row as number) * 2 },
    })
    expect(differences[0]).toContain('Done (state 2) is given something else')
    expect((await replayHistory(definition, history)).differences).toEqual([])
  })
})
