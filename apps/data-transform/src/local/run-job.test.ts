import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readBytes } from '@stepwright/object-store'
import { createMemoryObjectStore } from '@stepwright/object-store/memory'
import { describe, expect, it } from 'vitest'
import type { JobSpec } from '../job.ts'
import { metricOf } from '../quality-rules.ts'
import type { QualityRule } from '../table-settings.ts'
import { plainSpec } from '../test/typed-table.ts'
import { openDuckDb, quoteText } from './duckdb.ts'
import { runJob } from './run-job.ts'

type Files = Readonly<Record<string, string | Uint8Array>>
const limits = { threads: 2, memoryLimitMb: 256 }

async function run(files: Files, change: Partial<JobSpec> = {}) {
  const raw = createMemoryObjectStore()
  const curated = createMemoryObjectStore()
  for (const [key, body] of Object.entries(files)) await raw.put(key, body)
  const sources: JobSpec['sources'] = []
  for await (const { key, size, etag } of raw.list()) sources.push({ key, size, etag })
  const spec: JobSpec = { ...plainSpec, sources, ...change }
  const job = { spec, runPrefix: 'runs/', jobRunId: 'jr_1' }
  const signal = new AbortController().signal
  const result = await runJob(job, { raw, curated, ...limits }, signal)
  const columns = Object.fromEntries(result.columns.map(({ name, type }) => [name, type]))
  const rows = async () => readParquet(await readBytes(await curated.get(String(result.files[0]?.key))))
  return { ...result, columns, rows }
}

async function readParquet(bytes: Uint8Array): Promise<readonly unknown[]> {
  const directory = await mkdtemp(join(tmpdir(), 'run-job-'))
  try {
    const path = join(directory, 'x.parquet')
    await writeFile(path, bytes)
    using duckDb = await openDuckDb({ ...limits, temporaryDirectory: directory })
    return (await duckDb.runAndReadAll(`FROM read_parquet(${quoteText(path)})`)).getRowObjectsJson()
  } finally {
    await rm(directory, { recursive: true })
  }
}

const csv = { fileType: 'csv' } as const

