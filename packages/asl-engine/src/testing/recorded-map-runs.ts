import type { State, StateMachine, States } from '@stepwright/asl'
import type { WorkflowTasks } from './workflow-task.ts'

/** What a Distributed Map is replaced by: a Task that answers with the output and the variables that were recorded. */
const resource = 'arn:aws:states:::stepwright:replayMapRun'

/**
 * Puts a Task in the place of each Distributed Map whose children cannot be run: its history names neither what its
 * ItemReader read nor what its children's tasks answered. Retry and Catch stay as they are.
 */
export function withRecordedMapRuns(
  definition: StateMachine,
  recorded: ReadonlySet<string>,
  tasks: WorkflowTasks,
): StateMachine {
  const isJsonata = definition.QueryLanguage === 'JSONata'
  const replace = (states: States, jsonata: boolean): States =>
    Object.fromEntries(
      Object.entries(states).map(([name, state]) => [name, replaceState(name, state, jsonata)]),
    )
  const replaceState = (name: string, state: State, jsonata: boolean): State => {
    if (state.Type === 'Parallel') {
      const Branches = state.Branches.map(branch => ({ ...branch, States: replace(branch.States, jsonata) }))
      return { ...state, Branches }
    }
    if (state.Type !== 'Map') return state
    const key = state.ItemProcessor === undefined ? 'Iterator' : 'ItemProcessor'
    const processor = state[key]
    if (processor === undefined) return state
    const isInline = !('ProcessorConfig' in processor) || processor.ProcessorConfig?.Mode !== 'DISTRIBUTED'
    if (isInline) return { ...state, [key]: { ...processor, States: replace(processor.States, jsonata) } }
    if (!recorded.has(name) || canRun(state, processor.States, tasks)) return state
    const language = state.QueryLanguage ?? (jsonata ? 'JSONata' : 'JSONPath')
    return toTask(state, language)
  }
  return { ...definition, States: replace(definition.States, isJsonata) }
}

/** Nothing that the children need is missing: items of the state's own data, and the tasks of today. */
function canRun(state: Extract<State, { Type: 'Map' }>, states: States, tasks: WorkflowTasks): boolean {
  if (state.ItemReader !== undefined || state.ResultWriter !== undefined) return false
  return Object.entries(states).every(([name, child]) => {
    if (child.Type === 'Task') return Object.hasOwn(tasks, name)
    if (child.Type === 'Parallel') return child.Branches.every(branch => canRun(state, branch.States, tasks))
    if (child.Type !== 'Map') return true
    return canRun(child, (child.ItemProcessor ?? child.Iterator)?.States ?? {}, tasks)
  })
}

function toTask(state: Extract<State, { Type: 'Map' }>, language: 'JSONata' | 'JSONPath'): State {
  const { Retry, Catch, Next, End, QueryLanguage, Assign } = state
  const names = Object.keys((Assign ?? {}) as object).map(name => name.replace(/\.\$$/, ''))
  const isJsonata = language === 'JSONata'
  const assigned = names.map(name =>
    isJsonata ? [name, `{% $states.result.assigned.${name} %}`] : [`${name}.$`, `$.assigned.${name}`],
  )
  return {
    Type: 'Task',
    Resource: resource,
    ...(names.length > 0 && { Assign: Object.fromEntries(assigned) }),
    ...(isJsonata ? { Output: '{% $states.result.output %}' } : { OutputPath: '$.output' }),
    ...(QueryLanguage !== undefined && { QueryLanguage }),
    ...(Retry !== undefined && { Retry }),
    ...(Catch !== undefined && { Catch }),
    ...(Next === undefined ? { End } : { Next }),
  } as State
}
