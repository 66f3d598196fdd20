import { describe, expect, it } from 'vitest'
import { parseSchedule } from './schedule.ts'

// A Monday.
const from = '2026-11-16T09:30:20Z'

function runs(expression: string, count: number): string[] {
  const times: string[] = []
  let afterMs = Date.parse(from)
  while (times.length < count) {
    const nextMs = parseSchedule(expression)?.next(afterMs)
    if (nextMs === undefined) break
    afterMs = nextMs
    times.push(new Date(nextMs).toISOString().slice(0, 16))
  }
  return times
}

describe('parseSchedule', () => {
  it.each<[string, string[]]>([
    ['rate(1 minute)', ['2026-11-16T09:31', '2026-11-16T09:32']],
    ['rate(2 hours)', ['2026-11-16T11:30', '2026-11-16T13:30']],
    ['rate(1 day)', ['2026-11-17T09:30', '2026-11-18T09:30']],
    ['cron(30 9 * * ? *)', ['2026-11-17T09:30', '2026-11-18T09:30']],
    ['cron(0/20 * * * ? *)', ['2026-11-16T09:40', '2026-11-16T10:00']],
    ['cron(15,45 8-9 ? * MON-FRI *)', ['2026-11-16T09:45', '2026-11-17T08:15']],
    ['cron(0 0 ? * SUN,SAT *)', ['2026-11-21T00:00', '2026-11-22T00:00']],
    ['cron(0 12 1 1/3 ? *)', ['2027-01-01T12:00', '2027-04-01T12:00']],
    ['cron(0 0 29 2 ? *)', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['cron(0 0 L * ? *)', ['2026-11-30T00:00', '2026-12-31T00:00']],
    ['cron(0 0 LW * ? *)', ['2026-11-30T00:00', '2026-12-31T00:00']],
    ['cron(0 0 1W * ? *)', ['2026-12-01T00:00', '2027-01-01T00:00']],
    ['cron(0 0 15W 11,8 ? *)', ['2027-08-16T00:00', '2027-11-15T00:00']],
    ['cron(0 0 ? * 6L *)', ['2026-11-27T00:00', '2026-12-25T00:00']],
    ['cron(0 0 ? * 3#2 *)', ['2026-12-08T00:00', '2027-01-12T00:00']],
    ['cron(0 0 ? * L *)', ['2026-11-21T00:00', '2026-11-28T00:00']],
    ['cron(0 3 1 JAN ? 2026)', []],
  ])('%s runs when EventBridge runs it', (expression, times) => {
    expect(runs(expression, 2)).toEqual(times)
  })

  it.each([
    'rate(0 minutes)',
    'rate(1 minutes)',
    'rate(5 minute)',
    'rate(5)',
    'cron(0 3 * * * *)',
    'cron(0 3 ? * ? *)',
    'cron(60 3 * * ? *)',
    'cron(0 3 * FOO ? *)',
    'cron(0 3 32W * ? *)',
    'cron(0 3 5-1 * ? *)',
    'cron(0 3 * * ?)',
    'at(2027-01-01T00:00:00)',
  ])('%s is none', expression => {
    expect(parseSchedule(expression)).toBeUndefined()
  })
})
