import { gzipSync } from 'node:zlib'
import type { MapState, StateMachine } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { createEngine, type EngineOptions } from '../engine.ts'
import type { MapRunStatus } from '../execution/execution.ts'
import { TaskFailure } from '../task/ports.ts'
import { createVirtualClock } from '../time/clock.ts'
import { createMemoryObjects } from './memory-objects.ts'

const arn = 'arn:aws:lambda:us-east-1:000000000000:function:work'

function machine(fields: Partial<MapState>, mode: 'INLINE' | 'DISTRIBUTED' = 'DISTRIBUTED'): StateMachine {
  return {
    StartAt: 'Each',
    States: {
      Each: {
        Type: 'Map',
        ItemProcessor: {
          ProcessorConfig: mode === 'INLINE' ? { Mode: mode } : { Mode: mode, ExecutionType: 'STANDARD' },
          StartAt: 'Work',
          States: { Work: { Type: 'Task', Resource: arn, End: true } },
        },
        End: true,
        ...fields,
      },
    },
  }
}

async function run(definition: StateMachine, input: unknown, options: Partial<EngineOptions> = {}) {
  const engine = createEngine({
    definition,
    clock: createVirtualClock(),
    invoke: (_arn, payload) => payload,
    ...options,
  })
  const execution = engine.run(input)
  return { result: await execution.result, types: execution.history().map(event => event.type) }
}

const failOdd: EngineOptions['invoke'] = (_arn, item) => {
  if ((item as number) % 2 === 1) throw new TaskFailure('Odd', `${item} is odd`)
  return item
}

describe('an inline Map whose execution runs out of events', () => {
  it('ends at once, wherever the limit falls, and does not wait for iterations that still work', async () => {
    for (let historyEvents = 20; historyEvents < 34; historyEvents += 1) {
      const clock = createVirtualClock()
      const startMs = clock.now()
      const { result } = await run(machine({ MaxConcurrency: 2 }, 'INLINE'), [...Array(50).keys()], {
        clock,
        limits: { historyEvents },
        invoke: async (_arn, item, { sleep }) => {
          if (item === 0) await sleep(36_000_000)
          return item
        },
      })
      expect([historyEvents, result.status, clock.now() - startMs]).toEqual([historyEvents, 'FAILED', 0])
    }
  })
})

describe('inline Map', () => {
  it('runs as many iterations at once as it may', async () => {
    let running = 0
    let most = 0
    const invoke: EngineOptions['invoke'] = async (_arn, item, context) => {
      running += 1
      most = Math.max(most, running)
      await context.sleep(1000)
      running -= 1
      return item
    }
    const { result } = await run(machine({ MaxConcurrency: 3 }, 'INLINE'), [1, 2, 3, 4, 5, 6, 7], { invoke })
    expect(result).toEqual({ status: 'SUCCEEDED', output: [1, 2, 3, 4, 5, 6, 7] })
    expect(most).toBe(3)
  })

  it('aborts the rest when an iteration fails', async () => {
    const { result, types } = await run(machine({ MaxConcurrency: 1 }, 'INLINE'), [2, 1, 4], {
      invoke: failOdd,
    })
    expect(result).toEqual({ status: 'FAILED', error: 'Odd', cause: '1 is odd' })
    expect(types.filter(type => type === 'MapIterationStarted')).toHaveLength(2)
    expect(types.slice(-3)).toEqual(['MapIterationFailed', 'MapStateFailed', 'ExecutionFailed'])
  })

  it('refuses items that are no list', async () => {
    const { result } = await run(machine({ ItemsPath: '$.x' }, 'INLINE'), { x: 1 })
    expect(result).toMatchObject({ status: 'FAILED', error: 'States.Runtime' })
  })
})

