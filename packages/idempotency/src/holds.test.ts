import { describe, expect, it } from 'vitest'
import { createHolds } from './holds.ts'

describe('createHolds', () => {
  it('tells equal objects apart', () => {
    const holds = createHolds<string>()
    const [first, second] = [{ id: 1 }, { id: 1 }]
    holds.add(first, 'of the first')
    holds.add(second, 'of the second')
    expect(holds.takeSucceeded({ id: 1 })).toBeUndefined()
    expect(holds.takeSucceeded(second)).toBe('of the second')
    expect(holds.takeFailed(first)).toBe('of the first')
    expect(holds.takeFailed(first)).toBeUndefined()
  })

  it.each(['text', 7, null])('takes %j for a payload', payload => {
    const holds = createHolds<string>()
    holds.add(payload, 'held')
    expect(holds.takeSucceeded(payload)).toBe('held')
    expect(holds.takeSucceeded(payload)).toBeUndefined()
  })

  it('gives nothing while two calls have the same payload', () => {
    const holds = createHolds<string>()
    holds.add('same', 'first')
    holds.add('same', 'second')
    expect(holds.takeSucceeded('same')).toBeUndefined()
    expect(holds.takeSucceeded('same')).toBe('second')
  })

  it('gives a refused call nothing, and keeps the lock for the one that has it', () => {
    const holds = createHolds<string>()
    holds.refuse('same')
    holds.add('same', 'held')
    holds.refuse('same')
    expect(holds.takeFailed('same')).toBeUndefined()
    expect(holds.takeFailed('same')).toBe('held')
  })
})
