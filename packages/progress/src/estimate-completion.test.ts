import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateCompletion } from './estimate-completion.ts'

function at(time: string): Date {
  return new Date(`2025-10-10T${time}Z`)
}
function ms(time: string): number {
  return at(time).getTime()
}
const pending = {
  createdAt: at('10:00:00'),
  startedAt: null,
  updatedAt: at('10:00:00'),
  completedAt: null,
  progress: 0,
}

describe('estimateCompletion', () => {
  it('expects five minutes at the start', () => {
    expect(estimateCompletion(pending, ms('10:00:00'))).toEqual(at('10:05:00'))
    expect(estimateCompletion(pending, ms('10:00:00'), { defaultMs: 60_000 })).toEqual(at('10:01:00'))
  })

  it('counts from when the attempt began', () => {
    expect(estimateCompletion({ ...pending, startedAt: at('10:01:00') }, ms('10:01:00'))).toEqual(
      at('10:06:00'),
    )
  })

  it('expects five minutes of an attempt that has only the progress of the one before', () => {
    const takenOver = { ...pending, startedAt: at('10:02:00'), updatedAt: at('10:02:00'), progress: 40 }
    expect(estimateCompletion(takenOver, ms('10:02:10'))).toEqual(at('10:07:00'))
  })

  it('goes by the rate observed', () => {
    const half = { ...pending, startedAt: at('10:00:00'), updatedAt: at('10:02:30'), progress: 50 }
    expect(estimateCompletion(half, ms('10:02:30'))).toEqual(at('10:05:00'))
    expect(estimateCompletion({ ...half, progress: 25 }, ms('10:02:30'))).toEqual(at('10:10:00'))
  })

  it('keeps its word between two reports, and extends it when overdue', () => {
    const half = { ...pending, startedAt: at('10:00:00'), updatedAt: at('10:02:30'), progress: 50 }
    expect(estimateCompletion(half, ms('10:04:00'))).toEqual(at('10:05:00'))
    expect(estimateCompletion(half, ms('10:06:00'))).toEqual(at('10:12:00'))
  })

  it('is the end of a job that has ended', () => {
    const ended = { ...pending, progress: 100, completedAt: at('10:03:00') }
    expect(estimateCompletion(ended, ms('11:00:00'))).toEqual(at('10:03:00'))
  })

  it('is never in the past while the job runs', () => {
    const time = fc.integer({ min: 0, max: 1e9 })
    fc.assert(
      fc.property(time, time, time, fc.integer({ min: 0, max: 99 }), (start, reported, now, progress) => {
        const job = {
          ...pending,
          startedAt: new Date(start),
          updatedAt: new Date(start + reported),
          progress,
        }
        expect(estimateCompletion(job, now).getTime()).toBeGreaterThanOrEqual(now)
      }),
    )
  })
})
