import type { State, TaskState } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { testState } from './test-state.ts'

const task: TaskState = {
  Type: 'Task',
  Resource: 'arn:aws:states:::dynamodb:getItem',
  Parameters: { 'Key.$': '$.key', TableName: 't' },
  ResultPath: '$.row',
  Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 2, MaxAttempts: 2 }],
  Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Caught' }],
  Next: 'After',
}

describe('testState', () => {
  it('takes a mocked result through the data flow', async () => {
    const mock = { result: '{"Item":{"a":{"S":"x"}}}' }
    expect(await testState({ definition: task, input: { key: 1 }, mock, inspectionLevel: 'DEBUG' })).toEqual({
      status: 'SUCCEEDED',
      nextState: 'After',
      output: { key: 1, row: { Item: { a: { S: 'x' } } } },
      inspectionData: {
        input: { key: 1 },
        afterInputPath: { key: 1 },
        afterParameters: { Key: 1, TableName: 't' },
        result: { Item: { a: { S: 'x' } } },
        afterResultSelector: { Item: { a: { S: 'x' } } },
        afterResultPath: { key: 1, row: { Item: { a: { S: 'x' } } } },
      },
    })
  })

  it('says when a mocked error would be retried, and after how long', async () => {
    const mock = { errorOutput: { error: 'Busy', cause: 'later' } }
    const request = { definition: task, input: { key: 1 }, mock, inspectionLevel: 'DEBUG' } as const
    const again = await testState({ ...request, stateConfiguration: { retrierRetryCount: 1 } })
    expect(again).toMatchObject({
      status: 'RETRIABLE',
      inspectionData: { errorDetails: { retryIndex: 0, retryBackoffIntervalSeconds: 4 } },
    })
    const last = await testState({ ...request, stateConfiguration: { retrierRetryCount: 2 } })
    expect(last).toMatchObject({
      status: 'CAUGHT_ERROR',
      nextState: 'Caught',
      output: { error: { Error: 'Busy' } },
    })
  })

  it('runs a state that needs no mock', async () => {
    const definition: State = { Type: 'Pass', Parameters: { 'v.$': '$x' }, End: true }
    expect(await testState({ definition, variables: { x: 5 } })).toEqual({
      status: 'SUCCEEDED',
      output: { v: 5 },
    })
  })

  it('uses the context object that it is given', async () => {
    const definition: State = { Type: 'Pass', InputPath: '$$.Execution.Name', End: true }
    expect(await testState({ definition, context: { Execution: { Name: 'mine' } } })).toMatchObject({
      output: 'mine',
    })
  })

  it.each([
    [{ definition: task }, 'RoleArn must be specified when testing a Task state'],
    [{ definition: { Type: 'Succeed' }, mock: { result: '{}' } }, "State type 'Succeed' is not supported"],
    [{ definition: task, mock: { result: '{' } }, 'Mocked result must be valid JSON'],
    [
      { definition: task, input: { key: 1 }, mock: { result: '{"ConsumedCapacity":{"CapacityUnits":"1"}}' } },
      "Field 'CapacityUnits' must be a number",
    ],
    [{ definition: { Type: 'Pass', End: true }, context: { Map: {} } }, "'Map' field is not supported"],
    [
      { definition: { Type: 'Parallel', Branches: [], End: true }, mock: { result: '[]' } },
      'SCHEMA_VALIDATION_FAILED',
    ],
  ])('refuses %#', async (request, message) => {
    await expect(testState(request as never)).rejects.toMatchObject({
      name: 'TestStateRefusal',
      message: expect.stringContaining(message),
    })
  })
})
