import { inspect } from 'node:util'
import type { StateMachine } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { runWorkflow } from './index.ts'
import '@stepwright/asl/vitest'

const definition: StateMachine = {
  StartAt: 'Each',
  States: {
    Each: {
      Type: 'Map',
      ItemProcessor: {
        StartAt: 'Check',
        States: { Check: { Type: 'Fail', Error: 'OutOfStock', Cause: 'no mugs left' } },
      },
      End: true,
    },
  },
}

describe('a run', () => {
  it('that failed begins with status, failed state, error and cause where it is printed', async () => {
    const run = await runWorkflow(definition, { tasks: {}, input: [1] })
    expect(inspect(run)).toMatch(
      /^\{\s+status: 'FAILED',\s+failedState: 'Check',\s+error: 'OutOfStock',\s+cause: 'no mugs left',/,
    )
    expect(() => expect(run).toHaveSucceeded()).toThrow(
      'Expected the run to succeed, but it is FAILED at Check: OutOfStock\nno mugs left\nIt went through Each, Check.',
    )
    expect(run).not.toHaveSucceeded()
  })

  it('that succeeded has no failed state', async () => {
    const run = await runWorkflow(definition, { tasks: {}, input: [] })
    expect(run).toHaveSucceeded()
    expect(run.failedState).toBeUndefined()
    expect(() => expect(run).not.toHaveSucceeded()).toThrow('Expected the run not to succeed, but it did.')
  })
})
