import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { createWithholding } from '@stepwright/local-cloud'
import { readText } from '@stepwright/object-store'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { app } from './app.ts'
import { type Dataset, latestSchemaKey, previousSchemaKey } from './dataset.ts'
import { demonstrateTransform } from './demo.ts'
import { catalogKey } from './local/catalog.ts'
import { collectKeys } from './test/collect-keys.ts'
import { expectSameAfterKill } from './test/killed-run.ts'
import { transformDay } from './test/readme-example.ts'
import { base, type RunningTransform, startTransformApp } from './test/running-transform.ts'

const timeout = 120_000
const { statementsOf, withhold } = createWithholding(app)
let world: RunningTransform
beforeAll(async () => {
  world = await startTransformApp({ enforcePolicies: statementsOf })
}, timeout)
afterAll(() => world[Symbol.asyncDispose](), timeout)

const hooked = ['glue:startJobRun', 'aws-sdk:glue:updateTable', 'CheckSchema', 'SummarizeTransform'] as const
afterEach(() => {
  for (const name of hooked) world.running.intercept(name)
})

let tables = 0

/** A table of its own for each test. */
function newTable() {
  tables += 1
  const table = { domain: 'shop', table_name: `orders-${tables}` }
  return {
    ...table,
    on: (ds: string) => ({ ...table, ds }),
    put: (ds: string, name: string, body: string | Uint8Array) =>
      world.raw.put(`shop/${table.table_name}/ds=${ds}/${name}`, body),
  }
}

const ds = '2025-09-07'
const csv = 'order_id,price,status\n1,2.5,NEW\n2,3.5,PAID\n'

async function json(key: string) {
  return JSON.parse(await readText(await world.curated.get(key)))
}

async function catalogColumns(table: Dataset) {
  return (await json(catalogKey(table))).TableInput.StorageDescriptor.Columns
}

