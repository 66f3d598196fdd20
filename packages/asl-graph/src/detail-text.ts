import type { State } from '@stepwright/asl'

/** What a state calls, waits for or raises, in a few words. */
export function detailText(state: State): string {
  switch (state.Type) {
    case 'Task':
      return resourceText(state.Resource, state.Parameters ?? state.Arguments)
    case 'Wait':
      return waitText(state)
    case 'Fail':
      return String(state.Error ?? state.ErrorPath ?? '')
    case 'Map':
      return state.ItemProcessor?.ProcessorConfig?.Mode === 'DISTRIBUTED' ? 'Distributed Map' : 'Map'
    case 'Parallel':
      return 'Parallel'
    default:
      return typeof (state as State).Type === 'string' ? (state as State).Type : 'no Type'
  }
}

function waitText(state: Extract<State, { Type: 'Wait' }>): string {
  if (state.Seconds !== undefined) {
    return typeof state.Seconds === 'number' ? `Wait ${state.Seconds} s` : 'Wait some seconds'
  }
  if (state.Timestamp !== undefined) return `Wait until ${state.Timestamp}`
  return `Wait ${state.SecondsPath ?? state.TimestampPath ?? ''}`.trim()
}

function resourceText(resource: unknown, parameters: unknown): string {
  const text = String(resource ?? '').replace(/^arn:\$\{[^{}]*\}:/, 'arn:aws:')
  const own = /^arn:[^:]*:(?:lambda:[^:]*:[^:]*:function|states:[^:]*:[^:]*:activity):([^:]+)/.exec(text)?.[1]
  if (own !== undefined) return text.includes(':activity:') ? `Activity ${own}` : `Lambda ${own}`
  const integration = /^arn:[^:]*:states:::(.+)$/.exec(text)?.[1]
  if (integration === undefined) return text.replace(/^\$\{(.+)\}$/, '$1')
  if (!integration.startsWith('lambda:invoke')) return integration.replace(/^aws-sdk:/, '')
  const { FunctionName } = (parameters ?? {}) as { FunctionName?: unknown }
  const name = typeof FunctionName === 'string' ? FunctionName.replace(/^\$\{(.+)\}$/, '$1') : ''
  return `Lambda ${name.split(':function:').at(-1)?.split(':')[0] ?? ''}${integration.slice('lambda:invoke'.length)}`
}
