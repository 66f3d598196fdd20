import type { StateMachine } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../engine.ts'
import { TaskFailure } from '../task/ports.ts'
import { createVirtualClock } from '../time/clock.ts'
import { printReplayTest, readHistory, replayHistory } from './index.ts'

const invoke = 'arn:aws:states:::lambda:invoke'
const functionArn = 'arn:aws:lambda:us-east-1:123456789012:function:reserve'

function machine(limit: number): StateMachine {
  return {
    StartAt: 'Reserve',
    States: {
      Reserve: {
        Type: 'Task',
        Resource: invoke,
        Parameters: { FunctionName: functionArn, 'Payload.$': '$' },
        ResultPath: '$.stock',
        Retry: [{ ErrorEquals: ['TemporaryError'], IntervalSeconds: 2, MaxAttempts: 2 }],
        Catch: [{ ErrorEquals: ['OutOfStock'], ResultPath: '$.error', Next: 'Refuse' }],
        Next: 'IsLarge',
      },
      IsLarge: {
        Type: 'Choice',
        Choices: [{ Variable: '$.stock.Payload.left', NumericLessThan: limit, Next: 'Order' }],
        Default: 'Pack',
      },
      Order: { Type: 'Task', Resource: functionArn, End: true },
      Pack: {
        Type: 'Map',
        ItemsPath: '$.items',
        ItemProcessor: {
          StartAt: 'PackOne',
          States: { PackOne: { Type: 'Task', Resource: functionArn, End: true } },
        },
        End: true,
      },
      Refuse: { Type: 'Fail', Error: 'Refused' },
    },
  }
}

/** A history as GetExecutionHistory prints it. */
async function record(definition: StateMachine, input: object) {
  let calls = 0
  const engine = createEngine({
    definition,
    clock: createVirtualClock(),
    invoke: (_arn, payload, { stateName }) => {
      calls += 1
      if (stateName === 'Reserve' && calls === 1) throw new TaskFailure('TemporaryError', 'busy')
      if (stateName === 'Reserve' && 'none' in input) throw new TaskFailure('OutOfStock', 'none left')
      return stateName === 'Reserve' ? { left: 3, by: 'ann@example.com' } : { packed: payload }
    },
  })
  const execution = engine.run(input)
  await execution.result
  return JSON.parse(JSON.stringify({ events: execution.history() }))
}

describe('replayHistory', () => {
  it('goes the same way with the same definition, retries and items included', async () => {
    const history = await record(machine(2), { items: [3, 1, 2] })
    const { differences, run, recorded } = await replayHistory(machine(2), history)
    expect(differences).toEqual([])
    expect(run.output).toEqual([{ packed: 3 }, { packed: 1 }, { packed: 2 }])
    expect(run.attempts('Reserve')).toBe(2)
    expect(recorded.calls.filter(({ state }) => state === 'Reserve')).toMatchObject([
      { error: 'TemporaryError', cause: 'busy' },
      { output: { Payload: { left: 3 } } },
    ])
  })

  it('says where a changed definition parts', async () => {
    const history = await record(machine(2), { items: [1] })
    const { differences } = await replayHistory(machine(5), history)
    expect(differences).toEqual([
      'After IsLarge (state 2) it went to Pack, and now goes to Order.',
      'It ended SUCCEEDED, and now ends FAILED (TaskNotProvidedError).',
    ])
  })

  it('runs tasks of today in the place of what was recorded', async () => {
    const history = await record(machine(2), { items: [1] })
    const { differences } = await replayHistory(machine(2), history, {
      tasks: { PackOne: () => 'otherwise' },
    })
    expect(differences).toEqual(['Its output is another one.'])
  })

  it('reads a failure', async () => {
    const { recorded, differences } = await replayHistory(
      machine(2),
      await record(machine(2), { none: true }),
    )
    expect(recorded).toMatchObject({ status: 'FAILED', error: 'Refused', path: ['Reserve', 'Refuse'] })
    expect(differences).toEqual([])
  })

  it.each([{}, [], { events: [] }, null])('refuses %j, which is no history', history => {
    expect(() => readHistory(history)).toThrow('this is not the history of an execution')
  })

  it('refuses a history without data', async () => {
    const { events } = await record(machine(2), { items: [] })
    delete events[0].executionStartedEventDetails.input
    expect(() => readHistory(events)).toThrow('--include-execution-data')
  })
})

describe('printReplayTest', () => {
  it('prints a test of what was recorded, without what the definition does not speak of', async () => {
    const recorded = readHistory(await record(machine(2), { items: [1], note: 'call Ann at 555' }))
    const text = printReplayTest(recorded, {
      definition: machine(2),
      definitionPath: './order.asl.json',
      title: 'an order of Tuesday',
      redact: true,
    })
    expect(text).toContain('runRecorded(definition, recorded)')
    expect(text).toContain('"note": "xxxx xxx xx 999"')
    expect(text).toContain('"by": "xxx@xxxxxxx.xxx"')
    expect(text).toContain('"error": "TemporaryError"')
    expect(text).not.toContain('Ann')
  })
})
