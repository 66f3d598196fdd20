import { errorMatrix } from '@stepwright/asl-engine/testing'
import {
  ForbiddenError,
  ServiceUnavailableException,
  TemporaryError,
  UnexpectedError,
} from '@stepwright/errors'
import { readText } from '@stepwright/object-store'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { acceptSchema } from './accept-schema.ts'
import {
  latestSchemaKey,
  manifestKey,
  previousSchemaKey,
  symlinkKey,
  tableSettingsKey,
  typesKey,
} from './dataset.ts'
import { readManifest } from './manifest.ts'
import { failurePayload, transformOutput } from './outputs.ts'
import { collectKeys } from './test/collect-keys.ts'
import { base, createMemoryWorld, day, definition, type MemoryWorld } from './test/memory-world.ts'

type Run = Awaited<ReturnType<MemoryWorld['run']>>

async function worldWith(days: readonly string[] = [day.ds]): Promise<MemoryWorld> {
  const world = createMemoryWorld()
  for (const ds of days) await world.ports.raw.put(`shop/orders/ds=${ds}/a.csv`, 'id\n1\n')
  return world
}

function payloadOf({ status, error, cause }: Run) {
  const payload = z.parse(failurePayload, JSON.parse(cause ?? ''))
  expect([status, error]).toEqual(['FAILED', payload.error.code])
  return payload
}

function outputOf({ status, output, cause }: Run) {
  expect([status, cause]).toEqual(['SUCCEEDED', undefined])
  return z.parse(transformOutput, output)
}

