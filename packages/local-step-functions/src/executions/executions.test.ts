import { describe, expect, it } from 'vitest'
import { createMemoryJournals } from '../machines/journal.ts'
import { createExecutions, type StoredExecution } from './executions.ts'

describe('createExecutions', () => {
  it('fails an execution whose definition cannot be read, and leaves the rest alone', () => {
    const journals = createMemoryJournals()
    const statuses: string[] = []
    const create = () =>
      createExecutions({
        journals,
        arnPrefix: 'arn:aws:states:us-east-1:000000000000',
        now: () => 5,
        engineFor: () => {
          throw new Error('no such function')
        },
        onStatus: (execution: StoredExecution) => statuses.push(execution.status),
      })
    const machine = {
      arn: 'arn:aws:states:us-east-1:000000000000:stateMachine:m',
      name: 'm',
      definitionText: '{}',
      roleArn: 'r',
      type: 'STANDARD',
      createdMs: 0,
      revisionId: '1',
      loggingConfiguration: {},
      tracingConfiguration: {},
      tags: {},
    } as const
    const { arn } = create().start(machine, 'x', '{}')
    expect(statuses).toEqual(['RUNNING', 'FAILED'])
    const restarted = create()
    restarted.resumeAll()
    expect(restarted.get(arn)).toMatchObject({
      status: 'FAILED',
      error: 'States.Runtime',
      cause: 'no such function',
    })
  })
})
