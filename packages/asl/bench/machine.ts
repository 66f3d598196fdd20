/** A machine of about `size` states: tasks with handlers, choices, loops, maps and parallels, as real ones mix them. */
export function machineOf(size: number): object {
  const states: Record<string, object> = {}
  const groups = Math.floor(size / 10)
  for (let group = 0; group < groups; group += 1) {
    const name = (part: string): string => `${part} ${group}`
    const next = group + 1 < groups ? `Prepare ${group + 1}` : 'Done'
    const handling = {
      Retry: [
        {
          ErrorEquals: ['TemporaryError', 'Lambda.TooManyRequestsException'],
          IntervalSeconds: 2,
          MaxAttempts: 3,
          BackoffRate: 2,
        },
      ],
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: name('Undo') }],
    }
    const task = (fields: object): object => ({
      Type: 'Task',
      Resource: 'arn:aws:lambda:eu-west-1:123456789012:function:work',
      ...fields,
    })
    states[name('Prepare')] = {
      Type: 'Pass',
      Parameters: { 'id.$': '$.id', 'list.$': '$.list', group },
      Next: name('Work'),
    }
    states[name('Work')] = task({
      Parameters: { 'id.$': '$.id' },
      ResultPath: '$.work',
      ...handling,
      Next: name('Check'),
    })
    states[name('Check')] = {
      Type: 'Choice',
      Choices: [
        {
          And: [
            { Variable: '$.work.again', IsPresent: true },
            { Variable: '$.work.again', BooleanEquals: true },
          ],
          Next: name('Rest'),
        },
      ],
      Default: name('Each'),
    }
    states[name('Rest')] = { Type: 'Wait', Seconds: 5, Next: name('Work') }
    states[name('Each')] = {
      Type: 'Map',
      ItemsPath: '$.list',
      ItemSelector: { 'item.$': '$$.Map.Item.Value', 'id.$': '$.id' },
      ItemProcessor: {
        StartAt: name('Item'),
        States: { [name('Item')]: task({ Parameters: { 'id.$': '$.id' }, End: true }) },
      },
      ResultPath: null,
      ...handling,
      Next: name('Both'),
    }
    states[name('Both')] = {
      Type: 'Parallel',
      Branches: ['Left', 'Right'].map(side => ({
        StartAt: name(side),
        States: { [name(side)]: { Type: 'Pass', Parameters: { 'id.$': '$.id' }, End: true } },
      })),
      ResultPath: '$.both',
      Next: next,
    }
    states[name('Undo')] = task({
      Parameters: { 'cause.$': '$.error.Cause', 'id.$': '$.id' },
      Retry: [{ ErrorEquals: ['States.ALL'] }],
      Next: 'Failed',
    })
  }
  states['Done'] = { Type: 'Succeed' }
  states['Failed'] = { Type: 'Fail' }
  return { StartAt: 'Prepare 0', TimeoutSeconds: 3600, States: states }
}