describe('the transform', () => {
  it('answers as the contract says', async () => {
    const world = await worldWith()
    const run = await world.run(day)
    expect(outputOf(run)).toEqual({
      ok: true,
      proceed: true,
      correlationId: 'shop:orders:2025-09-07',
      domain: 'shop',
      table_name: 'orders',
      partitions: ['ds=2025-09-07'],
      skipped: [],
      stats: { rowCount: 3, bytesWritten: 12, fileCount: 1 },
      glueRunIds: ['jr_1'],
      warnings: [],
      crawled: true,
    })
    const glue = run.calls.find(({ state }) => state === 'RunGlueJob')?.input
    expect(glue).toMatchObject({
      JobName: 'job',
      Arguments: {
        '--ds': '2025-09-07',
        '--correlation_id': 'shop:orders:2025-09-07',
        '--schema_fingerprint_s3_uri': 's3://curated/shop/orders/_schema/latest.json',
      },
    })
  })

  it('leaves a partition alone that is there, and says what is in it', async () => {
    const world = await worldWith()
    const first = outputOf(await world.run(day))
    const again = outputOf(await world.run(day))
    expect(again).toEqual({ ...first, proceed: false, skipped: ['ds=2025-09-07'], crawled: false })
  })

  it('leaves alone what another program has put there', async () => {
    const world = await worldWith()
    await world.ports.curated.put('shop/orders/ds=2025-09-07/part.parquet', 'rows')
    expect(outputOf(await world.run(day))).toMatchObject({
      proceed: false,
      partitions: ['ds=2025-09-07'],
      stats: { rowCount: 0, bytesWritten: 4, fileCount: 1 },
    })
  })

  it('makes it anew where it is asked to, and keeps the files of the run before', async () => {
    const world = await worldWith()
    await world.run(day)
    const before = await readManifest(world.ports.curated, day)
    for (const rowCount of [4, 5]) {
      world.found = { ...world.found, rowCount }
      expect(outputOf(await world.run({ ...day, reprocess: true })).stats.rowCount).toBe(rowCount)
    }
    const keys = await collectKeys(world.ports.curated, 'shop/orders/runs/')
    const kept = keys.filter(key => key.endsWith('.parquet')).map(key => key.split('/')[5])
    expect(new Set(kept)).toEqual(new Set(['jr_2', 'jr_3']))
    expect(keys).not.toContain(before?.value.files[0]?.key)
  })

  it('skips a partition that another execution has locked, and does not hide that of a reprocessing', async () => {
    const world = await worldWith()
    await world.ports.lock.acquire(day, 'another')
    expect(outputOf(await world.run(day))).toMatchObject({
      proceed: false,
      partitions: [],
      skipped: ['ds=2025-09-07'],
    })
    const run = await world.run({ ...day, reprocess: true })
    expect(payloadOf(run).error).toEqual({
      code: 'IDEMPOTENT_SKIP',
      message: 'another execution is at work on the partition',
      partition: 'ds=2025-09-07',
    })
    expect(run.waitsSeconds('Preflight')).toEqual([50, 100])
  })

  it('publishes nothing once another execution has the partition', async () => {
    const world = await worldWith()
    const tasks = world.tasks()
    const stolen = async (input: unknown, context: never) => {
      await world.ports.lock.release(day, Object(input).Arguments['--lock_token'])
      await world.ports.lock.acquire(day, 'another')
      return (tasks['RunGlueJob'] as (...all: unknown[]) => unknown)(input, context)
    }
    const run = await world.run(day, { tasks: { ...tasks, RunGlueJob: stolen as never } })
    expect(outputOf(run)).toMatchObject({ proceed: false, partitions: [], skipped: ['ds=2025-09-07'] })
    expect(await readManifest(world.ports.curated, day)).toBeUndefined()
  })

  it('publishes although its lock has expired, if nobody has taken it since', async () => {
    const world = await worldWith()
    const tasks = world.tasks()
    const expired = async (input: unknown, context: never) => {
      await world.ports.lock.release(day, Object(input).Arguments['--lock_token'])
      return (tasks['RunGlueJob'] as (...all: unknown[]) => unknown)(input, context)
    }
    const run = await world.run(day, { tasks: { ...tasks, RunGlueJob: expired as never } })
    expect(outputOf(run)).toMatchObject({ proceed: true, partitions: ['ds=2025-09-07'] })
    expect(await world.ports.lock.acquire(day, 'another')).toBe(true)
  })

  it('leaves what another execution has published meanwhile', async () => {
    const world = await worldWith()
    const tasks = world.tasks()
    const overtaken = async (input: unknown, context: never) => {
      const token = Object(input).Arguments['--lock_token']
      await world.ports.lock.release(day, token)
      await world.run(day)
      await world.ports.lock.acquire(day, token)
      return (tasks['RunGlueJob'] as (...all: unknown[]) => unknown)(input, context)
    }
    const run = await world.run(day, { tasks: { ...tasks, RunGlueJob: overtaken as never } })
    expect(outputOf(run)).toMatchObject({ proceed: false, skipped: ['ds=2025-09-07'] })
    expect((await readManifest(world.ports.curated, day))?.value.glueRunId).toBe('jr_1')
  })

  it('does not replace a manifest that it has not seen', async () => {
    const world = await worldWith()
    const { curated } = world.ports
    let foreign: string | undefined
    const put: typeof curated.put = async (key, body, options) => {
      if (key === manifestKey(day) && foreign === undefined) {
        foreign = String(body).replaceAll('jr_1', 'jr_foreign')
        await curated.put(key, foreign)
      }
      return curated.put(key, body, options)
    }
    const ports = { ...world.ports, curated: { ...curated, put } }
    const run = await world.run(day, { tasks: world.tasks(ports) })
    expect(outputOf(run)).toMatchObject({
      proceed: false,
      partitions: ['ds=2025-09-07'],
      skipped: ['ds=2025-09-07'],
    })
    expect(await text(world, manifestKey(day))).toBe(foreign)
  })

  it('leaves a schema to the next crawl that came during this one', async () => {
    const world = await worldWith()
    const inject = [{ state: 'UpdateTable', error: 'Glue.AccessDeniedException' }]
    await world.run(day, { inject })
    const plan = { ...base, environment: 'dev', reprocess: false, catalog_update: 'force' } as const
    const answer = await acceptSchema.run({ correlationId: '', plan, hash: 'older' }, world.ports)
    expect(answer).toEqual({ accepted: false })
    expect(await collectKeys(world.ports.curated, 'shop/orders/_schema/')).toEqual([
      latestSchemaKey(day),
      typesKey(day),
    ])
  })

  it('reports the bad days of a backfill beside the good ones', async () => {
    const world = await worldWith(['2025-09-01', '2025-09-03'])
    const run = await world.run({
      ...base,
      date_range: { start: '2025-09-01', end: '2025-09-03' },
      execution_id: 'ext-1',
    })
    expect(payloadOf(run)).toMatchObject({
      correlationId: 'ext-1',
      partitions: ['ds=2025-09-01', 'ds=2025-09-03'],
      stats: { rowCount: 6, fileCount: 2 },
      error: { code: 'NO_RAW_DATA', partition: 'ds=2025-09-02' },
    })
    expect(world.crawls()).toBe(1)
  })

  it('lists every bad day, the first one first', async () => {
    const world = await worldWith(['2025-09-02'])
    const run = await world.run({ ...base, date_range: { start: '2025-09-01', end: '2025-09-03' } })
    const { error, errors } = payloadOf(run)
    expect(error.partition).toBe('ds=2025-09-01')
    expect(errors?.map(({ partition }) => partition)).toEqual(['ds=2025-09-01', 'ds=2025-09-03'])
  })

  it('adds the columns of old days that are filled in, and takes back none', async () => {
    const world = await worldWith(['2025-09-01', '2025-09-07'])
    await world.run(day)
    world.found = { ...world.found, columns: [{ name: 'old', type: 'string' }] }
    await world.run({ ...base, ds: '2025-09-01' })
    const { columns } = JSON.parse(await text(world, latestSchemaKey(day)))
    expect([columns, world.crawls()]).toEqual([
      [
        { name: 'id', type: 'bigint' },
        { name: 'old', type: 'string' },
      ],
      2,
    ])
  })

  it('publishes nothing that would make it rewrite more than is allowed', async () => {
    const world = await worldWith(['2025-09-06', '2025-09-07'])
    await world.run({ ...base, ds: '2025-09-06' })
    world.found = { ...world.found, columns: [{ name: 'id', type: 'string' }] }
    const ports = { ...world.ports, maxRewriteBytes: 11 }
    const run = await world.run(day, { tasks: world.tasks(ports) })
    expect(payloadOf(run).error).toEqual({
      code: 'SCHEMA_CHECK_FAILED',
      message:
        'ds=2025-09-07 needs a wider type for id, and 1 days of 12 bytes would have to be rewritten, but at most 11 bytes may be; set MAX_REWRITE_MB higher, give the type in the settings of the table, or correct the raw files',
      partition: 'ds=2025-09-07',
    })
    expect(await readManifest(world.ports.curated, day)).toBeUndefined()
    expect(JSON.parse(await text(world, typesKey(day))).columns).toMatchObject([
      { name: 'id', type: 'bigint' },
    ])
    expect(outputOf(await world.run(day)).rewritten).toEqual(['ds=2025-09-06'])
  })

  it('takes the types of a table without evidence from its newest day, and widens from there', async () => {
    const world = await worldWith(['2025-09-05', '2025-09-06', '2025-09-07'])
    const { curated } = world.ports
    for (const [ds, type] of [
      ['2025-09-05', 'string'],
      ['2025-09-06', 'double'],
    ] as const) {
      world.found = { ...world.found, columns: [{ name: 'id', type }] }
      await world.run({ ...base, ds })
      await curated.delete(typesKey(day))
    }
    expect((await readManifest(curated, { ...base, ds: '2025-09-05' }))?.value.columns[0]?.type).toBe(
      'string',
    )
    world.found = { ...world.found, columns: [{ name: 'id', type: 'decimal(18,1)' }] }
    // The older day is wider than the newest: it decides, and none of them is lost.
    expect(outputOf(await world.run(day)).ok).toBe(true)
    expect(JSON.parse(await text(world, typesKey(day))).columns).toMatchObject([
      { name: 'id', type: 'string' },
    ])
    for (const ds of ['2025-09-05', '2025-09-06', '2025-09-07']) {
      expect((await readManifest(curated, { ...base, ds }))?.value.columns[0]?.type).toBe('string')
    }
  })

  it('learns of new columns also after a day that is far in the future', async () => {
    const world = await worldWith(['2099-01-01', '2025-09-07'])
    await world.run({ ...base, ds: '2099-01-01' })
    world.found = { ...world.found, columns: [...world.found.columns, { name: 'new', type: 'string' }] }
    expect(outputOf(await world.run(day)).crawled).toBe(true)
    expect(JSON.parse(await text(world, latestSchemaKey(day))).columns).toHaveLength(2)
  })

  it('learns nothing of the schema from a day without rows', async () => {
    const world = await worldWith(['2025-09-06', '2025-09-07'])
    await world.run({ ...base, ds: '2025-09-06' })
    world.found = { ...world.found, rowCount: 0, columns: [{ name: 'id', type: 'string' }] }
    expect(outputOf(await world.run(day))).toMatchObject({ proceed: true, crawled: false })
    const { columns } = JSON.parse(await text(world, latestSchemaKey(day)))
    expect(columns).toEqual([{ name: 'id', type: 'bigint' }])
  })

  it('crawls by the policy, and makes up for a crawl that did not happen', async () => {
    const world = await worldWith(['2025-09-05', '2025-09-06', '2025-09-07', '2025-09-08'])
    const crawled = async (input: object) => outputOf(await world.run({ ...base, ...input })).crawled
    expect(await crawled({ ds: '2025-09-05', catalog_update: 'never' })).toBe(false)
    expect(await crawled({ ds: '2025-09-06' })).toBe(true)
    expect(await crawled({ ds: '2025-09-07' })).toBe(false)
    expect(await crawled({ ds: '2025-09-07', catalog_update: 'force' })).toBe(true)
    world.found = { ...world.found, columns: [{ name: 'id', type: 'string' }] }
    const failing = { inject: [{ state: 'UpdateTable', error: 'Glue.AccessDeniedException' }] }
    expect(payloadOf(await world.run({ ...base, ds: '2025-09-08' }, failing)).error).toEqual({
      code: 'CRAWLER_FAILED',
      message: 'the catalog could not be updated (Glue.AccessDeniedException)',
      partition: 'ds=2025-09-08',
    })
    // The partition is skipped, its schema is not.
    expect(await crawled({ ds: '2025-09-08' })).toBe(true)
  })

  it.each([
    ['Glue.AccessDeniedException', 'the catalog could not be updated (Glue.AccessDeniedException)'],
    ['States.Timeout', 'UpdateCatalog took too long'],
  ])('tries the catalog three times after %s', async (error, message) => {
    const world = await worldWith()
    const run = await world.run(day, { inject: [{ state: 'UpdateTable', error }] })
    expect(payloadOf(run)).toMatchObject({ partitions: ['ds=2025-09-07'], error: { message } })
    expect(run.calls.filter(({ state }) => state === 'UpdateTable')).toHaveLength(3)
  })

  it('creates the table that is not in the catalog yet, and waits for others that write it', async () => {
    const world = await worldWith()
    const inject = [{ state: 'UpdateTable', error: 'Glue.EntityNotFoundException' }]
    const run = await world.run(day, { inject })
    expect(outputOf(run).crawled).toBe(true)
    const [create] = run.calls.filter(({ state }) => state === 'CreateTable')
    expect(create?.input).toMatchObject({
      DatabaseName: 'catalog',
      TableInput: {
        Name: 'shop__orders',
        PartitionKeys: [{ Name: 'ds', Type: 'string' }],
        StorageDescriptor: {
          Location: 's3://curated/shop/orders/',
          Columns: [{ Name: 'id', Type: 'bigint' }],
        },
      },
    })
    const busy = [{ state: 'UpdateTable', attempts: [1, 2], error: 'Glue.ConcurrentModificationException' }]
    const forced = await world.run({ ...day, catalog_update: 'force' }, { inject: busy })
    expect([outputOf(forced).crawled, forced.waitsSeconds('UpdateTable')]).toEqual([true, [2, 4]])
  })

  it.each([
    ['States.TaskFailed', 'GLUE_JOB_FAILED'],
    ['States.Timeout', 'TIMEOUT'],
  ])('tries a job again once after %s', async (error, code) => {
    const world = await worldWith()
    const inject = { state: 'RunGlueJob', error }
    expect(outputOf(await world.run(day, { inject: [{ ...inject, attempts: [1] }] })).ok).toBe(true)
    const run = await world.run({ ...day, reprocess: true }, { inject: [inject] })
    expect([payloadOf(run).error.code, run.attempts('RunGlueJob')]).toEqual([code, 2])
    expect(await world.ports.lock.acquire(day, 'another')).toBe(true)
  })

  it('waits for a free place where too many jobs run', async () => {
    const world = await worldWith()
    const inject = [{ state: 'RunGlueJob', attempts: [1, 2], error: 'Glue.ConcurrentRunsExceededException' }]
    const run = await world.run(day, { inject })
    expect([outputOf(run).ok, run.waitsSeconds('RunGlueJob')]).toEqual([true, [30, 45]])
  })

  it('refuses what does not hold its rules, and keeps the partition as it was', async () => {
    const world = await worldWith()
    await world.run(day)
    const rules = [
      { rule: 'null_ratio', column: 'price', max: 0.1 },
      { rule: 'unique', column: 'id', severity: 'warning' },
    ]
    await world.ports.curated.put(tableSettingsKey(day), JSON.stringify({ rules }))
    world.found = { ...world.found, rowCount: 9, figures: [0.5, 2] }
    const run = await world.run({ ...day, reprocess: true })
    expect(payloadOf(run).error).toEqual({
      code: 'DQ_FAILED',
      message: 'null_ratio: null ratio of column price exceeded: 0.5, and at most 0.1 allowed',
      partition: 'ds=2025-09-07',
    })
    expect([run.attempts('RunGlueJob'), run.attempts('PublishPartition')]).toEqual([1, 1])
    // What was rejected is gone, and its run is named.
    expect(payloadOf(run).glueRunIds).toEqual(['jr_2'])
    const files = await collectKeys(world.ports.curated, 'shop/orders/runs/')
    expect(files.filter(key => key.includes('jr_2'))).toEqual([])
    expect((await readManifest(world.ports.curated, day))?.value.rowCount).toBe(3)

    world.found = { ...world.found, figures: [0.1, 2] }
    expect(outputOf(await world.run({ ...day, reprocess: true })).warnings).toEqual([
      'ds=2025-09-07: unique: rows of column id exceeded: 2, and at most 0 allowed',
    ])
  })

  it('compares the number of rows with that of the day before', async () => {
    const world = await worldWith(['2025-09-06', '2025-09-07'])
    const rules = [{ rule: 'row_count_change', max: 0.5 }]
    await world.ports.curated.put(tableSettingsKey(day), JSON.stringify({ rules }))
    await world.run({ ...base, ds: '2025-09-06' })
    world.found = { ...world.found, rowCount: 1 }
    expect(payloadOf(await world.run(day)).error.message).toContain('1 rows after 3 the day before')
  })

  it.each<[object, string]>([
    [{ rules: [{ rule: 'nulls' }] }, 'rules.0'],
    [{ rules: [{ rule: 'null_ratio', column: 'a', max: 2 }] }, 'rules.0.max'],
    [{ delimiter: 'x' }, 'delimiter'],
  ])('refuses the settings %j', async (settings, place) => {
    const world = await worldWith()
    await world.ports.curated.put(tableSettingsKey(day), JSON.stringify(settings))
    const { error } = payloadOf(await world.run(day))
    expect(error).toMatchObject({ code: 'PRE_VALIDATION_FAILED', message: expect.stringContaining(place) })
  })

  it('needs to be told the type of files that do not tell it', async () => {
    const world = await worldWith()
    await world.ports.raw.put('shop/orders/ds=2025-09-07/b.json', '{}')
    expect(payloadOf(await world.run(day)).error.message).toBe(
      'file_type must be given, since the raw files are of several',
    )
    await world.ports.raw.put('shop/orders/ds=2025-09-07/b.json', '')
    await world.ports.raw.put('shop/orders/ds=2025-09-07/_SUCCESS', 'x')
    expect(outputOf(await world.run(day)).ok).toBe(true)
  })

  it('says what is in place of a partition that another execution has locked', async () => {
    const world = await worldWith()
    const first = outputOf(await world.run(day))
    await world.ports.lock.acquire(day, 'another')
    const { partitions, stats, proceed, skipped } = outputOf(await world.run(day))
    expect({ partitions, stats, proceed, skipped }).toEqual({
      partitions: first.partitions,
      stats: first.stats,
      proceed: false,
      skipped: ['ds=2025-09-07'],
    })
  })

  it('says a few of many warnings, and keeps all of them in the manifests', async () => {
    const days = Array.from({ length: 31 }, (_, n) => `2025-08-${String(n + 1).padStart(2, '0')}`)
    const world = await worldWith(days)
    const column = 'c'.repeat(200)
    const rules = Array.from({ length: 200 }, () => ({ rule: 'unique', column, severity: 'warning' }))
    await world.ports.curated.put(tableSettingsKey(day), JSON.stringify({ rules }))
    world.found = { ...world.found, figures: rules.map(() => 7) }
    const range = { ...base, date_range: { start: days[0], end: days.at(-1) } }
    const { warnings, partitions } = outputOf(await world.run(range))
    expect([partitions.length, warnings.length]).toEqual([31, 21])
    expect(warnings.at(-1)).toBe('and 166 more: the manifests have all')
    const manifest = await readManifest(world.ports.curated, { ...base, ds: days[0] ?? '' })
    expect(manifest?.value.warnings).toHaveLength(200)
  })

  it.each<[string, number]>([
    ['States.Timeout', 2],
    ['TaskTimeoutError', 2],
    ['Sandbox.Timedout', 2],
    ['UnexpectedError', 2],
    ['Runtime.ExitError', 2],
    ['NetworkError', 3],
    ['ConcurrentExecutionError', 3],
    ['Lambda.TooManyRequestsException', 3],
    ['PRE_VALIDATION_FAILED', 1],
    ['NO_RAW_DATA', 1],
  ])('tries Preflight after %s as often as the contract says', async (error, attempts) => {
    const world = await worldWith()
    const run = await world.run({ ...day, reprocess: true }, { inject: [{ state: 'Preflight', error }] })
    expect([run.status, run.attempts('Preflight')]).toEqual(['FAILED', attempts])
  })

  it.each([
    [latestSchemaKey(day), 'not json'],
    [previousSchemaKey(day), JSON.stringify({ hash: 'x', columns: [], ds: '2025-09-07' })],
  ])('says that %s is damaged', async (key, body) => {
    const world = await worldWith()
    await world.ports.curated.put(key, body)
    expect(payloadOf(await world.run(day))).toMatchObject({
      partitions: ['ds=2025-09-07'],
      error: { code: 'SCHEMA_CHECK_FAILED' },
    })
  })

  it('says so where not even the failure can be described', async () => {
    const world = await worldWith([])
    const inject = [{ state: 'FailPartition', error: UnexpectedError }]
    expect(payloadOf(await world.run(day, { inject })).error.code).toBe('UNEXPECTED_ERROR')
    const last = [{ state: 'SummarizeTransform', error: UnexpectedError }]
    expect(payloadOf(await world.run(day, { inject: last })).error.code).toBe('UNEXPECTED_ERROR')
  })

  it('ends the same wherever its functions die, and however often they are called', async () => {
    const whole = await worldWith()
    const engine = { uuid: () => 'the-same' }
    const expected = outputOf(await whole.run(day, { engine }))
    const manifest = await readManifest(whole.ports.curated, day)
    const keys = await collectKeys(whole.ports.curated, '')
    let calls = 0
    // Each effect in turn fails after it happened, once.
    for (let deadly = 1; ; deadly += 1) {
      const world = await worldWith()
      calls = 0
      const die = async <T>(effect: Promise<T>): Promise<T> => {
        const done = await effect
        calls += 1
        if (calls === deadly) throw new TemporaryError('killed')
        return done
      }
      const { curated, lock } = world.ports
      const ports = {
        ...world.ports,
        curated: {
          ...curated,
          put: (...all: Parameters<typeof curated.put>) => die(curated.put(...all)),
          deleteMany: (...all: Parameters<typeof curated.deleteMany>) => die(curated.deleteMany(...all)),
        },
        lock: {
          ...lock,
          acquire: (...all: Parameters<typeof lock.acquire>) => die(lock.acquire(...all)),
          renew: (...all: Parameters<typeof lock.renew>) => die(lock.renew(...all)),
          release: (...all: Parameters<typeof lock.release>) => die(lock.release(...all)),
        },
      }
      const tasks = { ...world.tasks(ports), RunGlueJob: world.tasks()['RunGlueJob'] as never }
      const run = await world.run(day, { tasks, engine })
      expect(outputOf(run), `killed after effect ${deadly}`).toEqual(expected)
      const { publishedAt: _, ...published } = (await readManifest(curated, day))?.value ?? {}
      expect({ ...published, publishedAt: manifest?.value.publishedAt }).toEqual(manifest?.value)
      expect(await collectKeys(curated, '')).toEqual(keys)
      if (calls < deadly) break
    }
    expect(calls).toBeGreaterThan(8)
  })

  it('finishes what an execution that died has half published', async () => {
    const whole = await worldWith()
    await whole.run(day)
    for (const lost of [symlinkKey(day), latestSchemaKey(day)]) {
      const world = await worldWith()
      const { curated } = world.ports
      const put: typeof curated.put = (key, ...rest) =>
        key === lost ? Promise.reject(new ForbiddenError('no')) : curated.put(key, ...rest)
      const ports = { ...world.ports, curated: { ...curated, put } }
      expect((await world.run(day, { tasks: world.tasks(ports) })).status).toBe('FAILED')
      expect(outputOf(await world.run(day))).toMatchObject({ proceed: false, crawled: true })
      expect(await text(world, latestSchemaKey(day))).toBe(await text(whole, latestSchemaKey(day)))
      const { files } = (await readManifest(curated, day))?.value ?? {}
      expect(await text(world, symlinkKey(day))).toBe(`s3://curated/${files?.[0]?.key}\n`)
    }
  })

  it('deletes no files of others once it has given the partition back', async () => {
    const world = await worldWith()
    const { curated, lock } = world.ports
    let owner: string | undefined
    const put: typeof curated.put = async (key, ...rest) => {
      const done = await curated.put(key, ...rest)
      if (key === symlinkKey(day) && owner !== undefined) {
        // Its caller gave it up and called again, that call has ended, and another execution publishes.
        await lock.release(day, owner)
        owner = undefined
        await world.run({ ...day, reprocess: true })
      }
      return done
    }
    const renew: typeof lock.renew = (partition, executionId) => {
      owner ??= executionId
      return lock.renew(partition, executionId)
    }
    const slow = world.tasks({ ...world.ports, curated: { ...curated, put }, lock: { ...lock, renew } })
    const tasks = { ...world.tasks(), PublishPartition: slow['PublishPartition'] as never }
    expect(outputOf(await world.run(day, { tasks })).glueRunIds).toEqual(['jr_1'])
    const { files, glueRunId } = (await readManifest(curated, day))?.value ?? {}
    expect(glueRunId).toBe('jr_2')
    expect(await collectKeys(curated, '')).toContain(files?.[0]?.key)
  })

  it('retries what passes at every state, and catches the rest', async () => {
    const world = await worldWith()
    await world.ports.raw.put('shop/orders/ds=2025-09-06/a.csv', 'id\n1\n')
    const inputs = [
      { ...day, reprocess: true, catalog_update: 'force' },
      { ...base, ds: '2025-01-01' },
    ]
    const matrix = await errorMatrix(definition, world.tasks(), {
      inputs,
      catchExhausted: true,
      substitutions: { GlueJobName: 'job', CatalogDatabase: 'catalog' },
    })
    expect(new Set(matrix.cells.map(({ state }) => state)).size).toBe(7)
  })

  it('takes a store that is out of order for no more than that', async () => {
    const world = await worldWith()
    const curated = {
      ...world.ports.curated,
      get: () => Promise.reject(new ServiceUnavailableException('down')),
    }
    const run = await world.run(day, {
      tasks: {
        ...world.tasks(),
        CheckSchema: world.tasks({ ...world.ports, curated })['CheckSchema'] as never,
      },
    })
    expect(payloadOf(run).error).toMatchObject({
      code: 'SCHEMA_CHECK_FAILED',
      message: expect.stringContaining('could not be read'),
    })
    expect(run.attempts('CheckSchema')).toBe(2)
    expect(await readManifest(world.ports.curated, day)).toBeDefined()
  })
})

async function text({ ports }: MemoryWorld, key: string): Promise<string> {
  return readText(await ports.curated.get(key))
}
