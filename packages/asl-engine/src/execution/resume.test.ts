import type { StateMachine, States } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { createEngine, type EngineOptions, type RunOptions } from '../engine.ts'
import type { HistoryRecord } from '../history/record.ts'
import { createMemoryObjects } from '../map/memory-objects.ts'
import { TaskFailure } from '../task/ports.ts'
import { createVirtualClock } from '../time/clock.ts'

const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:work'

function machineOf(states: States, more: object = {}): StateMachine {
  return { StartAt: Object.keys(states)[0] ?? '', States: states, ...more }
}

function task(name: string, more: object = { End: true }): States[string] {
  return { Type: 'Task', Resource: functionArn, Parameters: { name, 'in.$': '$' }, ...more } as States[string]
}

interface Called {
  readonly name: string
  readonly in: unknown
}

/** A world whose calls are counted, and where calls fail as often as they are told to. */
function createWorld(definition: StateMachine, options: Partial<EngineOptions> = {}) {
  const calls: string[] = []
  const failing = new Map<string, number>()
  const clock = createVirtualClock()
  const engine = createEngine({
    definition,
    clock,
    random: () => 0.5,
    invoke: async (_arn, payload, context) => {
      const { name, in: given } = payload as unknown as Called
      const key = `${name} ${JSON.stringify(given)}`
      calls.push(key)
      await context.sleep(10)
      const left = failing.get(key) ?? failing.get(name) ?? 0
      if (left > 0) {
        failing.set(failing.has(key) ? key : name, left - 1)
        throw new TaskFailure('Boom', 'as told')
      }
      return name
    },
    ...options,
  })
  const records: HistoryRecord[] = []
  const run = (input: unknown, runOptions: RunOptions = {}) =>
    engine.run(input, {
      name: 'x',
      keepHistory: false,
      onEvent: record => records.push(JSON.parse(JSON.stringify(record))),
      ...runOptions,
    })
  return { calls, failing, clock, engine, records, run }
}

const retry = { Retry: [{ ErrorEquals: ['Boom'], IntervalSeconds: 5, MaxAttempts: 3 }] }

const everything = machineOf({
  First: task('first', { ...retry, ResultPath: '$.first', Next: 'Pause' }),
  Pause: { Type: 'Wait', Seconds: 60, Next: 'Both' },
  Both: {
    Type: 'Parallel',
    Branches: [
      machineOf({ L: task('left', { ...retry, Next: 'L2' }), L2: task('left2') }),
      machineOf({ W: { Type: 'Wait', Seconds: 30, Next: 'R' }, R: task('right') }),
    ],
    ResultPath: '$.both',
    Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 2 }],
    Next: 'Each',
  },
  Each: {
    Type: 'Map',
    ItemsPath: '$.items',
    MaxConcurrency: 2,
    ItemProcessor: {
      ...machineOf({ I: task('item', { ...retry, Next: 'J' }), J: task('after') }),
      ProcessorConfig: { Mode: 'INLINE' },
    },
    ResultPath: '$.each',
    Next: 'Far',
  },
  Far: {
    Type: 'Map',
    ItemsPath: '$.items',
    MaxConcurrency: 2,
    ItemProcessor: {
      ...machineOf({ C: task('child', { ...retry, Next: 'D' }), D: task('grown') }),
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    },
    ResultPath: '$.far',
    End: true,
  },
})

const input = { items: [1, 2, 3] }
const faults: readonly (readonly [string, number])[] = [
  ['first', 2],
  ['left', 1],
  ['left2', 1],
  ['item 2', 1],
  ['child 3', 2],
]

/** The calls whose end is on record, with how often. */
function endedCalls(records: readonly HistoryRecord[]): number {
  return records.filter(({ type }) => /^LambdaFunction(Succeeded|Failed)$/.test(type)).length
}

