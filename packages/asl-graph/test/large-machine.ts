import type { State, StateMachine } from '@stepwright/asl'

/** States one after another, every fifth a choice that skips two, all tasks with one catcher. */
export function largeMachine(count: number): StateMachine {
  const states: Record<string, State> = {}
  for (let index = 0; index < count; index += 1) {
    states[`Step${index}`] =
      index % 5 === 0 && index < count - 6
        ? {
            Type: 'Choice',
            Choices: [{ Variable: '$.skip', BooleanEquals: false, Next: `Step${index + 1}` }],
            Default: `Step${index + 3}`,
          }
        : {
            Type: 'Task',
            Resource: 'arn:aws:lambda:us-east-1:000000000000:function:step',
            Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Failed' }],
            ...(index < count - 1 ? { Next: `Step${index + 1}` } : { End: true }),
          }
  }
  states['Failed'] = { Type: 'Fail' }
  return { StartAt: 'Step0', States: states }
}
