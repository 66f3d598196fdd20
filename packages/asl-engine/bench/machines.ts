import type { StateMachine } from '@stepwright/asl'

/** Counts down with a Choice and a Pass: `transitions` state transitions, no waiting. */
export function loopMachine(): StateMachine {
  return {
    StartAt: 'Done?',
    States: {
      'Done?': {
        Type: 'Choice',
        Choices: [{ Variable: '$.left', NumericLessThanEquals: 0, Next: 'End' }],
        Default: 'Count',
      },
      Count: {
        Type: 'Pass',
        Parameters: { 'left.$': 'States.MathAdd($.left, -1)' },
        Next: 'Done?',
      },
      End: { Type: 'Succeed' },
    },
  }
}

export function mapMachine(functionArn: string): StateMachine {
  return {
    StartAt: 'Each',
    States: {
      Each: {
        Type: 'Map',
        ItemProcessor: {
          StartAt: 'Work',
          States: { Work: { Type: 'Task', Resource: functionArn, End: true } },
        },
        End: true,
      },
    },
  }
}
