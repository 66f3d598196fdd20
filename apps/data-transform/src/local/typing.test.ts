import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BIGINT,
  BIT,
  DECIMAL,
  HUGEINT,
  INTERVAL,
  LIST,
  STRUCT,
  TIME,
  TIMESTAMP_NS,
  UUID,
} from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import { createTypedTable, type DayFiles } from '../test/typed-table.ts'
import { openDuckDb } from './duckdb.ts'
import { assertStorable } from './spark-type.ts'

const csv = { fileType: 'csv' } as const

async function valuesOf(files: DayFiles, column: string, change: object = {}): Promise<unknown[]> {
  const day = await createTypedTable().add(files, change)
  return (await day.rows()).map(row => row[column])
}

describe('the values of a day', () => {
  const upper = '0F0E1D2C-3B4A-5968-7786-95A4B3C2D1E0'

  it.each<[string, DayFiles, object, string, string, unknown[]]>([
    [
      'JSON ids beyond 2^53 beside -1',
      { 'a.jsonl': '{"v":9007199254740993}\n{"v":-1}\n' },
      {},
      'v',
      'bigint',
      ['9007199254740993', '-1'],
    ],
    [
      'days of the month that come first, in JSON',
      { 'a.jsonl': '{"v":"09-07-2025"}\n{"v":"09-13-2025"}\n' },
      {},
      'v',
      'string',
      ['09-07-2025', '09-13-2025'],
    ],
    ['a CSV column with F only', { 'a.csv': 'v\nF\nF\n' }, csv, 'v', 'string', ['F', 'F']],
    ['an upper-case UUID in JSON', { 'a.jsonl': `{"v":"${upper}"}\n` }, {}, 'v', 'string', [upper]],
    ['10:30 in JSON', { 'a.jsonl': '{"v":"10:30"}\n' }, {}, 'v', 'string', ['10:30']],
    [
      'a zip whose type is given, in JSON',
      { 'a.jsonl': '{"v":"00123"}\n{"v":1.50}\n' },
      { types: { V: 'string' } },
      'v',
      'string',
      ['00123', '1.50'],
    ],
    [
      'a long number beside a fraction',
      { 'a.csv': 'v\n9007199254740993\n0.5\n' },
      csv,
      'v',
      'decimal(18,1)',
      ['9007199254740993.0', '0.5'],
    ],
    [
      'a long number beside a fraction, in JSON',
      { 'a.jsonl': '{"v":9007199254740993}\n{"v":0.5}\n' },
      {},
      'v',
      'decimal(18,1)',
      ['9007199254740993.0', '0.5'],
    ],
    [
      'mixed types inside an object',
      { 'a.jsonl': '{"v":{"a":"x"}}\n{"v":{"a":1.50}}\n' },
      {},
      'v',
      'struct<a:string>',
      ["{'a': x}", "{'a': 1.50}"],
    ],
    [
      'true in one CSV file and 1 in the next',
      { 'a.csv': 'v\ntrue\n', 'b.csv': 'v\n1\n' },
      csv,
      'v',
      'string',
      ['true', '1'],
    ],
    ['a quoted empty text in CSV', { 'a.csv': 'v,w\n"",1\n,2\n' }, csv, 'v', 'string', ['', null]],
    [
      'fractions of 17 digits in JSON',
      { 'a.jsonl': '{"v":0.30000000000000001}\n' },
      {},
      'v',
      'decimal(18,17)',
      ['0.30000000000000001'],
    ],
    [
      'numbers of JSON in a column of texts, digit by digit',
      { 'a.jsonl': '{"v":1.50}\n{"v":"x"}\n{"v":1E5}\n{"v":-0}\n' },
      {},
      'v',
      'string',
      ['1.50', 'x', '1E5', '-0'],
    ],
    [
      'digits of JSON that are a text',
      { 'a.jsonl': '{"v":"123"}\n{"v":"2025"}\n' },
      {},
      'v',
      'string',
      ['123', '2025'],
    ],
    [
      'a text with quotes, escapes and numbers in it',
      { 'a.jsonl': '{"v":"say \\"1.50\\", \\\\ \\u00e9: -2.0"}\n' },
      {},
      'v',
      'string',
      ['say "1.50", \\ é: -2.0'],
    ],
    [
      'whole numbers of 20 and of 38 digits',
      { 'a.csv': `v\n18446744073709551615\n-${'9'.repeat(38)}\n` },
      csv,
      'v',
      'decimal(38,0)',
      ['18446744073709551615', `-${'9'.repeat(38)}`],
    ],
    [
      'numbers of 39 digits',
      { 'a.csv': `v\n${'9'.repeat(39)}\n1\n` },
      csv,
      'v',
      'string',
      ['9'.repeat(39), '1'],
    ],
    ['a point without digits', { 'a.csv': 'v\n1.\n2.\n' }, csv, 'v', 'string', ['1.', '2.']],
    ['a point without a whole part', { 'a.csv': 'v\n.5\n' }, csv, 'v', 'string', ['.5']],
    ['times of 24:00', { 'a.csv': 'v\n2025-09-07 24:00:00\n' }, csv, 'v', 'string', ['2025-09-07 24:00:00']],
    [
      'times of nanoseconds',
      { 'a.csv': 'v\n2025-09-07T10:00:00.123456789\n' },
      csv,
      'v',
      'string',
      ['2025-09-07T10:00:00.123456789'],
    ],
    ['the year 0000', { 'a.csv': 'v\n0000-01-01\n' }, csv, 'v', 'string', ['0000-01-01']],
    ['30 February', { 'a.csv': 'v\n2025-02-30\n' }, csv, 'v', 'string', ['2025-02-30']],
    [
      'lists with several types',
      { 'a.jsonl': '{"v":[1,"x",null,2.50]}\n{"v":[]}\n{"v":null}\n' },
      {},
      'v',
      'array<string>',
      ['[1, x, NULL, 2.50]', '[]', null],
    ],
    [
      'times in lists, with their zone',
      { 'a.jsonl': '{"v":["2025-09-07T10:00:00+09:00"]}\n' },
      {},
      'v',
      'array<timestamp>',
      ["['2025-09-07 01:00:00+00']"],
    ],
    [
      'objects beside a number',
      { 'a.jsonl': '{"v":{"a":1.50,"b":"1.50"}}\n{"v":7}\n' },
      {},
      'v',
      'string',
      ['{"a":1.50,"b":"1.50"}', '7'],
    ],
    [
      'tiny numbers',
      { 'a.csv': `v\n0.${'0'.repeat(250)}1\n` },
      csv,
      'v',
      'string',
      [`0.${'0'.repeat(250)}1`],
    ],
    ['large exponents', { 'a.jsonl': '{"v":1e400}\n{"v":2}\n' }, {}, 'v', 'string', ['1e400', '2']],
  ])('keeps %s', async (_, files, change, column, type, expected) => {
    const table = createTypedTable(change)
    const day = await table.add(files)
    expect(day.result.columns).toContainEqual({ name: column, type })
    expect((await day.rows()).map(row => row[column])).toEqual(expected)
    // With what is known by now, the same files give the same.
    const again = await table.add(files)
    expect(again.result.columns).toEqual(day.result.columns)
    expect((await again.rows()).map(row => row[column])).toEqual(expected)
  })

  it('learns nothing from values that are covered by what is known', async () => {
    const rows = [
      {
        id: 1,
        price: 221.21,
        at: '2025-09-07 10:00:00.5',
        on: '2025-09-07',
        gift: true,
        note: 'x',
        big: 12345678901234,
      },
      { id: 22, price: 0.5, at: null, on: '2025-09-08', gift: false, note: 'true', big: 1 },
    ]
    const lines = rows.map(row => `${JSON.stringify({ ...row, nested: { a: [row.price], b: row.note } })}\n`)
    const json = createTypedTable()
    await json.add({ 'a.jsonl': lines.join('') })
    expect((await json.add({ 'a.jsonl': lines.toReversed().join('') })).result.learned).toEqual([])
    const table = createTypedTable(csv)
    const text = `${Object.keys(rows[0] ?? {}).join(',')}\n${rows.map(row => Object.values(row).join(',')).join('\n')}\n`
    await table.add({ 'a.csv': text })
    expect((await table.add({ 'a.csv': text })).result.learned).toEqual([])
    expect((await table.add({ 'a.csv': text.replace('221.21', '221.215') })).result.learned).not.toEqual([])
  })

  it('keeps an object with 200 fields of one type as a row', async () => {
    const fields = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`f${n}`, n]))
    const day = await createTypedTable().add({ 'a.jsonl': `${JSON.stringify(fields)}\n` })
    expect(day.result.columns).toHaveLength(200)
    expect((await day.rows())[0]).toMatchObject({ f0: '0', f199: '199' })
    const nested = await createTypedTable().add({ 'a.jsonl': `${JSON.stringify({ v: fields })}\n` })
    expect(nested.result.columns[0]?.type).toMatch(/^struct<f0:bigint,.*f199:bigint>$/)
  })

  it('takes keys and columns of another case for the same', async () => {
    const table = createTypedTable()
    await table.add({ 'a.jsonl': '{"Id":1,"v":{"Name":"x"}}\n' })
    const day = await table.add({ 'a.jsonl': '{"ID":2,"V":{"name":"y"}}\n' })
    expect(table.types()).toEqual({ Id: 'bigint', v: 'struct<Name:string>' })
    expect(await day.rows()).toEqual([{ Id: '2', v: "{'Name': y}" }])
    expect(await valuesOf({ 'a.csv': 'id\n1\n', 'b.csv': 'ID\n2\n' }, 'id', csv)).toEqual(['1', '2'])
  })

  it.each([
    ['twice', '{"a":1,"a":2}\n'],
    ['in two cases', '{"a":1,"A":2}\n'],
    ['twice in an object', '{"v":{"a":1,"a":2}}\n'],
  ])('fails for a JSON key that comes %s, instead of dropping a value', async (_, body) => {
    const table = createTypedTable()
    await expect(table.add({ 'a.jsonl': body })).rejects.toMatchObject({
      name: 'JobFailure',
      message: 'an object of a JSON file has a key twice, or two that differ in case only',
    })
    await table.add({ 'a.jsonl': '{"a":1,"v":{"a":2}}\n' })
    await expect(table.add({ 'a.jsonl': body })).rejects.toMatchObject({ name: 'JobFailure' })
  })
})

