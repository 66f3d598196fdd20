import type { StateMachine } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { createEngine, type EngineOptions } from '../engine.ts'
import type {
  ChildEnd,
  MapRunChild,
  MapRunControl,
  MapRunLimits,
  MapRunStatus,
} from '../execution/execution.ts'
import { createVirtualClock } from '../time/clock.ts'

function definitionOf(executionType: 'STANDARD' | 'EXPRESS'): StateMachine {
  return {
    StartAt: 'Each',
    States: {
      Each: {
        Type: 'Map',
        MaxConcurrency: 2,
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: executionType },
          StartAt: 'Work',
          States: {
            Work: { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:000000000000:function:f', End: true },
          },
        },
        End: true,
      },
    },
  }
}
const items = [1, 2, 3, 4, 5, 6]

/** Ten seconds for each item, as many as it says from 100 on; a negative one fails. The limits are changed when the second child begins. */
async function run(
  limits: MapRunLimits,
  input: readonly number[] = items,
  { stop, executionType = 'STANDARD' }: { stop?: number; executionType?: 'STANDARD' | 'EXPRESS' } = {},
) {
  const children: MapRunChild[] = []
  const ends: ChildEnd[] = []
  const events: string[] = []
  let control: MapRunControl | undefined
  let status: MapRunStatus | undefined
  let running = 0
  let most = 0
  const mapRuns: EngineOptions['mapRuns'] = {
    onStart: (_run, given) => {
      control = given
    },
    onChange: changed => {
      status = changed
    },
    onChild: (child, { stop: stopChild }) => {
      children.push(child)
      if (child.index === stop) clock.at(clock.now() + 5000, () => stopChild({ error: 'Enough' }))
      if (child.index === 1) control?.update(limits)
      return { onEvent: ({ type }) => events.push(type), onEnd: end => ends.push(end) }
    },
  }
  const clock = createVirtualClock()
  const engine = createEngine({
    definition: definitionOf(executionType),
    clock,
    mapRuns,
    invoke: async (_arn, item, context) => {
      running += 1
      most = Math.max(most, running)
      await context.sleep((item as number) < 100 ? 10_000 : (item as number) * 1000)
      running -= 1
      if ((item as number) < 0) throw new TypeError('negative')
      return item
    },
  })
  const { startMs, result } = engine.run(input)
  const { status: became, ...rest } = await result
  const seconds = (Math.max(...ends.map(({ stopMs }) => stopMs)) - startMs) / 1000
  return { startMs, became, rest, seconds, most, status, children, ends, events }
}

describe('a Map run', () => {
  it('runs more children at once, or fewer, when it is told so', async () => {
    expect(await run({})).toMatchObject({ seconds: 30, most: 2 })
    expect(await run({ maxConcurrency: 6 })).toMatchObject({
      seconds: 10,
      most: 6,
      status: { maxConcurrency: 6 },
    })
    expect(await run({ maxConcurrency: 1 })).toMatchObject({ seconds: 50, most: 2 })
  })

  it('takes another tolerance, and counts what has failed already', async () => {
    expect(await run({}, [-1, 2, 3])).toMatchObject({ became: 'FAILED' })
    expect(await run({ toleratedFailureCount: 1 }, [-1, 2, 3])).toMatchObject({
      became: 'SUCCEEDED',
      status: { toleratedFailureCount: 1 },
    })
    expect(await run({ toleratedFailurePercentage: 50 }, [-1, 2, 3])).toMatchObject({ became: 'SUCCEEDED' })
    expect(await run({ toleratedFailurePercentage: 10 }, [-1, 2, 3])).toMatchObject({ became: 'FAILED' })
  })

  it('tells of its children, their events and their ends', async () => {
    const { children, ends, events } = await run({}, [1, -2])
    expect(children).toMatchObject([
      { index: 0, input: 1, itemCount: 1, redriveCount: 0 },
      { index: 1, input: -2 },
    ])
    expect(events.filter(type => type === 'LambdaFunctionScheduled')).toHaveLength(2)
    expect(ends).toMatchObject([
      { status: 'SUCCEEDED', output: 1 },
      { status: 'FAILED', error: 'TypeError' },
    ])
  })

  it('goes on without a child that somebody stops', async () => {
    const { became, rest, status, ends } = await run({}, [1, 2, 3], { stop: 1 })
    expect({ became, rest }).toEqual({ became: 'SUCCEEDED', rest: { output: [1, 3] } })
    expect(status).toMatchObject({ executions: { aborted: 1, succeeded: 2, failed: 0, running: 0 } })
    expect(ends[0]).toMatchObject({ status: 'ABORTED', error: 'Enough' })
  })

  it('ends Express children after five minutes, each after its own', async () => {
    const { startMs, ends } = await run({ toleratedFailureCount: 2 }, [250, 400, 1, 400], {
      executionType: 'EXPRESS',
    })
    expect(ends.map(({ status, stopMs }) => [status, (stopMs - startMs) / 1000])).toEqual([
      ['SUCCEEDED', 250],
      ['SUCCEEDED', 260],
      ['TIMED_OUT', 300],
      ['TIMED_OUT', 560],
    ])
  })
})
