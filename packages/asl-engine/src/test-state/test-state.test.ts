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

  it('shows the variables that it was given and those that the state assigns', async () => {
    const definition: State = { Type: 'Pass', Assign: { 'b.$': '$.n', c: 3 }, End: true }
    const request = { definition, input: { n: 2 }, variables: { a: 1, b: 1 } }
    expect(await testState({ ...request, inspectionLevel: 'DEBUG' })).toMatchObject({
      inspectionData: { variables: { a: 1, b: 2, c: 3 } },
    })
    const caught: State = {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Catch: [{ ErrorEquals: ['E'], Assign: { 'why.$': '$.Error' }, Next: 'N' }],
      End: true,
    }
    expect(
      await testState({
        definition: caught,
        mock: { errorOutput: { error: 'E' } },
        inspectionLevel: 'DEBUG',
      }),
    ).toMatchObject({ inspectionData: { variables: { why: 'E' } } })
  })

  it('has the other parts of the context object where only some are given', async () => {
    const definition: State = {
      Type: 'Pass',
      Parameters: { 'name.$': '$$.Execution.Name', 'state.$': '$$.State.Name' },
      End: true,
    }
    expect(await testState({ definition, context: { Execution: { Name: 'mine' } } })).toMatchObject({
      output: { name: 'mine', state: 'StateName' },
    })
  })

  it.each([
    [{ Execution: 'x' }, "Field 'Execution' must be an object"],
    [{ Execution: { Name: 1 } }, "Field 'Name' must be a string"],
    [{ State: { RetryCount: '1' } }, "Field 'RetryCount' must be a number"],
    [{ constructor: {} }, "Field 'constructor' is not allowed"],
  ])('refuses the context object %j', async (context, message) => {
    const definition: State = { Type: 'Pass', End: true }
    await expect(testState({ definition, context: context as never })).rejects.toThrow(
      `Invalid Context object provided: ${message}`,
    )
  })

  it('takes the error of a state inside of a Map, and of no other', async () => {
    const inner = { StartAt: 'One', States: { One: { Type: 'Pass', End: true } } } as const
    const definition: State = { Type: 'Map', ItemProcessor: inner, End: true }
    const from = (errorCausedByState: string) =>
      testState({
        definition,
        input: [1],
        mock: { errorOutput: { error: 'E' } },
        stateConfiguration: { errorCausedByState },
      })
    expect(await from('One')).toMatchObject({ status: 'FAILED', error: 'E' })
    await expect(from('Two')).rejects.toThrow("State 'Two' not found")
  })

  it('holds the mock to what the service answers also for a state of a whole machine', async () => {
    const States = {
      T: { Type: 'Task', Resource: 'arn:aws:states:::states:startExecution', End: true },
    } as const
    const request = { definition: { StartAt: 'T', States }, stateName: 'T' }
    const mock = { result: '{"ExecutionArn":"a"}' }
    await expect(testState({ ...request, mock })).rejects.toThrow("Required field 'StartDate' is missing")
    expect(await testState({ ...request, mock: { ...mock, fieldValidationMode: 'NONE' } })).toMatchObject({
      status: 'SUCCEEDED',
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

  it.each([
    ['a mock of nothing', {}, /only one of the following fields/],
    [
      'an answer without what it always has',
      { result: '{"ExecutionArn":"a"}' },
      "Mock result schema validation error: Required field 'StartDate' is missing",
    ],
  ])('refuses %s', async (_, mock, message) => {
    const definition: State = {
      Type: 'Task',
      Resource: 'arn:aws:states:::states:startExecution',
      Parameters: { StateMachineArn: 'm' },
      End: true,
    }
    await expect(testState({ definition, mock })).rejects.toThrow(message)
    const present = { ...mock, fieldValidationMode: 'PRESENT' } as const
    if ('result' in mock)
      expect(await testState({ definition, mock: present })).toMatchObject({ status: 'SUCCEEDED' })
  })

  it('holds mocks of Maps and Parallels to their inputs and branches', async () => {
    const inner = { StartAt: 'P', States: { P: { Type: 'Pass', End: true } } } as const
    const map: State = { Type: 'Map', ItemProcessor: inner, End: true }
    const run = (definition: State, result: string, mapIterationFailureCount = 0) =>
      testState({
        definition,
        input: [1, 2],
        mock: { result },
        stateConfiguration: { mapIterationFailureCount },
      })
    await expect(run(map, '[1]')).rejects.toThrow(
      "Input array does not equal the mocked result array's size.",
    )
    expect(await run(map, '[1,2]')).toMatchObject({ output: [1, 2] })
    await expect(run(map, '[]', 3)).rejects.toThrow(
      'Map iteration failure count must be less than or equal to the number of Map iterations.',
    )
    await expect(run({ Type: 'Parallel', Branches: [inner], End: true }, '[1,2]')).rejects.toThrow(
      'Mocked result must contain the same number of items as number of Parallel branches.',
    )
    const reader = { Resource: 'arn:aws:states:::s3:getObject', ReaderConfig: { InputType: 'JSON' } } as const
    const distributed = {
      ...inner,
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    } as const
    await expect(
      run(
        {
          ...map,
          ItemProcessor: distributed,
          ItemReader: { ...reader, Parameters: { Bucket: 'b', Key: 'k' } },
        },
        '[]',
      ),
    ).rejects.toThrow('ItemReader data must be specified when testing a Map state with ItemReader specified.')
  })
})
