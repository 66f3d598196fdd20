import { describe, expect, it } from 'vitest'
import { cronMatches, rateMs } from './schedule.ts'

const monday = Date.UTC(2026, 10, 16, 9, 30)

describe('rateMs', () => {
  it.each([
    ['rate(1 minute)', 60_000],
    ['rate(5 minutes)', 300_000],
    ['rate(2 hours)', 7_200_000],
    ['rate(1 day)', 86_400_000],
    ['cron(0 3 * * ? *)', undefined],
  ] as const)('%s is %s', (schedule, ms) => {
    expect(rateMs(schedule)).toBe(ms)
  })
})

describe('cronMatches', () => {
  it.each([
    ['cron(30 9 * * ? *)', true],
    ['cron(31 9 * * ? *)', false],
    ['cron(0/15 * * * ? *)', true],
    ['cron(0/20 * * * ? *)', false],
    ['cron(30 8-10 ? * MON-FRI *)', true],
    ['cron(30 9 ? * SUN,SAT *)', false],
    ['cron(30 9 16 NOV ? 2026)', true],
    ['cron(30 9 17 11 ? *)', false],
    ['cron(30 9 ? * 2 *)', true],
  ] as const)('%s on a Monday at 9:30 is %s', (schedule, expected) => {
    expect(cronMatches(schedule, monday)).toBe(expected)
  })
})
