import type { MapState, ResultWriter, StateMachine } from '@stepwright/asl'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine, type EngineOptions } from '../engine.ts'
import type { MapRunStatus } from '../execution/execution.ts'
import { TaskFailure } from '../task/ports.ts'
import { createVirtualClock } from '../time/clock.ts'
import { createMemoryObjects } from './memory-objects.ts'

const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:work'

/** What the function does with an item. */
const behaviours = [
  'at once',
  'later',
  'sleeps',
  'forever',
  'throws',
  'rejects',
  'fails twice',
  'too large',
  'nothing',
  'a list',
  'a date',
  'not JSON',
  'changes its input',
  'thenable',
] as const
type Behaviour = (typeof behaviours)[number]

interface Item {
  readonly does: Behaviour
  readonly number: number
  readonly filling: string
}

interface Setting {
  readonly items: readonly Item[]
  readonly executionType: 'STANDARD' | 'EXPRESS'
  readonly handles: 'nothing' | 'Retry' | 'Catch'
  readonly limits: { readonly maxConcurrency: number; readonly tolerated: number }
  readonly writer: ResultWriter['WriterConfig'] | undefined
  readonly abortMs: number | undefined
}

function definitionOf({ executionType, handles, limits, writer }: Setting): StateMachine {
  const each: MapState = {
    Type: 'Map',
    MaxConcurrency: limits.maxConcurrency,
    ToleratedFailureCount: limits.tolerated,
    ItemProcessor: {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: executionType },
      StartAt: 'Work',
      States: {
        Work: {
          Type: 'Task',
          Resource: functionArn,
          ...(handles === 'Retry' ? { Retry: [{ ErrorEquals: ['Twice'], MaxAttempts: 2 }] } : {}),
          ...(handles === 'Catch' ? { Catch: [{ ErrorEquals: ['States.TaskFailed'], Next: 'Caught' }] } : {}),
          End: true,
        },
        Caught: { Type: 'Pass', End: true },
      },
    },
    ...(writer === undefined
      ? {}
      : {
          ResultWriter: {
            Resource: 'arn:aws:states:::s3:putObject',
            Parameters: { Bucket: 'b', Prefix: 'out' },
            WriterConfig: writer,
          },
        }),
    End: true,
  }
  return { StartAt: 'Each', States: { Each: each } }
}

/** Everything that can be seen of a Map run from outside. */
async function observe(setting: Setting, isHeard: boolean) {
  const clock = createVirtualClock()
  const calls: unknown[] = []
  const tries = new Map<number, number>()
  const answer = (item: Item, signal: AbortSignal, sleep: (ms: number) => Promise<void>): unknown => {
    const tried = (tries.get(item.number) ?? 0) + 1
    tries.set(item.number, tried)
    switch (item.does) {
      case 'at once':
        return { number: item.number, left: undefined }
      case 'later':
        return Promise.resolve({ number: item.number })
      case 'sleeps':
        return sleep(item.number * 7000).then(() => item.number)
      case 'forever':
        signal.addEventListener('abort', () => calls.push(['abort', item.number, clock.now()]))
        return sleep(Number.POSITIVE_INFINITY)
      case 'throws':
        throw new TaskFailure('Thrown', 'at once')
      case 'rejects':
        return Promise.reject(new TaskFailure('Rejected', 'later'))
      case 'fails twice':
        return tried < 3 ? Promise.reject(new TaskFailure('Twice', String(tried))) : tried
      case 'too large':
        return 'x'.repeat(300_000)
      case 'nothing':
        return undefined
      case 'a list':
        return [1, undefined, { two: 2 }]
      case 'a date':
        return Promise.resolve(new Date(0))
      case 'not JSON':
        return Promise.resolve({
          toJSON: () => {
            throw new TaskFailure('Unwritable', 'not JSON')
          },
        })
      case 'changes its input':
        Object.assign(item, { filling: 'changed' })
        return item.number % 2 === 0 ? item : Promise.reject(new TaskFailure('Changed', 'it'))
      case 'thenable':
        return Object.fromEntries([['then', (resolve: (value: unknown) => void) => resolve('then')]])
    }
  }
  let status: MapRunStatus | undefined
  const mapRuns: EngineOptions['mapRuns'] = {
    onStart: () => undefined,
    onChange: run => {
      status = structuredClone(run)
    },
    ...(isHeard ? { onChild: () => undefined } : {}),
  }
  const files: [string, unknown[]][] = []
  const engine = createEngine({
    definition: definitionOf(setting),
    clock,
    mapRuns,
    uuid: () => '00000000-0000-4000-8000-000000000000',
    objects: {
      ...createMemoryObjects(),
      put: async (_bucket, key, body) => {
        files.push([key, linesOf(Buffer.from(body).toString())])
        return { etag: '' }
      },
    },
    invoke: (_arn, payload, { executionArn, stateMachineArn, stateName, retryCount, signal, sleep }) => {
      calls.push([
        executionArn,
        stateMachineArn,
        stateName,
        retryCount,
        clock.now(),
        structuredClone(payload),
      ])
      return answer(payload as unknown as Item, signal, sleep)
    },
  })
  const execution = engine.run(setting.items, { name: 'one' })
  if (setting.abortMs !== undefined) clock.at(execution.startMs + setting.abortMs, () => execution.abort())
  const result = await execution.result
  return { result, status, calls: sorted(calls), files, history: execution.history(), endMs: clock.now() }
}

