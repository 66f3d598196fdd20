import { describe, expect, it } from 'vitest'
import { jobStatuses } from './job.ts'
import { canMove, finalStatuses, isFinal, statusesBefore } from './transitions.ts'

describe('canMove', () => {
  it('allows these moves and no other', () => {
    const moves = jobStatuses.flatMap(from =>
      jobStatuses.filter(to => canMove(from, to)).map(to => `${from} → ${to}`),
    )
    expect(moves).toEqual([
      'PENDING → PROCESSING',
      'PENDING → FAILED',
      'PENDING → TIMEOUT',
      'PENDING → CANCELLED',
      'PROCESSING → PROCESSING',
      'PROCESSING → COMPLETED',
      'PROCESSING → FAILED',
      'PROCESSING → TIMEOUT',
      'PROCESSING → CANCELLED',
    ])
  })
})

describe('statusesBefore', () => {
  it('reads the table backwards', () => {
    expect(statusesBefore('COMPLETED')).toEqual(['PROCESSING'])
    expect(statusesBefore('CANCELLED')).toEqual(['PENDING', 'PROCESSING'])
    expect(statusesBefore('PENDING')).toEqual([])
  })
})

describe('isFinal', () => {
  it('knows the statuses that are never left', () => {
    expect(finalStatuses).toEqual(['COMPLETED', 'FAILED', 'TIMEOUT', 'CANCELLED'])
    expect(isFinal('PROCESSING')).toBe(false)
  })
})
