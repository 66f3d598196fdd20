import { describe, expect, it } from 'vitest'
import { startingAt } from './fork.ts'

const task = { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:000000000000:function:f' }
const definition = JSON.stringify({
  StartAt: 'A',
  States: {
    A: { Type: 'Pass', Next: 'B' },
    B: { ...task, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Mend' }], Next: 'Which' },
    Mend: { Type: 'Pass', End: true },
    Which: { Type: 'Choice', Choices: [{ Variable: '$.a', IsPresent: true, Next: 'B' }], Default: 'Done' },
    Done: { Type: 'Succeed' },
  },
})

describe('startingAt', () => {
  it('begins at the state, and leaves out what can no longer be reached', () => {
    const { StartAt, States } = startingAt(definition, 'B')
    expect([StartAt, Object.keys(States)]).toEqual(['B', ['B', 'Mend', 'Which', 'Done']])
  })

  it('gives the state the variables that it knew', () => {
    const { StartAt, States } = startingAt(definition, 'B', { count: 3 })
    expect(States[StartAt]).toEqual({ Type: 'Pass', Assign: { count: 3 }, Next: 'B' })
    const taken = JSON.stringify({
      StartAt: 'B',
      States: { B: { ...task, Next: 'Before B' }, 'Before B': task },
    })
    expect(startingAt(taken, 'B', { count: 3 }).StartAt).toBe('Before B 1')
  })

  it('says where an execution cannot begin', () => {
    expect(() => startingAt(definition, 'C')).toThrow('C is not one')
  })
})
