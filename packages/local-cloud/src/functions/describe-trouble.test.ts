import { UnexpectedError } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { describeTrouble } from './describe-trouble.ts'

describe('describeTrouble', () => {
  it('has the messages of all causes, and where the first of them began', () => {
    const bug = new TypeError('x is not a function')
    const wrapped = new UnexpectedError('reported as TypeError', { cause: bug, details: { row: 3 } })
    const { task, errors, frames } = describeTrouble('worker', wrapped)
    expect({ task, errors }).toEqual({
      task: 'worker',
      errors: [
        { name: 'UnexpectedError', message: 'reported as TypeError', details: { row: 3 } },
        { name: 'TypeError', message: 'x is not a function' },
      ],
    })
    expect(frames[0]).toContain('describe-trouble.test.ts')
    expect(frames.join()).not.toMatch(/node_modules|node:/)
  })

  it('takes what is not an error, and causes in a circle', () => {
    expect(describeTrouble('worker', 'boom')).toEqual({ task: 'worker', errors: [], frames: [] })
    const circle: Error = new Error('a')
    circle.cause = circle
    expect(describeTrouble('worker', circle).errors).toHaveLength(1)
  })
})