describe('Distributed Map', () => {
  it('tolerates as many failures as it is told, by count', async () => {
    const tolerant = await run(machine({ ToleratedFailureCount: 2 }), [1, 2, 3, 4], { invoke: failOdd })
    expect(tolerant.result).toEqual({ status: 'SUCCEEDED', output: [2, 4] })
    const strict = await run(machine({ ToleratedFailureCount: 1 }), [1, 2, 3, 4], { invoke: failOdd })
    expect(strict.result).toMatchObject({ status: 'FAILED', error: 'States.ExceedToleratedFailureThreshold' })
    expect(strict.types).toContain('MapRunFailed')
  })

  it('tolerates as many failures as it is told, by percentage', async () => {
    const half = await run(machine({ ToleratedFailurePercentage: 50 }), [1, 2, 3, 4], { invoke: failOdd })
    expect(half.result).toMatchObject({ status: 'SUCCEEDED' })
    const less = await run(machine({ ToleratedFailurePercentage: 49.9 }), [1, 2, 3, 4], { invoke: failOdd })
    expect(less.result).toMatchObject({ error: 'States.ExceedToleratedFailureThreshold' })
  })

  it('fails when either bound is exceeded, and at the first failure without any', async () => {
    const either = machine({ ToleratedFailureCount: 5, ToleratedFailurePercentage: 10 })
    expect((await run(either, [1, 2, 3, 4], { invoke: failOdd })).result).toMatchObject({
      error: 'States.ExceedToleratedFailureThreshold',
    })
    expect((await run(machine({}), [2, 1, 4], { invoke: failOdd })).result).toMatchObject({
      status: 'FAILED',
    })
  })

  it('leaves no child counted as running when it has failed', async () => {
    const seen: MapRunStatus[] = []
    const keep = (run: MapRunStatus) => seen.push(structuredClone(run))
    await run(machine({ MaxConcurrency: 4 }), [1, 2, 4, 6], {
      invoke: async (_arn, item, { sleep }) => {
        await sleep((item as number) * 1000)
        if (item === 1) throw new TaskFailure('First')
        return item
      },
      mapRuns: { onStart: keep, onChange: keep },
    })
    const last = seen.at(-1)
    expect(last).toMatchObject({
      status: 'FAILED',
      items: { running: 0, failed: 1, aborted: 3, succeeded: 0, total: 4 },
      executions: { running: 0, failed: 1, aborted: 3 },
    })
  })

  it('ends Express children after five minutes', async () => {
    const definition = machine({})
    const state = definition.States['Each'] as MapState
    const processor = {
      ...state.ItemProcessor,
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'EXPRESS' },
    }
    const { result } = await run(
      machine({ ItemProcessor: processor as MapState['ItemProcessor'] & object, ToleratedFailureCount: 1 }),
      [1, 400],
      {
        invoke: async (_arn, item, { sleep }) => {
          await sleep((item as number) * 1000)
          return item
        },
      },
    )
    expect(result).toEqual({ status: 'SUCCEEDED', output: [1] })
  })

  it('makes one list of the lists that its children return, also without a place to write', async () => {
    const config = (Transformation: 'NONE' | 'COMPACT' | 'FLATTEN') =>
      run(machine({ ResultWriter: { WriterConfig: { Transformation } } }), [[1, 2], [3], 4])
    expect((await config('FLATTEN')).result).toMatchObject({ output: [1, 2, 3, 4] })
    expect((await config('COMPACT')).result).toMatchObject({ output: [[1, 2], [3], 4] })
    expect((await config('NONE')).result).toMatchObject({
      output: [{ Output: '[1,2]', Status: 'SUCCEEDED' }, { Output: '[3]' }, { Output: '4' }],
    })
  })

  it('can be retried and caught like any failure', async () => {
    const { result } = await run(
      machine({
        Retry: [{ ErrorEquals: ['States.ExceedToleratedFailureThreshold'], MaxAttempts: 1 }],
        Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'Each2' }],
      }),
      [1],
      { invoke: failOdd },
    )
    expect(result.status).toBe('FAILED')
  })

  it("gives each child a context object of its own and hides the parent's variables", async () => {
    const definition = machine({
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'EXPRESS' },
        StartAt: 'Show',
        States: {
          Show: {
            Type: 'Pass',
            Parameters: {
              'input.$': '$$.Execution.Input',
              'machine.$': '$$.StateMachine.Name',
              'id.$': '$$.Execution.Id',
            },
            End: true,
          },
        },
      },
      Label: 'Rows',
    })
    const { result } = await run(definition, ['a'])
    expect(result).toEqual({
      status: 'SUCCEEDED',
      output: [
        {
          input: 'a',
          machine: 'StateMachine/Rows',
          id: expect.stringContaining(':express:StateMachine/Rows:'),
        },
      ],
    })
  })

  it('batches by count and by bytes, with the batch input on each', async () => {
    const byCount = await run(
      machine({ ItemBatcher: { MaxItemsPerBatch: 2, BatchInput: { 'run.$': '$$.StateMachine.Name' } } }),
      [1, 2, 3],
    )
    expect(byCount.result).toEqual({
      status: 'SUCCEEDED',
      output: [
        { BatchInput: { run: 'StateMachine' }, Items: [1, 2] },
        { BatchInput: { run: 'StateMachine' }, Items: [3] },
      ],
    })
    const byBytes = await run(machine({ ItemBatcher: { MaxInputBytesPerBatch: 30 } }), [
      'aaaaaaaa',
      'bbbbbbbb',
      'c',
    ])
    expect(byBytes.result).toEqual({
      status: 'SUCCEEDED',
      output: [{ Items: ['aaaaaaaa'] }, { Items: ['bbbbbbbb', 'c'] }],
    })
  })

  it('writes results and a manifest where the ResultWriter says, and counts what it wrote', async () => {
    const objects = createMemoryObjects()
    let status: MapRunStatus | undefined
    const { result } = await run(
      machine({
        ToleratedFailurePercentage: 100,
        ResultWriter: {
          Resource: 'arn:aws:states:::s3:putObject',
          Parameters: { Bucket: 'out', Prefix: 'runs' },
        },
      }),
      [1, 2],
      {
        objects,
        invoke: failOdd,
        mapRuns: {
          onStart: () => undefined,
          onChange: changed => {
            status = changed
          },
        },
      },
    )
    expect(status).toMatchObject({ items: { resultsWritten: 2 }, executions: { resultsWritten: 2 } })
    const { output } = result as unknown as {
      output: { ResultWriterDetails: { Bucket: string; Key: string } }
    }
    const manifest = JSON.parse(objects.read('out', output.ResultWriterDetails.Key) ?? '')
    const [succeeded] = manifest.ResultFiles.SUCCEEDED
    const [failed] = manifest.ResultFiles.FAILED
    expect(JSON.parse(objects.read('out', succeeded.Key) ?? '')).toMatchObject([
      { Output: '2', Status: 'SUCCEEDED' },
    ])
    expect(JSON.parse(objects.read('out', failed.Key) ?? '')).toMatchObject([
      { Error: 'Odd', Status: 'FAILED' },
    ])
  })

  it.each([
    ['at its end', 3],
    ['while it runs', 300_000],
  ])('can be caught when its results cannot be written, %s', async (_, size) => {
    const statuses: string[] = []
    const { result, types } = await run(
      machine({
        ResultWriter: { Resource: 'arn:aws:states:::s3:putObject', Parameters: { Bucket: 'gone' } },
        Retry: [{ ErrorEquals: ['States.ResultWriterFailed'], MaxAttempts: 1 }],
      }),
      Array.from({ length: 12 }, () => 'x'.repeat(size / 3)),
      {
        objects: {
          ...createMemoryObjects(),
          put: async () => {
            throw new TaskFailure('S3.NoSuchBucketException', 'The specified bucket does not exist')
          },
        },
        limits: { payloadBytes: 2 ** 24 },
        mapRuns: {
          onStart: ({ status }) => statuses.push(status),
          onChange: ({ status }) => statuses.push(status),
        },
      },
    )
    expect(result).toEqual({
      status: 'FAILED',
      error: 'States.ResultWriterFailed',
      cause: 'The specified bucket does not exist',
    })
    expect(statuses).toEqual(['RUNNING', 'FAILED', 'RUNNING', 'FAILED'])
    expect(types.filter(type => type === 'MapRunFailed')).toHaveLength(2)
  })

  it('fails rather than return more than a payload holds', async () => {
    const { result } = await run(
      machine({}),
      Array.from({ length: 300 }, () => 1),
      {
        invoke: () => 'x'.repeat(1000),
      },
    )
    expect(result).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' })
  })
})

