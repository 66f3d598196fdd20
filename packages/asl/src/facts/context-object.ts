/** What a field of the context object holds: text, a number, or what the machine's own data is. */
export type ContextField = 'string' | 'number' | 'data'

type ContextPart = 'Execution' | 'State' | 'StateMachine' | 'Task' | 'MapItem'

/**
 * What `$$`, or `$states.context`, holds: `Task` only in a state that waits for an answer by token, `MapItem` as
 * `Map.Item` inside a Map's item processor.
 */
export const contextFields: Readonly<Record<ContextPart, Readonly<Record<string, ContextField>>>> = {
  Execution: {
    Id: 'string',
    Input: 'data',
    Name: 'string',
    RoleArn: 'string',
    StartTime: 'string',
    RedriveCount: 'number',
    RedriveTime: 'string',
  },
  State: { EnteredTime: 'string', Name: 'string', RetryCount: 'number' },
  StateMachine: { Id: 'string', Name: 'string' },
  Task: { Token: 'string' },
  MapItem: { Index: 'number', Value: 'data', Key: 'data', Source: 'data' },
}