describe('an execution that was interrupted', () => {
  it('makes no call again whose end is on record, wherever it was interrupted', async () => {
    const whole = createWorld(everything)
    for (const [name, times] of faults) whole.failing.set(name, times)
    const expected = await whole.run(input).result
    expect(expected.status).toBe('SUCCEEDED')
    expect(whole.records.length).toBeGreaterThan(100)
    for (let length = 1; length <= whole.records.length; length += 1) {
      const before = whole.records.slice(0, length)
      const resumed = createWorld(everything)
      // The functions remember how often they failed already: that is their state, not the engine's.
      const failures = before.filter(({ type }) => type === 'LambdaFunctionFailed')
      for (const [name, times] of faults) {
        const already = failures.filter(record => `${callOf(before, record)} `.startsWith(`${name} `)).length
        if (times > already) resumed.failing.set(name, times - already)
      }
      const result = await resumed.run(input, { resume: { records: before } }).result
      expect(result, `after ${length} records`).toEqual(expected)
      const childrenDone = before.filter(({ type }) => type === 'ChildEnded')
      const doneInChildren = childrenDone.reduce((sum, record) => sum + unrecordedCalls(before, record), 0)
      expect(resumed.calls.length, `calls after ${length} records`).toBe(
        whole.calls.length - endedCalls(before) - doneInChildren,
      )
    }
  })

  it('goes on with a child between branches and branches', async () => {
    const both = (first: string, second: string, way: object) => ({
      Type: 'Parallel',
      Branches: [machineOf({ [first]: task(first) }), machineOf({ [second]: task(second) })],
      ...way,
    })
    const definition = machineOf({
      M: {
        Type: 'Map',
        ItemProcessor: {
          ...machineOf({
            P: both('a', 'b', { ResultPath: null, Next: 'Q' }) as States[string],
            Q: both('c', 'd', { End: true }) as States[string],
          }),
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        },
        End: true,
      },
    })
    const whole = createWorld(definition)
    const expected = await whole.run([1, 2]).result
    expect(expected).toEqual({
      status: 'SUCCEEDED',
      output: [
        ['c', 'd'],
        ['c', 'd'],
      ],
    })
    for (let length = 1; length <= whole.records.length; length += 1) {
      const resumed = createWorld(definition)
      const { result } = resumed.run([1, 2], { resume: { records: whole.records.slice(0, length) } })
      expect(await result, `after ${length} records`).toEqual(expected)
    }
  })

  it('waits for the rest of a Wait and of a retry, not for all of it again', async () => {
    const definition = machineOf({
      W: { Type: 'Wait', Seconds: 100, Next: 'T' },
      T: task('t', {
        Retry: [{ ErrorEquals: ['Boom'], IntervalSeconds: 50, MaxAttempts: 2 }],
        End: true,
      }),
    })
    const first = createWorld(definition)
    first.failing.set('t', 1)
    await first.run({}).result
    const upTo = (type: string) =>
      first.records.slice(0, first.records.findIndex(record => record.type === type) + 1)

    const waiting = createWorld(definition)
    await waiting.run({}, { resume: { records: upTo('WaitStateEntered') } }).result
    const startMs = first.records[0]?.timestampMs as number
    expect(waiting.clock.now() - startMs).toBe(100_010)

    const retrying = createWorld(definition)
    await retrying.run({}, { resume: { records: upTo('AttemptFailed') } }).result
    expect(retrying.calls).toHaveLength(1)
    expect(retrying.clock.now() - startMs).toBe(150_020)
  })

  it('keeps the token that it handed out, and sends its message once', async () => {
    const definition = machineOf({
      Ask: {
        Type: 'Task',
        Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
        Parameters: { 'token.$': '$$.Task.Token' },
        TimeoutSeconds: 600,
        HeartbeatSeconds: 60,
        End: true,
      },
    })
    const sent: string[] = []
    const options: Partial<EngineOptions> = {
      services: ({ taskToken }) => {
        sent.push(taskToken)
        return { MessageId: '1' }
      },
    }
    const first = createWorld(definition, options)
    const running = first.run({})
    await expect.poll(() => first.records.at(-1)?.type).toBe('TaskSubmitted')
    running.suspend()
    await running.result
    expect(first.records.at(-1)?.type).toBe('TaskSubmitted')

    const second = createWorld(definition, options)
    const resumed = second.run({}, { resume: { records: first.records } })
    second.engine.taskTokens.get(sent[0] ?? '')?.succeed('answer')
    expect(await resumed.result).toEqual({ status: 'SUCCEEDED', output: 'answer' })
    expect(sent).toHaveLength(1)

    const third = createWorld(definition, options)
    expect(await third.run({}, { resume: { records: first.records } }).result).toMatchObject({
      error: 'States.Timeout',
    })
    expect(sent).toHaveLength(1)
  })

  it('tells the adapter of a .sync job which job it had started', async () => {
    const definition = machineOf({
      Job: { Type: 'Task', Resource: 'arn:aws:states:::glue:startJobRun.sync', Parameters: {}, End: true },
    })
    const first = createWorld(definition, {
      services: call => {
        call.submitted({ JobRunId: 'jr_1' })
        return new Promise(() => undefined)
      },
    })
    const running = first.run({})
    await expect.poll(() => first.records.at(-1)?.type).toBe('TaskSubmitted')
    running.suspend()
    const second = createWorld(definition, { services: call => call.before })
    expect(await second.run({}, { resume: { records: first.records } }).result).toEqual({
      status: 'SUCCEEDED',
      output: { JobRunId: 'jr_1' },
    })
  })
})

