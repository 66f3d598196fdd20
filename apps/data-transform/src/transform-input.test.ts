import { PRE_VALIDATION_FAILED } from '@stepwright/errors'
import { daysBetween, isDay } from '@stepwright/partitions'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { correlationIdOf } from './correlation.ts'
import { parseTransformInput } from './transform-input.ts'

const base = { environment: 'dev', domain: 'daily-prices-data', table_name: 'orders' }
const day = { ...base, ds: '2025-09-07' }
const limits = { maxDays: 31, rawBucket: 'raw' }
const folder = 'daily-prices-data/orders'
const source_key = `${folder}/ingestion_date=2025-09-07/file.json`

function parse(input: unknown) {
  return parseTransformInput(input, limits)
}

describe('parseTransformInput', () => {
  it('takes a day, with the defaults of the contract', () => {
    expect(parse(day)).toEqual({
      ...base,
      reprocess: false,
      catalog_update: 'on_schema_change',
      days: ['2025-09-07'],
    })
  })

  it('takes a range of days, over the end of a month and a leap day', () => {
    const range = { ...base, date_range: { start: '2024-02-27', end: '2024-03-01' } }
    expect(parse(range).days).toEqual(['2024-02-27', '2024-02-28', '2024-02-29', '2024-03-01'])
    expect(parse({ ...base, date_range: { start: '2025-09-01', end: '2025-10-01' } }).days).toHaveLength(31)
  })

  it.each([
    [source_key, '2025-09-07', `${folder}/ingestion_date=2025-09-07/`],
    [`${folder}/ds=2025-09-07/a.csv`, '2025-09-07', `${folder}/ds=2025-09-07/`],
    [`${folder}/a/ds=2024-02-29/hour=03/b/_SUCCESS`, '2024-02-29', `${folder}/a/ds=2024-02-29/`],
  ])('derives the day and the raw files of %s', (key, ds, raw_prefix) => {
    expect(parse({ ...base, source_bucket: 'raw', source_key: key })).toMatchObject({
      days: [ds],
      raw_prefix,
    })
  })

  it('takes table for table_name', () => {
    const { table_name: table, ...rest } = day
    expect(parse({ ...rest, table })).toEqual(parse(day))
    expect(parse({ ...day, table })).toEqual(parse(day))
  })

  it.each<[object | string | null, string]>([
    [null, 'the input must be an object'],
    ['text', 'the input must be an object'],
    [{ ...day, environment: undefined }, 'environment must be given'],
    [{ ...day, environment: 'test' }, 'environment must be one of dev, stg and prod'],
    [{ ...day, domain: undefined }, 'domain must be given'],
    [{ ...day, domain: '../x' }, 'domain must be 1 to 63 lower-case letters, digits, "_" or "-"'],
    [{ ...day, table_name: undefined }, 'table_name must be given'],
    [{ ...day, table_name: 7 }, 'table_name must be a text'],
    [{ ...day, table: 'other' }, 'table must be the same as table_name, or be left out'],
    [base, 'ds must be given, or date_range, or source_key'],
    [{ ...base, ds: '2025-9-7' }, 'ds must be a day as YYYY-MM-DD'],
    [{ ...base, ds: '2025-02-29' }, 'ds must be a day of the calendar, as YYYY-MM-DD'],
    [
      { ...day, date_range: { start: '2025-09-07', end: '2025-09-07' } },
      'date_range must be left out where ds is given',
    ],
    [{ ...base, date_range: { start: '2025-09-07' } }, 'date_range.end must be given'],
    [
      { ...base, date_range: { start: '2025-09-08', end: '2025-09-07' } },
      'date_range.end must not be before date_range.start',
    ],
    [
      { ...base, date_range: { start: '2025-09-01', end: '2025-10-02' } },
      'date_range must have at most 31 days, and has 32',
    ],
    [
      { ...base, date_range: { start: '0001-01-01', end: '9999-12-31' } },
      'date_range must have at most 31 days, and has 3652059',
    ],
    [{ ...day, reprocess: 'yes' }, 'reprocess must be true or false'],
    [{ ...day, execution_id: 'a b' }, 'execution_id must be 1 to 128 letters, digits, "_", ".", ":" or "-"'],
    [{ ...day, catalog_update: 'always' }, 'catalog_update must be one of on_schema_change, never and force'],
    [{ ...day, file_type: 'xml' }, 'file_type must be one of json, csv and parquet'],
    [{ ...day, source_key }, 'ds must be left out where source_key is given'],
    [{ ...base, source_key }, 'source_bucket must be given with source_key'],
    [{ ...base, source_bucket: 'raw' }, 'source_key must be given with source_bucket'],
    [{ ...base, source_bucket: 'other', source_key }, 'source_bucket must be the bucket of raw data'],
    [
      { ...base, source_bucket: 'raw', source_key: `${folder}/b.json` },
      'source_key must hold the day of its partition',
    ],
    [
      { ...base, source_bucket: 'raw', source_key: `${folder}/ds=2025-02-30/b` },
      'source_key must hold a day of the calendar',
    ],
    [
      { ...base, source_bucket: 'raw', source_key: `${folder}/ds=2025-02-03/ds=2025-02-04/b` },
      'source_key must hold the day of one partition',
    ],
    [
      { ...base, source_bucket: 'raw', source_key: 'daily-prices-data/orders2/ds=2025-02-03/b' },
      'source_key must be a key of the table',
    ],
    [{ ...day, reproces: true }, 'reproces must be a field of the contract; reprocess is meant, perhaps'],
    [{ ...day, 'a secret@field': 1 }, 'a field must be a field of the contract'],
  ])('refuses %j', (input, message) => {
    let thrown: unknown
    try {
      parse(input)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(PRE_VALIDATION_FAILED)
    expect((thrown as Error).message).toContain(message)
  })

  it('ends in a request or in PRE_VALIDATION_FAILED, whatever it is given', () => {
    const value = fc.oneof(fc.anything(), fc.constantFrom('2025-09-07', 'dev', 'raw', source_key, true))
    const input = fc.dictionary(
      fc.constantFrom(...Object.keys({ ...day, source_key, source_bucket: 1, date_range: 1 })),
      value,
    )
    fc.assert(
      fc.property(fc.oneof(fc.anything(), input), given => {
        try {
          expect(parse(given).days.every(isDay)).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(PRE_VALIDATION_FAILED)
        }
      }),
    )
  })
})

describe('daysBetween', () => {
  it('has every day once, each a day of the calendar, in order', () => {
    const date = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(date, fc.nat(400), (from, length) => {
        const first = from.toISOString().slice(0, 10)
        const last = new Date(Date.parse(first) + length * 86_400_000).toISOString().slice(0, 10)
        const days = daysBetween(first, last)
        expect([days.length, days[0], days.at(-1)]).toEqual([length + 1, first, last])
        expect(days.every(isDay) && days.toSorted().join() === days.join()).toBe(true)
      }),
    )
  })
})

describe('correlationIdOf', () => {
  it.each<[unknown, string]>([
    [day, 'daily-prices-data:orders:2025-09-07'],
    [{ ...day, execution_id: 'ext-req-123' }, 'ext-req-123'],
    [{ ...base, table_name: undefined, table: 'old' }, 'daily-prices-data:old:name'],
    [{ ...base, ds: 'soon' }, 'daily-prices-data:orders:name'],
    [{ ...day, domain: 'a secret' }, 'name'],
    ['text', 'name'],
  ])('of %j is %s', (input, expected) => {
    expect(correlationIdOf(input, 'name')).toBe(expected)
  })
})