/** The days in which Athena finds files by the table of the catalog: each of them must be there, and published. */
async function queriedDays(table: Dataset): Promise<string[]> {
  const { Location, InputFormat } = (await json(catalogKey(table))).TableInput.StorageDescriptor
  expect(InputFormat).toContain('SymlinkTextInputFormat')
  const prefix = Location.replace(/^s3:\/\/[^/]+\//, '')
  const days: string[] = []
  for (const key of await collectKeys(world.curated, prefix)) {
    const [, ds] = /^ds=([^/]+)\/symlinks$/.exec(key.slice(prefix.length)) ?? []
    if (ds === undefined) continue
    const named = (await readText(await world.curated.get(key))).trim().split('\n')
    const { files } = (await world.manifest({ ...table, ds })) ?? {}
    expect(named.map(uri => uri.replace(/^s3:\/\/[^/]+\//, ''))).toEqual(files?.map(file => file.key))
    days.push(`ds=${ds}`)
  }
  return days
}

describe('the transform on the local cloud', { timeout }, () => {
  it('publishes a day, tells the catalog, and does nothing the second time', async () => {
    const table = newTable()
    await table.put(ds, 'a.csv', csv)
    const first = await world.succeed(table.on(ds))
    expect(first).toMatchObject({
      proceed: true,
      correlationId: `shop:${table.table_name}:${ds}`,
      partitions: [`ds=${ds}`],
      stats: { rowCount: 2, fileCount: 1 },
      glueRunIds: [expect.stringMatching(/^jr_[0-9a-f]{32}$/)],
      crawled: true,
    })
    expect(await world.rows(table.on(ds))).toEqual([
      { order_id: '1', price: 2.5, status: 'NEW' },
      { order_id: '2', price: 3.5, status: 'PAID' },
    ])
    expect(await json(catalogKey(table))).toMatchObject({
      DatabaseName: 'data_transform',
      TableInput: {
        Name: `shop__${table.table_name}`,
        StorageDescriptor: {
          Location: `s3://${world.running.names.buckets['curated']}/shop/${table.table_name}/`,
          Columns: [
            { Name: 'order_id', Type: 'bigint' },
            { Name: 'price', Type: 'double' },
            { Name: 'status', Type: 'string' },
          ],
        },
      },
    })
    expect(await queriedDays(table)).toEqual([`ds=${ds}`])
    const again = await world.succeed(table.on(ds))
    expect(again).toEqual({ ...first, proceed: false, skipped: [`ds=${ds}`], crawled: false })
  })

  it('is started once by the marker of a partition that is complete, in S3 trigger mode', async () => {
    const table = newTable()
    const folder = `shop/${table.table_name}/ingestion_date=${ds}`
    await world.raw.put(`${folder}/part/a.jsonl`, '{"id":1}\n')
    await world.raw.put(`${folder}/b.jsonl.gz`, gzipSync('{"id":2,"late":"x"}\n'))
    await world.raw.put(`${folder}/empty.jsonl`, Buffer.alloc(0))
    const ended = world.running.ended('transform')
    await world.raw.put(`${folder}/_SUCCESS`, 'complete')
    const { status, output, name } = await ended
    expect([status, JSON.parse(output ?? '')]).toMatchObject([
      'SUCCEEDED',
      { stats: { rowCount: 2 }, crawled: true },
    ])
    expect(name).toMatch(/^SUCCESS-[a-z2-7]{16}$/)
    const { correlationId } = await world.succeed({
      ...table,
      table_name: undefined,
      table: table.table_name,
      source_bucket: world.running.names.buckets['raw'],
      source_key: `${folder}/b.jsonl.gz`,
      reprocess: true,
      file_type: 'json',
      execution_id: 'ext-req-123',
    })
    expect(correlationId).toBe('ext-req-123')
  })

  it('does what the README shows', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    expect(readme).toContain(await readFile(new URL('./test/readme-example.ts', import.meta.url), 'utf8'))
    expect(JSON.parse((await transformDay(world.running)) ?? '')).toMatchObject({
      ok: true,
      stats: { rowCount: 2 },
    })
  })

  it('has something to show', async () => {
    const { failure, mended, table } = await demonstrateTransform(world.running)
    expect(failure).toMatchObject({
      partitions: ['ds=2025-09-05', 'ds=2025-09-07'],
      error: { code: 'DQ_FAILED', partition: 'ds=2025-09-06' },
    })
    expect(mended).toMatchObject({ stats: { rowCount: 9 }, skipped: ['ds=2025-09-05', 'ds=2025-09-07'] })
    expect(table.TableInput.StorageDescriptor.Columns).toContainEqual({ Name: 'at', Type: 'timestamp' })
  })

  it('fails with PRE_VALIDATION_FAILED for a wrong input, at once', async () => {
    const { error, ...payload } = await world.fail({ ds: '2025-02-30' })
    expect([payload, error]).toEqual([
      { ok: false, correlationId: expect.stringMatching(/^shop:orders:run-\d+$/) },
      { code: 'PRE_VALIDATION_FAILED', message: 'ds must be a day of the calendar, as YYYY-MM-DD' },
    ])
    const { correlationId } = await world.fail({ ds, domain: undefined })
    expect(correlationId).toMatch(/^run-\d+$/)
  })

  it('fails with NO_RAW_DATA where there is none, or only empty files', async () => {
    const table = newTable()
    await table.put(ds, 'a.csv', Buffer.alloc(0))
    expect((await world.fail(table.on(ds))).error).toEqual({
      code: 'NO_RAW_DATA',
      message: `there is no raw data for ds=${ds}`,
      partition: `ds=${ds}`,
    })
  })

  it('fails where a role lacks what it needs, and works when it has it', async () => {
    const table = newTable()
    await table.put(ds, 'a.csv', csv)
    withhold('transform', 'RunGlueJobs')
    const { error } = await world.fail(table.on(ds))
    withhold()
    expect(error).toMatchObject({ partition: `ds=${ds}` })
    expect(await world.succeed(table.on(ds))).toMatchObject({ proceed: true })
  })

  it('fails with GLUE_JOB_FAILED for data that nobody can read, and leaves no lock', async () => {
    const table = newTable()
    await table.put(ds, 'a.csv', 'id,v\n1,2\n3,4,5\n')
    const { error, glueRunIds } = await world.fail(table.on(ds))
    expect(glueRunIds).toHaveLength(2)
    expect(error.message).toContain(glueRunIds?.at(-1))
    expect(error.code).toBe('GLUE_JOB_FAILED')
    expect(error.message).toMatch(/^the job run jr_\w+ ended as FAILED: the lines of a CSV file must have/)
    await table.put(ds, 'a.csv', csv)
    expect((await world.succeed(table.on(ds))).stats.rowCount).toBe(2)
  })

  it('fills a week, one day of which breaks a rule, and says what became of each', async () => {
    const table = newTable()
    await world.settle(table, {
      rules: [
        { rule: 'accepted_values', column: 'status', values: ['NEW', 'PAID'] },
        { rule: 'null_ratio', column: 'price', max: 0.1, severity: 'warning' },
      ],
    })
    for (let n = 1; n <= 7; n += 1) {
      await table.put(
        `2025-09-0${n}`,
        'a.csv',
        n === 4 ? `${csv}3,1,LOST\n` : n === 6 ? `${csv}3,,NEW\n` : csv,
      )
    }
    const date_range = { start: '2025-09-01', end: '2025-09-07' }
    const payload = await world.fail({ ...table, date_range, execution_id: 'backfill' })
    expect(payload).toMatchObject({
      correlationId: 'backfill',
      partitions: [1, 2, 3, 5, 6, 7].map(n => `ds=2025-09-0${n}`),
      stats: { rowCount: 13, fileCount: 6 },
      error: {
        code: 'DQ_FAILED',
        message: 'accepted_values: rows of column status exceeded: 1, and at most 0 allowed',
        partition: 'ds=2025-09-04',
      },
      warnings: [expect.stringContaining('ds=2025-09-06: null_ratio: null ratio of column price exceeded')],
    })
    expect(payload.glueRunIds).toHaveLength(7)
    expect(await world.manifest(table.on('2025-09-04'))).toBeUndefined()
    expect(await queriedDays(table)).toEqual(payload.partitions)

    await table.put('2025-09-04', 'a.csv', csv)
    const mended = await world.succeed({ ...table, date_range })
    expect([mended.partitions.length, mended.skipped.length, mended.stats.rowCount]).toEqual([7, 6, 15])
  })

  it('lets one of two simultaneous runs have the partition', async () => {
    const table = newTable()
    await table.put(ds, 'a.csv', csv)
    const working = Promise.withResolvers<void>()
    const over = Promise.withResolvers<void>()
    world.running.intercept('glue:startJobRun', async call => {
      working.resolve()
      await over.promise
      return call()
    })
    const first = world.succeed(table.on(ds))
    await working.promise
    expect(await world.succeed(table.on(ds))).toMatchObject({
      proceed: false,
      partitions: [],
      skipped: [`ds=${ds}`],
      glueRunIds: [],
    })
    over.resolve()
    expect(await first).toMatchObject({ proceed: true, partitions: [`ds=${ds}`] })
    expect(await world.rows(table.on(ds))).toHaveLength(2)
  })

  it('notices columns that are added and retyped, keeps those that are missing, and crawls by the policy', async () => {
    const table = newTable()
    const crawled: boolean[] = []
    const bodies = ['id,v\n1,2\n', 'id,v,w\n1,2,x\n', 'id,v,w\n1,y,x\n', 'id,v\n1,y\n', 'id,v\n2,z\n']
    for (const [n, body] of bodies.entries()) {
      await table.put(`2025-09-0${n + 1}`, 'a.csv', body)
      crawled.push((await world.succeed(table.on(`2025-09-0${n + 1}`))).crawled)
    }
    expect(crawled).toEqual([true, true, true, false, false])
    const changes = world.log.filter(
      line => line.includes('schema changed') && line.includes(table.table_name),
    )
    expect(
      changes
        .map(line => JSON.parse(line))
        .map(({ added, removed, retyped }) => ({ added, removed, retyped })),
    ).toEqual([
      { added: ['id bigint', 'v bigint'], removed: [], retyped: [] },
      { added: ['w string'], removed: [], retyped: [] },
      { added: [], removed: [], retyped: ['v: bigint → string'] },
    ])
    await table.put('2025-09-06', 'a.csv', 'id,v,u\n1,y,1\n')
    expect((await world.succeed({ ...table.on('2025-09-06'), catalog_update: 'never' })).crawled).toBe(false)
    expect((await json(previousSchemaKey(table))).hash).not.toBe((await json(latestSchemaKey(table))).hash)
    expect((await world.succeed({ ...table.on('2025-09-06'), catalog_update: 'force' })).crawled).toBe(true)
    expect((await json(previousSchemaKey(table))).hash).toBe((await json(latestSchemaKey(table))).hash)
  })

  it('gives older days the wider type before the catalog learns of it', async () => {
    const table = newTable()
    await table.put('2025-09-01', 'a.csv', 'id,v,n\n1,1.50,2\n2,2,3\n')
    await world.succeed(table.on('2025-09-01'))
    await table.put('2025-09-02', 'a.csv', 'id,v,n\n1,,2.5\n')
    expect(await world.succeed(table.on('2025-09-02'))).toMatchObject({
      partitions: ['ds=2025-09-02'],
      rewritten: ['ds=2025-09-01'],
      glueRunIds: [expect.any(String), expect.any(String)],
      stats: { rowCount: 1 },
    })
    const first = await world.manifest(table.on('2025-09-01'))
    expect([first?.columns, first?.recast]).toEqual([
      [
        { name: 'id', type: 'bigint' },
        { name: 'v', type: 'double' },
        { name: 'n', type: 'double' },
      ],
      [],
    ])
    await table.put('2025-09-03', 'a.csv', 'id,v,n\n1,x,1\n')
    const { rewritten } = await world.succeed(table.on('2025-09-03'))
    expect(rewritten).toEqual(['ds=2025-09-01', 'ds=2025-09-02'])
    // From the raw files: a double would no longer know the zero.
    expect(await world.rows(table.on('2025-09-01'))).toEqual([
      { id: '1', v: '1.50', n: 2 },
      { id: '2', v: '2', n: 3 },
    ])
    expect(await catalogColumns(table)).toContainEqual({ Name: 'v', Type: 'string' })
    expect(await world.succeed(table.on('2025-09-03'))).toMatchObject({ proceed: false, crawled: false })
  })

  it('rewrites a day from Parquet whose raw files have changed, and notes it', async () => {
    const table = newTable()
    await table.put('2025-09-01', 'a.csv', 'v\n1.50\n')
    await world.succeed(table.on('2025-09-01'))
    await table.put('2025-09-01', 'a.csv', 'v\n1.50\n7\n')
    await table.put('2025-09-02', 'a.csv', 'v\nx\n')
    await world.succeed(table.on('2025-09-02'))
    expect(await world.rows(table.on('2025-09-01'))).toEqual([{ v: '1.5' }])
    expect(await world.manifest(table.on('2025-09-01'))).toMatchObject({ recast: ['v'], rowCount: 1 })
  })

  it('rewrites the days that an execution could not, the next time', async () => {
    const table = newTable()
    await table.put('2025-09-01', 'a.csv', 'v\n1\n')
    await world.succeed(table.on('2025-09-01'))
    await table.put('2025-09-02', 'a.csv', 'v\nx\n')
    let jobs = 0
    world.running.intercept('glue:startJobRun', call => {
      jobs += 1
      return jobs === 1 ? call() : Promise.resolve({ Id: 'jr_broken', JobRunState: 'FAILED' })
    })
    const before = await json(previousSchemaKey(table))
    expect(await world.fail(table.on('2025-09-02'))).toMatchObject({
      partitions: ['ds=2025-09-02'],
      error: { code: 'GLUE_JOB_FAILED', partition: 'ds=2025-09-01' },
    })
    expect(await json(previousSchemaKey(table))).toEqual(before)
    world.running.intercept('glue:startJobRun')
    expect(await world.succeed(table.on('2025-09-02'))).toMatchObject({
      proceed: false,
      rewritten: ['ds=2025-09-01'],
      crawled: true,
    })
    expect(await world.rows(table.on('2025-09-01'))).toEqual([{ v: '1' }])
  })

  it('has one type for days that are filled in at the same time', async () => {
    const table = newTable()
    const bodies = ['v\n1\n', 'v\n2.50\n', 'v\n\n3\n', 'v\nx\n', 'v\n5\n']
    for (const [n, body] of bodies.entries()) await table.put(`2025-09-0${n + 1}`, 'a.csv', body)
    await world.succeed({ ...table, date_range: { start: '2025-09-01', end: '2025-09-05' } })
    const values: unknown[] = []
    for (const n of [1, 2, 3, 4, 5]) {
      const day = table.on(`2025-09-0${n}`)
      expect((await world.manifest(day))?.columns).toEqual([{ name: 'v', type: 'string' }])
      for (const { v } of await world.rows(day)) values.push(v)
    }
    expect(values).toEqual(['1', '2.50', '3', null, 'x', '5'])
  })

  it('fails with DQ_FAILED, and names the value, where a type must not widen', async () => {
    const table = newTable()
    await world.settle(table, { on_new_type: 'fail', types: { zip: 'VARCHAR' } })
    await table.put('2025-09-01', 'a.csv', 'v,ZIP\n1,00123\n')
    await world.succeed(table.on('2025-09-01'))
    await table.put('2025-09-02', 'a.csv', 'v,ZIP\n1,1\n2.5,2\n')
    const key = `shop/${table.table_name}/ds=2025-09-02/a.csv`
    expect((await world.fail(table.on('2025-09-02'))).error).toEqual({
      code: 'DQ_FAILED',
      message: `new_type: column v is bigint, and row 2 of ${key} has a fraction; correct the file, or set on_new_type or types for the table`,
      partition: 'ds=2025-09-02',
    })
    expect(await world.rows(table.on('2025-09-01'))).toEqual([{ v: '1', ZIP: '00123' }])
  })

  it('fails with CRAWLER_FAILED after three updates, with the partition in place, and makes up for it', async () => {
    const table = newTable()
    await table.put(ds, 'a.csv', csv)
    let updates = 0
    world.running.intercept('aws-sdk:glue:updateTable', async () => {
      updates += 1
      throw Object.assign(new Error('no'), { name: 'Glue.AccessDeniedException' })
    })
    expect(await world.fail(table.on(ds))).toMatchObject({
      partitions: [`ds=${ds}`],
      error: {
        code: 'CRAWLER_FAILED',
        message: 'the catalog could not be updated (Glue.AccessDeniedException)',
      },
    })
    expect(updates).toBe(3)
    world.running.intercept('aws-sdk:glue:updateTable')
    expect(await world.succeed(table.on(ds))).toMatchObject({ proceed: false, crawled: true })
  })

  it('fails with SCHEMA_CHECK_FAILED where the fingerprint is damaged', async () => {
    const table = newTable()
    await table.put(ds, 'a.csv', csv)
    await world.curated.put(previousSchemaKey(table), '{}')
    expect((await world.fail(table.on(ds))).error).toMatchObject({
      code: 'SCHEMA_CHECK_FAILED',
      partition: `ds=${ds}`,
    })
  })

  it('fails with TIMEOUT where the job does not end, and with UNEXPECTED_ERROR for all else', async () => {
    const table = newTable()
    await table.put(ds, 'a.csv', csv)
    let jobs = 0
    world.running.intercept('glue:startJobRun', async () => {
      jobs += 1
      return { Id: 'jr_late', JobRunState: 'TIMEOUT' }
    })
    expect((await world.fail(table.on(ds))).error).toEqual({
      code: 'TIMEOUT',
      message: 'the job run jr_late took too long',
      partition: `ds=${ds}`,
    })
    expect(jobs).toBe(2)
    world.running.intercept('glue:startJobRun')
    let checks = 0
    world.running.intercept('CheckSchema', async () => {
      checks += 1
      throw Object.assign(new Error('a secret'), { name: 'UnexpectedError' })
    })
    expect((await world.fail(table.on(ds))).error).toEqual({
      code: 'UNEXPECTED_ERROR',
      message: 'CheckSchema failed with UnexpectedError',
      partition: `ds=${ds}`,
    })
    expect(checks).toBe(2)
  })

  it('lets a reader read whole partitions while one is made anew', async () => {
    const table = newTable()
    await table.put(ds, 'a.csv', `id,v\n${'1,old\n'.repeat(500)}`)
    await world.succeed(table.on(ds))
    await table.put(ds, 'a.csv', `id,v\n${'1,new\n'.repeat(700)}`)
    const seen = new Set<string>()
    const read = async () => {
      const rows = await world.rows(table.on(ds))
      seen.add(`${rows.length} ${[...new Set(rows.map(row => row['v']))].join()}`)
    }
    await read()
    let isRunning = true
    const keepReading = async () => {
      while (isRunning) {
        await read()
        await wait(20)
      }
    }
    const reading = keepReading()
    await world.succeed({ ...table.on(ds), reprocess: true })
    isRunning = false
    await reading
    await read()
    expect([...seen].toSorted()).toEqual(['500 old', '700 new'])
  })

  it.each(['glue:startJobRun', 'PublishPartition'] as const)(
    'has the same rows and the same figures after %s was killed',
    async killed => {
      const { table_name } = newTable()
      await expectSameAfterKill(world, { table_name, killed, forGood: false })
    },
  )

  it('says nothing of any row, in logs, metrics, messages and payloads', async () => {
    const secret = 'ann.marked@example.jp'
    const table = newTable()
    await world.settle(table, {
      types: { v: 'BIGINT' },
      rules: [
        { rule: 'accepted_values', column: 'who', values: ['nobody'] },
        { rule: 'unique', column: 'who', severity: 'warning' },
      ],
    })
    const said: (string | null | undefined)[] = []
    const bodies: readonly [string, string][] = [
      ['a.csv', `who,v\n${secret},1\n${secret},2\n`],
      // DuckDB's own words would be: Could not convert string "…" to 'BIGINT'
      ['a.csv', `who,v\n1,${secret}\n`],
      ['a.jsonl', `{"who":"${secret}"\n`],
    ]
    for (const [n, [name, body]] of bodies.entries()) {
      await table.put(`2025-08-0${n + 1}`, name, body)
      const { output, cause, status } = await world.run(table.on(`2025-08-0${n + 1}`))
      expect(status).toBe('FAILED')
      said.push(output, cause)
    }
    for (const input of [
      { ds: secret },
      { ds, domain: secret },
      { ds, execution_id: secret },
      { ds, [secret]: 1 },
    ]) {
      const { output, cause } = await world.run(input)
      said.push(output, cause)
    }
    const all = [...said, ...world.log].join('\n')
    expect(all).not.toContain('marked')
    expect(all).not.toContain(secret)
  })

  it('has the correlation id in every line of its log', () => {
    const lines = world.log.filter(line => line.startsWith('{') && !line.includes('_aws'))
    expect(lines.length).toBeGreaterThan(100)
    const without = lines.filter(line => JSON.parse(line).correlationId === undefined)
    // Whoever starts an execution does not know it yet.
    expect(without.filter(line => !line.includes('"service":"start-transform"'))).toEqual([])
    expect(world.log.filter(line => line.includes('_aws')).join()).not.toContain(`${base.domain}:orders`)
  })
})