describe('a redrive', () => {
  const failing = (more: object): StateMachine => machineOf({ S: more as States[string] })

  async function redriven(definition: StateMachine, given: unknown, broken: readonly string[]) {
    const world = createWorld(definition, { objects: createMemoryObjects() })
    for (const name of broken) world.failing.set(name, 1)
    const first = await world.run(given).result
    expect(first.status).toBe('FAILED')
    const before = world.calls.splice(0)
    const second = await world.run(given, { resume: { records: [...world.records], redrive: true } }).result
    return { before, after: world.calls, second, records: world.records }
  }

  it('starts only the branch of a Parallel that failed', async () => {
    const definition = failing({
      Type: 'Parallel',
      Branches: [
        machineOf({ A: task('a', { Next: 'A2' }), A2: task('a2') }),
        machineOf({ Pause: { Type: 'Wait', Seconds: 60, Next: 'B' }, B: task('b') }),
      ],
      End: true,
    })
    const { after, second } = await redriven(definition, {}, ['b'])
    expect(after).toEqual(['b {}'])
    expect(second).toEqual({ status: 'SUCCEEDED', output: ['a2', 'b'] })
  })

  it('starts only the iterations of a Map that failed or were stopped, and those after them', async () => {
    const definition = failing({
      Type: 'Map',
      MaxConcurrency: 1,
      ItemProcessor: machineOf({ I: task('i', { Next: 'J' }), J: task('j') }),
      End: true,
    })
    const { before, after, second } = await redriven(definition, [1, 2, 3], ['i 2'])
    expect(before).toEqual(['i 1', 'j "i"', 'i 2'])
    expect(after).toEqual(['i 2', 'j "i"', 'i 3', 'j "i"'])
    expect(second).toEqual({ status: 'SUCCEEDED', output: ['j', 'j', 'j'] })
  })

  it('starts only the children of a Distributed Map that failed, from the state that failed', async () => {
    const definition = failing({
      Type: 'Map',
      MaxConcurrency: 1,
      ItemProcessor: {
        ...machineOf({
          I: task('i', { Parameters: { name: 'i', 'in.$': '$' }, ResultPath: null, Next: 'J' }),
          J: task('j'),
        }),
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      },
      End: true,
    })
    const { before, after, second, records } = await redriven(definition, [1, 2, 3], ['j 2'])
    expect(before).toEqual(['i 1', 'j 1', 'i 2', 'j 2'])
    expect(after).toEqual(['j 2', 'i 3', 'j 3'])
    expect(second).toEqual({ status: 'SUCCEEDED', output: ['j', 'j', 'j'] })
    const own = records.filter(({ place, id }) => place === undefined && id > 0).map(({ type }) => type)
    expect(own.slice(own.indexOf('ExecutionRedriven'))).toEqual([
      'ExecutionRedriven',
      'MapRunRedriven',
      'MapRunSucceeded',
      'MapStateSucceeded',
      'MapStateExited',
      'ExecutionSucceeded',
    ])
  })

  it('begins Express children anew, as AWS does, but not those that succeeded', async () => {
    const definition = failing({
      Type: 'Map',
      MaxConcurrency: 1,
      ItemProcessor: {
        ...machineOf({ I: task('i', { ResultPath: null, Next: 'J' }), J: task('j') }),
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'EXPRESS' },
      },
      End: true,
    })
    const { after } = await redriven(definition, [1, 2], ['j 2'])
    expect(after).toEqual(['i 2', 'j 2'])
  })

  it('gives the retriers all their attempts again', async () => {
    const definition = failing(task('t', { ...retry, End: true }) as object)
    const world = createWorld(definition)
    world.failing.set('t', 7)
    expect(await world.run({}).result).toMatchObject({ status: 'FAILED' })
    expect(world.calls).toHaveLength(4)
    const { result } = world.run({}, { resume: { records: [...world.records], redrive: true } })
    expect(await result).toMatchObject({ status: 'SUCCEEDED' })
    expect(world.calls).toHaveLength(8)
  })

  it('gives a timed out execution its whole time again', async () => {
    const definition = machineOf(
      { W: { Type: 'Wait', Seconds: 90, Next: 'W2' }, W2: { Type: 'Wait', Seconds: 90, End: true } },
      { TimeoutSeconds: 100 },
    )
    const world = createWorld(definition)
    expect(await world.run({}).result).toMatchObject({ status: 'TIMED_OUT' })
    const second = world.run({}, { resume: { records: [...world.records], redrive: true } })
    expect(await second.result).toMatchObject({ status: 'SUCCEEDED' })
  })

  it('can be interrupted and redriven itself', async () => {
    const definition = failing({
      Type: 'Map',
      MaxConcurrency: 1,
      ItemProcessor: machineOf({ I: task('i') }),
      End: true,
    })
    const world = createWorld(definition)
    world.failing.set('i 2', 2)
    await world.run([1, 2, 3]).result
    await world.run([1, 2, 3], { resume: { records: [...world.records], redrive: true } }).result
    world.calls.splice(0)
    const third = world.run([1, 2, 3], { resume: { records: [...world.records], redrive: true } })
    expect(await third.result).toMatchObject({ status: 'SUCCEEDED' })
    expect(world.calls).toEqual(['i 2', 'i 3'])
    const cut = world.records.findLastIndex(({ type }) => type === 'LambdaFunctionSucceeded')
    world.calls.splice(0)
    const fourth = world.run([1, 2, 3], { resume: { records: world.records.slice(0, cut) } })
    expect(await fourth.result).toMatchObject({ status: 'SUCCEEDED' })
    expect(world.calls).toEqual(['i 3'])
  })
})

/** Which call an ending belongs to: its function's name and input. */
function callOf(records: readonly HistoryRecord[], { place, id }: HistoryRecord): string {
  const scheduled = records.findLast(
    record => record.place === place && record.type === 'LambdaFunctionScheduled' && record.id < id,
  )
  const given = scheduled?.details?.input as unknown as Called
  return `${given.name} ${JSON.stringify(given.in)}`
}

/** A child that ended leaves out of its records the calls after the last that was followed by another. */
function unrecordedCalls(records: readonly HistoryRecord[], { place }: HistoryRecord): number {
  const own = records.filter(record => record.place === place)
  return own.some(({ type }) => type === 'LambdaFunctionScheduled') ? 1 : 2
}
