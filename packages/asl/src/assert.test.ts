import { AssertionError } from 'node:assert'
import { describe, expect, it } from 'vitest'
import { assertHonours } from './assert.ts'

const tasks = { Write: { name: 'write', errors: [{ name: 'ValidationError', kind: 'business' }] } } as const

function machine(maxAttempts: number) {
  return {
    StartAt: 'Write',
    States: {
      Write: {
        Type: 'Task',
        Resource: 'arn:aws:lambda:eu-west-1:1:function:write',
        Retry: [{ ErrorEquals: ['ValidationError'], MaxAttempts: maxAttempts }],
        Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Failed' }],
        End: true,
      },
      Failed: { Type: 'Fail' },
    },
  }
}

describe('assertHonours', () => {
  it('is content with a definition that honours its tasks', () => {
    assertHonours(machine(0), tasks, { severity: 'error' })
  })

  it('fails with every finding, for people and for programs', () => {
    expect(() => assertHonours(machine(2), tasks)).toThrow(AssertionError)
    expect(() => assertHonours(machine(2), tasks)).toThrow(/kinds\/business-retried[\s\S]*ValidationError/)
    try {
      assertHonours(machine(2), tasks)
    } catch (error) {
      expect((error as AssertionError).actual).toContainEqual(
        expect.objectContaining({ rule: 'kinds/business-retried' }),
      )
    }
  })
})