describe('Parquet', () => {
  const makeParquet = async (select: string): Promise<Uint8Array> => {
    const directory = await mkdtemp(join(tmpdir(), 'typing-'))
    try {
      using duckDb = await openDuckDb({ threads: 1, memoryLimitMb: 100, temporaryDirectory: directory })
      const path = join(directory, 'x.parquet')
      await duckDb.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`)
      return await readFile(path)
    } finally {
      await rm(directory, { recursive: true })
    }
  }

  it('with types that Spark or Athena cannot read gets types that hold the same values', async () => {
    const file = await makeParquet(
      `SELECT 255::UTINYINT AS a, 18446744073709551615::UBIGINT AS b, '0f0e1d2c-3b4a-5968-7786-95a4b3c2d1e0'::UUID AS c,
       TIME '10:30:00' AS d, '2025-09-07 10:00:00.123456789'::TIMESTAMP_NS AS e, [1::UINTEGER] AS f`,
    )
    const table = createTypedTable({ fileType: 'parquet' })
    const day = await table.add({ 'a.parquet': file })
    expect(table.types()).toEqual({
      a: 'smallint',
      b: 'decimal(20,0)',
      c: 'string',
      d: 'string',
      e: 'string',
      f: 'array<bigint>',
    })
    expect(await day.rows()).toEqual([
      {
        a: '255',
        b: '18446744073709551615',
        c: '0f0e1d2c-3b4a-5968-7786-95a4b3c2d1e0',
        d: '10:30:00',
        e: '2025-09-07 10:00:00.123456789',
        f: '[1]',
      },
    ])
  })

  it('of several types in one day becomes one table', async () => {
    const day = await createTypedTable({ fileType: 'parquet' }).add({
      'a.parquet': await makeParquet('SELECT 9007199254740993::BIGINT AS v'),
      'b.parquet': await makeParquet('SELECT 0.5::DECIMAL(3,1) AS V, true AS w'),
    })
    expect(day.result.columns).toEqual([
      { name: 'v', type: 'decimal(38,1)' },
      { name: 'w', type: 'boolean' },
    ])
    expect(await day.rows()).toEqual([
      { v: '9007199254740993.0', w: null },
      { v: '0.5', w: 'true' },
    ])
  })

  it('never takes a type back, nor one that must not widen', async () => {
    const table = createTypedTable({ fileType: 'parquet', onNewType: 'fail' })
    await table.add({ 'a.parquet': await makeParquet('SELECT 1::BIGINT AS v') })
    const { result } = await table.add({ 'b.parquet': await makeParquet("SELECT 'x' AS v") })
    expect(result.misfit).toEqual({
      file: '1/b.parquet',
      row: 1,
      column: 'v',
      kind: 'string',
      type: 'bigint',
    })
  })

  it('never gets a type that its writer would change', () => {
    expect(() => assertStorable(['a'], [HUGEINT])).toThrow('cannot be stored')
    for (const type of [UUID, TIME, INTERVAL, TIMESTAMP_NS, BIT, LIST(HUGEINT), STRUCT({ a: TIME })]) {
      expect(() => assertStorable(['a'], [type])).toThrow()
    }
    assertStorable(['a', 'b'], [BIGINT, STRUCT({ a: LIST(DECIMAL(38, 3)) })])
  })
})

describe('the types of a table', () => {
  const days = async (bodies: readonly string[], change: object = csv) => {
    const table = createTypedTable(change)
    const types: unknown[] = []
    for (const body of bodies) {
      await table.add({ 'a.csv': `id,v\n${body}` })
      types.push(table.types()['v'])
    }
    return { table, types }
  }

  it.each<[string[], string[]]>([
    [
      ['1,2\n', '1,2.5\n', '1,3\n'],
      ['bigint', 'double', 'double'],
    ],
    [
      ['1,F\n', '1,M\n', '1,F\n'],
      ['string', 'string', 'string'],
    ],
    [
      ['1,2\n', '1,\n', '1,3\n'],
      ['bigint', 'bigint', 'bigint'],
    ],
    [
      ['1,2\n', '1,x\n', '1,2\n'],
      ['bigint', 'string', 'string'],
    ],
    [
      ['1,0.5\n', '1,9007199254740993\n', '1,2\n'],
      ['double', 'decimal(18,1)', 'decimal(18,1)'],
    ],
  ])('only widen: %j', async (bodies, expected) => {
    expect((await days(bodies)).types).toEqual(expected)
  })

  it('are the same whatever the order of the days', async () => {
    const bodies = ['1,2\n', '1,2.50\n', '1,\n', '1,123456789012345678\n']
    const one = await days(bodies)
    const other = await days(bodies.toReversed())
    expect(other.table.types()).toEqual(one.table.types())
  })

  it('are given to older days from the raw files, or from Parquet as far as it knows', async () => {
    const { table } = await days(['1,1.50\n2,2\n', '3,x\n'])
    const fromRaw = await table.align('raw')
    expect(await fromRaw[0]?.rows()).toEqual([
      { id: '1', v: '1.50' },
      { id: '2', v: '2' },
    ])
    const fromParquet = await table.align('parquet')
    expect(await fromParquet[0]?.rows()).toEqual([
      { id: '1', v: '1.5' },
      { id: '2', v: '2' },
    ])
    expect(fromParquet[0]?.result.columns).toEqual(fromRaw[0]?.result.columns)
  })

  it('are given to older days from Parquet, digit by digit', async () => {
    const { table } = await days(['1,0.00000093\n2,6316786.36124323\n', '3,0.12345678901234567890123\n'])
    const [first] = await table.align('parquet')
    expect(first?.result.columns[1]?.type).toBe('decimal(38,23)')
    expect((await first?.rows())?.map(row => Number(row['v']))).toEqual([0.00000093, 6316786.36124323])
    expect((await first?.rows())?.[0]?.['v']).toBe('0.00000093000000000000000')
  })

  it('are given to the fields and items of older days', async () => {
    const table = createTypedTable()
    await table.add({ 'a.jsonl': '{"v":{"a":0.1,"b":[1]}}\n{"v":null}\n' })
    await table.add({ 'a.jsonl': '{"v":{"a":0.12345678901234567,"b":[1.5],"c":true}}\n' })
    const type = 'struct<a:decimal(18,17),b:array<double>,c:boolean>'
    for (const from of ['raw', 'parquet'] as const) {
      const [first] = await table.align(from)
      expect(await first?.rows()).toEqual([
        { v: "{'a': 0.10000000000000000, 'b': [1.0], 'c': NULL}" },
        { v: null },
      ])
      expect(first?.result.columns).toEqual([{ name: 'v', type }])
    }
  })

  it('stay, and the value is named, where a table must not widen', async () => {
    const table = createTypedTable({ ...csv, onNewType: 'fail' })
    await table.add({ 'a.csv': 'id,v\n1,2\n' })
    const { result } = await table.add({ 'a.csv': 'id,v\n1,200\n', 'b.csv': 'id,v\n1,3\n2,4.5\n3,x\n' })
    expect(result).toMatchObject({
      files: [],
      misfit: { file: '1/b.csv', row: 2, column: 'v', kind: 'fraction', type: 'bigint' },
    })
    const wider = await table.add({ 'a.csv': 'id,v\n1,20000\n' })
    expect(wider.result.misfit).toBeUndefined()
  })

  it.each<[string, string, string | undefined]>([
    ['bigint', '1.5', 'fraction'],
    ['bigint', '9223372036854775808', 'longInteger'],
    ['decimal(5,2)', '1.234', 'fraction'],
    ['decimal(5,2)', '999.99', undefined],
    ['decimal(5,2)', '1000', 'integer'],
    ['boolean', 'F', 'text'],
    ['date', '2025-09-07 10:00:00', 'localTime'],
    ['timestamp', '2025-09-07', undefined],
    ['double', '123456789012345678.5', undefined],
  ])('that are given: %s and the value %s', async (type, value, kind) => {
    for (const [files, change] of [
      [{ 'a.csv': `id,v\n1,\n2,${value}\n` }, csv],
      [{ 'a.jsonl': `{"id":1}\n{"id":2,"v":"${value}"}\n` }, {}],
    ] as const) {
      const { result } = await createTypedTable({ ...change, types: { v: type } }).add(files)
      expect(result.misfit).toEqual(
        kind && { file: expect.stringMatching(/^0\/a/), row: 2, column: 'v', kind, type },
      )
      if (!kind) expect(result.columns).toContainEqual({ name: 'v', type })
    }
  })
})
