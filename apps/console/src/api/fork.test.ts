import { describe, expect, it } from 'vitest'
import { startingAt } from './fork.ts'

const definition = JSON.stringify({
  StartAt: 'A',
  States: { A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', End: true } },
})

describe('startingAt', () => {
  it('begins at the state', () => {
    expect(startingAt(definition, 'B')).toMatchObject({ StartAt: 'B', States: { A: { Next: 'B' } } })
  })

  it('gives the state the variables that it knew', () => {
    const { StartAt, States } = startingAt(definition, 'B', { count: 3 })
    expect(States[StartAt]).toEqual({ Type: 'Pass', Assign: { count: 3 }, Next: 'B' })
  })

  it('says where an execution cannot begin', () => {
    expect(() => startingAt(definition, 'C')).toThrow('C is not one')
  })
})