function linesOf(text: string): unknown[] {
  return sorted(text.includes('\n') ? text.trim().split('\n') : [JSON.parse(text)].flat())
}

/** Side by side children may end in either order. */
function sorted(values: readonly unknown[]): unknown[] {
  return values.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

const item = fc.record({
  does: fc.constantFrom(...behaviours),
  filling: fc.constantFrom('', 'ü', 'y'.repeat(1000)),
})
const setting: fc.Arbitrary<Setting> = fc.record({
  items: fc.array(item, { maxLength: 12 }).map(items => items.map((one, number) => ({ ...one, number }))),
  executionType: fc.constantFrom('STANDARD', 'EXPRESS'),
  handles: fc.constantFrom('nothing', 'Retry', 'Catch'),
  limits: fc.constantFrom(
    { maxConcurrency: 0, tolerated: 100 },
    { maxConcurrency: 3, tolerated: 100 },
    // What others have begun when one fails too many is a matter of chance.
    { maxConcurrency: 1, tolerated: 0 },
    { maxConcurrency: 1, tolerated: 2 },
  ),
  writer: fc.constantFrom(
    undefined,
    { Transformation: 'NONE' },
    { Transformation: 'COMPACT', OutputType: 'JSONL' },
    { Transformation: 'FLATTEN', OutputType: 'JSON' },
  ),
  // STANDARD children have no end of their own.
  abortMs: fc.constantFrom(20_000, 400_000),
})

const calm: Omit<Setting, 'items'> = {
  executionType: 'STANDARD',
  handles: 'nothing',
  limits: { maxConcurrency: 0, tolerated: 0 },
  writer: undefined,
  abortMs: undefined,
}

describe('a Map run whose children only call a function', () => {
  it('does the same with the interpreter and without it', async () => {
    await fc.assert(
      fc.asyncProperty(setting, async given => {
        const direct = await observe(given, false)
        expect(direct).toEqual(await observe(given, true))
      }),
      { numRuns: 100 },
    )
  })

  it.each([true, false])('ends when it is aborted while a child begins (heard of: %s)', async isHeard => {
    const engine = createEngine({
      definition: definitionOf({ ...calm, items: [] }),
      mapRuns: {
        onStart: () => undefined,
        onChange: () => undefined,
        ...(isHeard ? { onChild: () => undefined } : {}),
      },
      invoke: () => {
        execution.abort()
        return new Promise(() => undefined)
      },
    })
    const execution = engine.run([1, 2])
    expect((await execution.result).status).toBe('ABORTED')
  })
})
