import { defineTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { assertApp } from './assert-app.ts'
import type { App } from './index.ts'

const task = defineTask({ name: 'work', input: z.any(), output: z.any(), errors: [], run: () => null })
const work = { module: 'src/functions/index.ts', export: 'Work', kind: 'call', task } as const
const root = new URL('..', import.meta.url)
const alarm = { metric: { function: 'Work', name: 'Errors' }, above: 0 } as const

function withVariables(environment: Readonly<Record<string, string>>): Partial<App> {
  return { functions: { Work: { ...work, environment } } }
}
function withSchedule(schedule: string): Partial<App> {
  return { triggers: { Nightly: { schedule: schedule as 'rate(1 day)', calls: 'Work' } } }
}
function withBucket(bucketName: string): Partial<App> {
  return { resources: { buckets: { files: { bucketName } } } }
}
const throughput = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 }
const byName = { IndexName: 'byName', Projection: { ProjectionType: 'ALL' } } as const
function withTable(table: object): Partial<App> {
  return { resources: { tables: { stock: { TableName: 'stock', ...table } } } }
}
function described(length: number): Partial<App> {
  return { functions: { Work: { ...work, task: { ...task, description: 'x'.repeat(length) } } } }
}
const migrated = { database: { migratedBy: 'Work' } }

const rejected: readonly (readonly [string, Partial<App>, RegExp])[] = [
  ['rate(1 minutes)', withSchedule('rate(1 minutes)'), /trigger Nightly: schedule must be rate\(1 minute\)/],
  ['rate(5 minute)', withSchedule('rate(5 minute)'), /schedule must be/],
  ['a cron with two days', withSchedule('cron(0 3 * * * *)'), /"\?" for either the day of the month/],
  ['a cron of the 25th hour', withSchedule('cron(0 25 * * ? *)'), /it is cron\(0 25/],
  ['a cron of five fields', withSchedule('cron(0 3 * * ?)'), /schedule must be/],
  [
    'a reserved variable',
    withVariables({ AWS_REGION: 'eu' }),
    /function Work: Lambda sets the variable AWS_REGION/,
  ],
  ['a variable with a hyphen', withVariables({ 'MAX-ROWS': '1' }), /the variable MAX-ROWS must have/],
  ['a variable of one letter', withVariables({ A: '1' }), /the variable A must have two or more/],
  [
    '4 KB of variables',
    withVariables({ LONG: 'x'.repeat(4096) }),
    /function Work: its variables have 4107 bytes/,
  ],
  ['a name without letters', { functions: { Work: work, $: work } }, /function \$: its name must be letters/],
  [
    'a trigger with a dot',
    { triggers: { 'a.b': { schedule: 'rate(1 day)', calls: 'Work' } } },
    /trigger a\.b: its name/,
  ],
  [
    'an alarm with a space',
    { alarms: { 'too slow': { ...alarm, description: '' } } },
    /alarm too slow: its name/,
  ],
  [
    'a table with an umlaut',
    { resources: { tables: { Bücher: { TableName: 'b' } } } },
    /table Bücher: its name/,
  ],
  ['a bucket with capitals', withBucket('Files'), /bucket files: S3 does not take the name Files/],
  ['a bucket with an underscore', withBucket('my_files'), /set bucketName/],
  ['a bucket of two letters', withBucket('ab'), /bucket files/],
  ['a bucket of an address', withBucket('10.0.0.1'), /bucket files/],
  ['a bucket with two dots', withBucket('a..b'), /bucket files/],
  ['a reserved bucket', withBucket('xn--files'), /bucket files/],
  ['a bucket whose key has an underscore', { resources: { buckets: { my_files: {} } } }, /shop-my_files/],
  [
    'objects that expire at once',
    { resources: { buckets: { files: { expiry: [{ prefix: '', days: 0 }] } } } },
    /from 1, not 0/,
  ],
  [
    'a long description',
    described(257),
    /function Work: the description of its task may have 256 characters, not 257/,
  ],
  [
    'a long alarm',
    { alarms: { Slow: { ...alarm, description: 'x'.repeat(1024) } } },
    /alarm Slow: its description/,
  ],
  [
    'a provisioned table',
    withTable({ BillingMode: 'PROVISIONED' }),
    /table stock: BillingMode PROVISIONED needs/,
  ],
  [
    'a provisioned table whose index is not',
    withTable({
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: throughput,
      GlobalSecondaryIndexes: [byName],
    }),
    /table stock/,
  ],
  [
    'a database of shop-',
    { name: 'shop-', ...migrated },
    /the app's name shop- is also that of its database/,
  ],
  ['a database of shop--a', { name: 'shop--a', ...migrated }, /the app's name shop--a/],
]

const accepted: readonly (readonly [string, Partial<App>])[] = [
  ['rate(1 minute)', withSchedule('rate(1 minute)')],
  ['a cron of weekdays', withSchedule('cron(0 18 ? * MON-FRI *)')],
  ['variables of Lambda that may be set', withVariables({ NODE_OPTIONS: '--x', TZ: 'UTC' })],
  ['less than 4 KB', withVariables({ LONG: 'x'.repeat(4085) })],
  ['a short bucket', withBucket('abc')],
  ['a bucket with a dot', withBucket('a.b')],
  ['a description of 256 characters', described(256)],
  ['a provisioned table', withTable({ BillingMode: 'PROVISIONED', ProvisionedThroughput: throughput })],
  [
    'a table that is paid per request',
    withTable({ BillingMode: 'PAY_PER_REQUEST', GlobalSecondaryIndexes: [byName] }),
  ],
  ['shop- without a database', { name: 'shop-' }],
  ['a database of shop-a', { name: 'shop-a', ...migrated }],
]

describe('assertDeployable', () => {
  it.each(rejected)('rejects what AWS rejects: %s', (_what, change, message) => {
    const made = () => assertApp({ name: 'shop', root, functions: { Work: work }, ...change })
    expect(made).toThrow(TypeError)
    expect(made).toThrow(message)
  })

  it.each(accepted)('accepts %s', (_what, change) => {
    expect(() => assertApp({ name: 'shop', root, functions: { Work: work }, ...change })).not.toThrow()
  })
})
