import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countDays, dayBefore, daysBetween, isDay } from './calendar.ts'

describe('days', () => {
  it('are days of the calendar', () => {
    expect(['2024-02-29', '2025-02-29', '2025-13-01', '2025-1-1', 'x'].map(isDay)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })

  it('follow one another without a gap', () => {
    const day = fc
      .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
      .map(date => date.toISOString().slice(0, 10))
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 400 }), (first, more) => {
        const last = new Date(Date.parse(first) + more * 86_400_000).toISOString().slice(0, 10)
        const days = daysBetween(first, last)
        expect([days.length, days[0], days.at(-1)]).toEqual([more + 1, first, last])
        expect(countDays(first, last)).toBe(more + 1)
        for (const [index, each] of days.entries()) {
          if (index > 0) expect(dayBefore(each)).toBe(days[index - 1])
        }
      }),
    )
    expect(daysBetween('2025-09-02', '2025-09-01')).toEqual([])
  })
})