describe('ItemReader', () => {
  const read = async (
    config: NonNullable<MapState['ItemReader']>['ReaderConfig'],
    body: string,
    more: { key: string; body: string }[] = [],
    resource = 's3:getObject',
  ) => {
    const definition = machine({
      ItemReader: {
        Resource: `arn:aws:states:::${resource}`,
        Parameters: { Bucket: 'b', Key: 'file', Prefix: 'p/' },
        ...(config === undefined ? {} : { ReaderConfig: config }),
      },
    })
    const objects = createMemoryObjects(
      [{ key: 'file', body }, ...more].map(object => ({ bucket: 'b', ...object })),
    )
    const { result } = await run(definition, {}, { objects })
    return result.status === 'SUCCEEDED' ? result.output : result
  }

  it("reads CSV in AWS's own dialect", async () => {
    const csv = 'a,b\n1,"x, ""y"""\n2\n3,4,5\n\\n\\"q,"line\nbreak"\n\n"",z\r\nlast,row'
    expect(await read({ InputType: 'CSV', CSVHeaderLocation: 'FIRST_ROW' }, csv)).toEqual([
      { a: '1', b: 'x, "y"' },
      { a: '2', b: '' },
      { a: '3', b: '4' },
      { a: 'n"q', b: 'line\nbreak' },
      { a: '', b: 'z' },
      { a: 'last', b: 'row' },
    ])
    expect(
      await read(
        { InputType: 'CSV', CSVHeaderLocation: 'GIVEN', CSVHeaders: ['x'], CSVDelimiter: 'PIPE' },
        'a|b\nc|d',
      ),
    ).toEqual([{ x: 'a' }, { x: 'c' }])
  })

  it('reads JSON, JSON lines and a part of a JSON document', async () => {
    expect(await read({ InputType: 'JSON' }, '[1,2]')).toEqual([1, 2])
    expect(await read({ InputType: 'JSONL' }, '{"a":1}\n\n{"a":2}')).toEqual([{ a: 1 }, { a: 2 }])
    expect(await read({ InputType: 'JSON', ItemsPointer: '/x/y' }, '{"x":{"y":[3]}}')).toEqual([3])
  })

  it('follows an S3 inventory manifest', async () => {
    const manifest = JSON.stringify({
      destinationBucket: 'arn:aws:s3:::b',
      fileSchema: 'Bucket, Key',
      files: [{ key: 'one.csv' }],
    })
    expect(
      await read({ InputType: 'MANIFEST' }, manifest, [{ key: 'one.csv', body: '"b","k1"\n"b","k2"\n' }]),
    ).toEqual([
      { Bucket: 'b', Key: 'k1' },
      { Bucket: 'b', Key: 'k2' },
    ])
  })

  it('unpacks gzipped inventory files', async () => {
    const packed = gzipSync('"b","k1"\n')
    const store = createMemoryObjects([
      {
        bucket: 'b',
        key: 'file',
        body: JSON.stringify({
          destinationBucket: 'b',
          fileSchema: 'Bucket, Key',
          files: [{ key: 'one.csv.gz' }],
        }),
      },
    ])
    const objects: typeof store = {
      ...store,
      get: (bucket, key) =>
        key.endsWith('.gz')
          ? (async function* once() {
              yield packed
            })()
          : store.get(bucket, key),
    }
    const definition = machine({
      ItemReader: {
        Resource: 'arn:aws:states:::s3:getObject',
        Parameters: { Bucket: 'b', Key: 'file' },
        ReaderConfig: { InputType: 'MANIFEST' },
      },
    })
    const { result } = await run(definition, {}, { objects })
    expect(result).toEqual({ status: 'SUCCEEDED', output: [{ Bucket: 'b', Key: 'k1' }] })
  })

  it('lists objects', async () => {
    const listed = await read(undefined, '', [{ key: 'p/1', body: 'xyz' }], 's3:listObjectsV2')
    expect(listed).toMatchObject([{ Key: 'p/1', Size: 3, StorageClass: 'STANDARD' }])
  })

  it('says what is wrong with an object that cannot be read', async () => {
    expect(await read({ InputType: 'JSON' }, '{')).toMatchObject({ error: 'States.ItemReaderFailed' })
  })
})