describe('runJob', () => {
  it('keeps 2^53 + 1 exactly, of JSON and of CSV', async () => {
    const json = await run({ 'a.jsonl': '{"id":9007199254740993}\n{"id":1}\n' })
    expect([json.columns, await json.rows()]).toEqual([
      { id: 'bigint' },
      [{ id: '9007199254740993' }, { id: '1' }],
    ])
    const table = await run({ 'a.csv': 'id\n9007199254740993\n' }, csv)
    expect(await table.rows()).toEqual([{ id: '9007199254740993' }])
  })

  it('makes text of a JSON field that holds several types', async () => {
    const { columns, rows } = await run({ 'a.jsonl': '{"v":1}\n{"v":"one"}\n{"v":null}\n{"v":{"a":true}}\n' })
    expect(columns).toEqual({ v: 'string' })
    expect(await rows()).toEqual([{ v: '1' }, { v: 'one' }, { v: null }, { v: '{"a":true}' }])
  })

  it('has a column that first appears in the last of many rows', async () => {
    const lines = Array.from({ length: 30_000 }, (_, id) => `{"id":${id}}\n`).join('')
    const { columns, rowCount, figures } = await run(
      { 'a.jsonl': `${lines}{"id":30000,"late":"yes"}\n` },
      { metrics: [{ column: 'late', sql: 'count("late")' }] },
    )
    expect([columns, rowCount, figures]).toEqual([{ id: 'bigint', late: 'string' }, 30_001, [1]])
  })

  it('reads a CSV again whose types a sample of its rows does not tell', async () => {
    const lines = Array.from({ length: 30_000 }, (_, id) => `${id},${id}\n`).join('')
    const { columns, rowCount } = await run({ 'a.csv': `id,code\n${lines}30000,A-7\n` }, csv)
    expect([columns, rowCount]).toEqual([{ id: 'bigint', code: 'string' }, 30_001])
  })

  const rows = (value: (row: number) => string) =>
    Array.from({ length: 30_000 }, (_, id) => `${id},${value(id)}\n`).join('')
  const naive = '2025-09-06 10:00:00'

  it.each<[string, string, string, unknown]>([
    ['1', '1.5', 'double', 1.5],
    ['1', '00123', 'string', '00123'],
    ['1', '+7', 'string', '+7'],
    ['1', '1_000', 'string', '1_000'],
    ['1.5', '007', 'string', '007'],
    [naive, '2025-09-07T10:00:00+09:00', 'string', '2025-09-07T10:00:00+09:00'],
    [naive, 'soon', 'string', 'soon'],
    ['2025-09-06', '2025-09-07T10:00:00+09:00', 'string', '2025-09-07T10:00:00+09:00'],
    ['2025-09-06T10:00:00Z', 'soon', 'string', 'soon'],
    ['09-07-2025 10:00:00', '09-07-2025 10:00:00', 'string', '09-07-2025 10:00:00'],
    ['25-09-07', '25-09-07', 'string', '25-09-07'],
    ['2025-09-06', '25-09-07', 'string', '25-09-07'],
    ['2025-9-6', '2025-09-07', 'string', '2025-09-07'],
    ['2025/09/06 9:30', '2025/9/7 10:00', 'string', '2025/9/7 10:00'],
  ])('loses nothing of a CSV column of %s in which %s comes late', async (early, late, type, kept) => {
    const table = await run({ 'a.csv': `id,v\n${rows(() => early)}-1,${late}\n` }, csv)
    expect([table.columns, table.rowCount]).toEqual([{ id: 'bigint', v: type }, 30_001])
    expect((await table.rows()).at(-1)).toEqual({ id: '-1', v: kept })
  })

  it('has times with rows that have none', async () => {
    const late = `id,at,v\n${rows(id => (id % 2 === 0 ? `${naive},1` : ',1'))}-1,,x\n`
    expect((await run({ 'a.csv': late }, csv)).columns).toEqual({
      id: 'bigint',
      at: 'timestamp_ntz',
      v: 'string',
    })
    const zones = '{"at":"2025-09-07 10:00:00+09:00","b":null}\n{"at":null}\n'
    expect((await run({ 'a.jsonl': zones })).columns).toEqual({ at: 'timestamp' })
  })

  it('has the types of a CSV whose rows are all alike', async () => {
    const table = await run({ 'a.csv': `id,v,d,t,"x",x\n1,-0.5,2025-09-07,${naive},,7\n` }, csv)
    expect(table.columns).toEqual({
      id: 'bigint',
      v: 'double',
      d: 'date',
      t: 'timestamp_ntz',
      x_1: 'bigint',
    })
    expect(await table.rows()).toEqual([{ id: '1', v: -0.5, d: '2025-09-07', t: naive, x_1: '7' }])
  })

  it('reads lines, arrays, indented objects, byte order marks and gzip beside each other', async () => {
    const { columns, rows } = await run({
      'a.jsonl': '\uFEFF{"id":1,"v":"a"}\n',
      'b.json': '\uFEFF[\n  {"id": 2,\n "v": "x\\ny"}, {"id":3,"late":true}\n]',
      'c.json': '{\n  "id": 4\n}\n',
      'd.gz': gzipSync('\uFEFF{"id":5,"v":6}\n'),
      'e.json.gz': gzipSync(''),
      'f.jsonl': '\n \n',
    })
    expect(columns).toEqual({ id: 'bigint', v: 'string', late: 'boolean' })
    const sorted = (await rows()).toSorted((a, b) => Number(Object(a).id) - Number(Object(b).id))
    expect(sorted).toEqual([
      { id: '1', v: 'a', late: null },
      { id: '2', v: 'x\ny', late: null },
      { id: '3', v: null, late: true },
      { id: '4', v: null, late: null },
      { id: '5', v: '6', late: null },
    ])
  })

  it('reads CSV with marks, gzip, line breaks in quotes and other headers beside each other', async () => {
    const { columns, rows } = await run(
      {
        'a.csv': '\uFEFFid,name\r\n1,"Ann ""A"", the\nfirst"\r\n',
        'b.csv.gz': gzipSync('name,id,zip\nBob,2,00123\n'),
        'c.csv': 'id,name\n',
        'd.csv': '\uFEFF',
      },
      csv,
    )
    expect(columns).toEqual({ id: 'bigint', name: 'string', zip: 'string' })
    expect(await rows()).toEqual([
      { id: '1', name: 'Ann "A", the\nfirst', zip: null },
      { id: '2', name: 'Bob', zip: '00123' },
    ])
  })

  it('makes moments of times with zones', async () => {
    const json = await run({
      'a.jsonl':
        '{"at":"2025-09-07T10:00:00+09:00","day":"2025-09-07"}\n{"at":"2025-09-07T10:00:00Z","day":null}\n',
    })
    expect(json.columns).toEqual({ at: 'timestamp', day: 'date' })
    expect(await json.rows()).toMatchObject([
      { at: '2025-09-07 01:00:00+00' },
      { at: '2025-09-07 10:00:00+00' },
    ])
    const table = await run({ 'a.csv': 'at\n2025-09-07T10:00:00+09:00\n2025-09-07 10:00:00Z\n' }, csv)
    expect(await table.rows()).toEqual([{ at: '2025-09-07 01:00:00+00' }, { at: '2025-09-07 10:00:00+00' }])
    const text = await run({ 'a.jsonl': '{"at":"2025-09-07T10:00:00+09:00"}\n{"at":"soon"}\n' })
    expect(text.columns).toEqual({ at: 'string' })
  })

  it('keeps nested objects and lists', async () => {
    const { columns, rows } = await run({
      'a.jsonl': '{"who":{"name":"Ann","tags":["a","b"]}}\n{"who":{"name":"Bob","age":7}}\n',
    })
    expect(columns).toEqual({ who: 'struct<name:string,tags:array<string>,age:bigint>' })
    expect(await rows()).toEqual([
      { who: { name: 'Ann', tags: ['a', 'b'], age: null } },
      { who: { name: 'Bob', tags: null, age: '7' } },
    ])
  })

  it('counts equal rows once where it is told to', async () => {
    const file = { 'a.csv': 'id,v\n1,a\n1,a\n1,b\n' }
    expect((await run(file, csv)).rowCount).toBe(3)
    expect((await run(file, { ...csv, deduplicate: true })).rowCount).toBe(2)
  })

  it('takes types that are given instead of guessing', async () => {
    const types = { id: 'string', price: 'decimal(18,4)' }
    const expected = { id: 'string', price: 'decimal(18,4)' }
    expect((await run({ 'a.csv': 'id,price\n1,2.5\n' }, { ...csv, types })).columns).toEqual(expected)
    expect((await run({ 'a.jsonl': '{"id":1,"price":2.5}\n' }, { types })).columns).toEqual(expected)
  })

  it('keeps the zone of a time whose type is given', async () => {
    const types = { at: 'timestamp' }
    const at = '2025-09-07T10:00:00+09:00'
    const table = await run({ 'a.csv': `at\n${at}\n` }, { ...csv, types })
    const json = await run({ 'a.jsonl': `{"at":"${at}"}\n` }, { types })
    for (const { rows } of [table, json]) expect(await rows()).toEqual([{ at: '2025-09-07 01:00:00+00' }])
  })

  it('passes over a given type whose column no file has', async () => {
    const types = { zip: 'string' }
    expect((await run({ 'a.csv': 'id\n1\n' }, { ...csv, types })).columns).toEqual({ id: 'bigint' })
  })

  it('reads columns that are called as objects call their own', async () => {
    const { columns } = await run({ 'a.jsonl': '{"constructor":"x","valueOf":1}\n' })
    expect(columns).toEqual({ constructor: 'string', valueOf: 'bigint' })
    const table = await run({ 'a.csv': 'constructor,toString\nx,1\n' }, csv)
    expect(table.columns).toEqual({ constructor: 'string', toString: 'bigint' })
  })

  it('reads what it wrote, as Parquet', async () => {
    const raw = createMemoryObjectStore()
    const curated = createMemoryObjectStore()
    await raw.put('a.jsonl', '{"id":1,"n":{"a":[1,2]}}\n')
    const { etag, size } = await raw.head('a.jsonl')
    const spec: JobSpec = { ...plainSpec, sources: [{ key: 'a.jsonl', etag, size }] }
    const { signal } = new AbortController()
    const first = await runJob({ spec, runPrefix: '', jobRunId: '1' }, { raw, curated, ...limits }, signal)
    const sources = await Promise.all(
      first.files.map(async ({ key }) => ({ key, ...(await curated.head(key)) })),
    )
    const again: JobSpec = { ...spec, fileType: 'parquet', sources }
    const second = await runJob(
      { spec: again, runPrefix: '', jobRunId: '2' },
      { raw: curated, curated, ...limits },
      signal,
    )
    expect(second).toMatchObject({ rowCount: 1, columns: first.columns })
  })

  it.each<[string, Files, Partial<JobSpec>, string]>([
    ['a longer line', { 'a.csv': 'id,v\n1,2\n3,secret,5\n' }, csv, 'fields'],
    [
      'a shorter line far down',
      { 'a.csv': `id,v\n${'1,2\n'.repeat(30_000)}7\n` },
      csv,
      'line 30002 of a CSV file must have 2 fields, as its header does, and has 1',
    ],
    ['no JSON', { 'a.jsonl': '{"id":1}\n{"id": secret}\n' }, {}, 'a JSON file must be JSON'],
    ['JSON without objects', { 'a.jsonl': '"secret"\n1\n' }, {}, 'a JSON file must hold objects'],
    ['damaged gzip', { 'a.csv': gzipSync('id\nsecret\n').subarray(0, 24) }, csv, 'damaged'],
    ['no Parquet', { 'a.parquet': 'secret' }, { fileType: 'parquet' }, 'could not be read'],
    ['nothing', { 'a.csv': '\n\n' }, csv, 'hold nothing'],
  ])('fails for %s, and quotes nothing', async (_, files, change, message) => {
    const failure = await run(files, change).catch((error: Error) => error)
    expect(failure).toMatchObject({ name: 'JobFailure', message: expect.stringContaining(message) })
    expect((failure as Error).message).not.toMatch(/secret|tmp/)
  })

  it('fails for a file that was replaced since', async () => {
    const sources = [{ key: 'a.csv', etag: '"other"', size: 1 }]
    const failure = run({ 'a.csv': 'id\n1\n' }, { ...csv, sources })
    await expect(failure).rejects.toMatchObject({ name: 'JobFailure', message: /replaced/ })
  })

  it('computes the figures of rules, whatever their columns and values are called', async () => {
    const rules: QualityRule[] = [
      { rule: 'null_ratio', column: 'price', max: 0, severity: 'critical' },
      { rule: 'unique', column: 'order "id"', max: 0, severity: 'critical' },
      { rule: 'range', column: 'price', minimum: 0, maximum: 10, max: 0, severity: 'critical' },
      { rule: 'range', column: 'who', maximum: 10, max: 0, severity: 'critical' },
      {
        rule: 'accepted_values',
        column: 'who',
        values: ["O'Brien", 'back\\slash', 7.0],
        max: 0,
        severity: 'critical',
      },
      { rule: 'null_ratio', column: 'nowhere', max: 0, severity: 'critical' },
    ]
    const { figures } = await run(
      {
        'a.csv': `"order ""id""",price,who\n1,,O'Brien\n1,-1,back\\slash\n2,11,7\n3,5,Ann\n`,
      },
      { ...csv, metrics: rules.flatMap(rule => metricOf(rule) ?? []) },
    )
    expect(figures).toEqual([0.25, 1, 2, 3, 1, null])
  })

  it('compares numbers by their value, and takes NaN for no number', async () => {
    const severity = 'critical'
    const rules: QualityRule[] = [
      { rule: 'accepted_values', column: 'price', values: [7, 2.5], max: 0, severity },
      { rule: 'accepted_values', column: 'code', values: [7, 'x', true], max: 0, severity },
      { rule: 'range', column: 'code', minimum: 0, max: 0, severity },
      { rule: 'null_ratio', column: 'price', max: 0, severity },
    ]
    const { figures } = await run(
      { 'a.csv': 'price,code\n7.00,7.0\n2.50,x\n3.5,NaN\n,true\n,\n,\n' },
      { ...csv, metrics: rules.flatMap(rule => metricOf(rule) ?? []) },
    )
    expect(figures).toEqual([1, 1, 3, 0.5])
  })
})
