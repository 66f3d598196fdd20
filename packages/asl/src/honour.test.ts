import { AssertionError } from 'node:assert'
import { describe, expect, it } from 'vitest'
import { assertHonours } from './assert.ts'
import './vitest.ts'

const tasks = { Write: { name: 'write', errors: [{ name: 'ValidationError', kind: 'business' }] } } as const

function machine(retried: string) {
  return {
    StartAt: 'Write',
    States: {
      Write: {
        Type: 'Task',
        Resource: 'arn:aws:lambda:eu-west-1:1:function:write',
        Retry: [{ ErrorEquals: [retried], MaxAttempts: 2 }],
        Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Failed' }],
        End: true,
      },
      Failed: { Type: 'Fail' },
    },
  }
}

describe('toHonour', () => {
  it('passes for a definition that honours its tasks', () => {
    const good = machine('States.TaskFailed')
    const retry = [{ ErrorEquals: ['ValidationError'], MaxAttempts: 0 }, ...good.States.Write.Retry]
    expect({ ...good, States: { ...good.States, Write: { ...good.States.Write, Retry: retry } } }).toHonour(
      tasks,
    )
  })

  it('fails with the rule, the place and what to do', () => {
    expect(() => expect(machine('States.TaskFailed')).toHonour(tasks)).toThrow(
      /kinds\/business-retried {2}\/States\/Write\/Retry\/0\/ErrorEquals \(\d+:\d+\)\n.*ValidationError.*\n.*MaxAttempts/,
    )
  })

  it('can be told to look at errors only, and to negate', () => {
    expect(machine('ValidationError')).not.toHonour(tasks)
    expect(machine('Lambda.ServiceException')).toHonour(tasks, { severity: 'error' })
    expect(() => expect(machine('Lambda.ServiceException')).toHonour(tasks)).toThrow(
      'routes/lambda-transient',
    )
  })
})

describe('assertHonours', () => {
  it('is content where the matcher is', () => {
    assertHonours(machine('Lambda.ServiceException'), tasks, { severity: 'error' })
  })

  it('fails with every finding, for people and for programs', () => {
    const assertion = () => assertHonours(machine('ValidationError'), tasks)
    expect(assertion).toThrow(AssertionError)
    expect(assertion).toThrow(/kinds\/business-retried[\s\S]*ValidationError/)
    expect(assertion).toThrow(
      expect.objectContaining({
        actual: expect.arrayContaining([expect.objectContaining({ rule: 'kinds/business-retried' })]),
      }),
    )
  })
})
