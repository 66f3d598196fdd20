import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Comparison, State, StateMachine, StateType } from './index.ts'

describe('StateMachine', () => {
  it('types a machine that uses every kind of state', () => {
    const machine = {
      StartAt: 'Each',
      TimeoutSeconds: 60,
      States: {
        Each: {
          Type: 'Map',
          ItemReader: {
            Resource: 'arn:aws:states:::s3:getObject',
            ReaderConfig: { InputType: 'CSV', CSVHeaderLocation: 'FIRST_ROW' },
          },
          ItemBatcher: { MaxItemsPerBatch: 100 },
          ItemProcessor: {
            ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'EXPRESS' },
            StartAt: 'Write',
            States: {
              Write: {
                Type: 'Task',
                Resource: 'arn:aws:states:::lambda:invoke',
                Retry: [{ ErrorEquals: ['TemporaryError'], JitterStrategy: 'FULL' }],
                Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Failed' }],
                End: true,
              },
              Failed: { Type: 'Fail', ErrorPath: '$.error.Error' },
            },
          },
          ToleratedFailurePercentage: 5,
          ResultPath: null,
          Next: 'Both',
        },
        Both: {
          Type: 'Parallel',
          Branches: [{ StartAt: 'Rest', States: { Rest: { Type: 'Wait', Seconds: 1, End: true } } }],
          Next: 'Which',
        },
        Which: {
          Type: 'Choice',
          Choices: [
            {
              And: [{ Variable: '$.a', IsPresent: true }, { Not: { Variable: '$.a', NumericEquals: 1 } }],
              Next: 'Note',
            },
          ],
          Default: 'Done',
        },
        Note: {
          Type: 'Pass',
          QueryLanguage: 'JSONata',
          Output: '{% $states.input %}',
          Assign: { n: 1 },
          Next: 'Done',
        },
        Done: { Type: 'Succeed' },
      },
    } satisfies StateMachine
    expect(Object.keys(machine.States)).toHaveLength(5)
  })

  it('knows the eight types', () => {
    expectTypeOf<StateType>().toEqualTypeOf<
      'Task' | 'Pass' | 'Choice' | 'Wait' | 'Succeed' | 'Fail' | 'Parallel' | 'Map'
    >()
    expectTypeOf<{ Type: 'Sleep' }>().not.toExtend<State>()
  })

  it('gives an operator the type of what it compares with', () => {
    expectTypeOf<{ Variable: string; NumericEquals: string }>().not.toExtend<Comparison>()
    expectTypeOf<{ Variable: string; NumericEqualsPath: string }>().toExtend<Comparison>()
    expectTypeOf<{ Variable: string; IsPresent: boolean }>().toExtend<Comparison>()
  })
})
