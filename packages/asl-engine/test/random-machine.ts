import type { StateMachine, States } from '@stepwright/asl'

const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:f'

/** A machine of tasks, waits, branches and maps, some of which retry or catch. Every state has a name of its own. */
export function randomMachine(random: () => number, depth: number): StateMachine {
  let states = 0
  const below = (limit: number): number => Math.floor(random() * limit)
  const machine = (left: number): StateMachine => {
    const names = Array.from({ length: 1 + below(3) }, () => {
      states += 1
      return `S${states}`
    })
    const entries = names.map((name, index) => {
      const next = names[index + 1]
      const way = next === undefined ? { End: true } : { Next: next }
      return [name, { ...state(left, name, next), ...way }]
    })
    return { StartAt: names[0] ?? '', States: Object.fromEntries(entries) as States }
  }
  const handling = (next: string | undefined): object => ({
    ...(random() < 0.6
      ? {
          Retry: [
            {
              ErrorEquals: [random() < 0.5 ? 'Boom' : 'States.ALL'],
              IntervalSeconds: 1 + below(5),
              MaxAttempts: 1 + below(2),
            },
          ],
        }
      : {}),
    ...(next !== undefined && random() < 0.4
      ? { Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: next }] }
      : {}),
  })
  const state = (left: number, name: string, next: string | undefined): object => {
    const kind = left <= 0 ? 0 : random()
    const ResultPath = random() < 0.5 ? null : `$.${name}`
    if (kind < 0.45) {
      const Parameters = { state: name, 'place.$': '$.place' }
      return { Type: 'Task', Resource: functionArn, Parameters, ResultPath, ...handling(next) }
    }
    if (kind < 0.55) return { Type: 'Wait', Seconds: below(20) }
    if (kind < 0.62) return { Type: 'Pass', Assign: { [name]: 1 } }
    if (kind < 0.78) {
      const Branches = Array.from({ length: 1 + below(3) }, () => machine(left - 1))
      return { Type: 'Parallel', Branches, ResultPath, ...handling(next) }
    }
    const isFar = random() < 0.5
    return {
      Type: 'Map',
      ItemsPath: '$.items',
      MaxConcurrency: below(3),
      ItemSelector: { 'place.$': "States.Format('{}/{}', $.place, $$.Map.Item.Index)", 'items.$': '$.items' },
      ItemProcessor: {
        ...machine(left - 1),
        ...(isFar ? { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } } : {}),
      },
      ResultPath,
      ...handling(next),
    }
  }
  return machine(depth)
}
