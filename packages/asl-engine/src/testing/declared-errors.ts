import type { State, StateMachine, States } from '@stepwright/asl'
import { parseResource } from '@stepwright/asl/expressions'
import { type ErrorClassLike, errorsOf, findTask, type WorkflowTasks } from './workflow-task.ts'

/** The errors of every Task state whose task is given. */
export function declaredErrors(
  definition: StateMachine,
  tasks: WorkflowTasks,
): readonly (readonly [string, readonly ErrorClassLike[]])[] {
  return allStates(definition.States).flatMap(([name, state]) => {
    if (state.Type !== 'Task') return []
    const task = findTask(tasks, name, calledFunction(state))
    return task === undefined ? [] : [[name, errorsOf(task)] as const]
  })
}

function calledFunction(state: Extract<State, { Type: 'Task' }>): string | undefined {
  const { Resource, Parameters, Arguments } = state
  if (parseResource(Resource).kind !== 'service') return Resource
  const { FunctionName } = (Parameters ?? Arguments ?? {}) as { FunctionName?: unknown }
  return typeof FunctionName === 'string' ? toArn(FunctionName) : undefined
}

function toArn(name: string): string {
  return name.startsWith('arn:') ? name : `arn:aws:lambda:::function:${name}`
}

function allStates(states: States): readonly (readonly [string, State])[] {
  return Object.entries(states).flatMap(([name, state]) => [
    [name, state] as const,
    ...(state.Type === 'Parallel' ? state.Branches.flatMap(branch => allStates(branch.States)) : []),
    ...(state.Type === 'Map' ? allStates((state.ItemProcessor ?? state.Iterator)?.States ?? {}) : []),
  ])
}

/** What a task built on `@stepwright/task` can raise without declaring it. */
export const ofEveryTask: readonly string[] = [
  'DataValidationError',
  'PayloadTooLargeError',
  'TaskTimeoutError',
  'UnexpectedError',
]

/** The catchers that name an error which never gets to them, in sentences. */
export function unreachedCatchers(
  { States: states }: StateMachine,
  cells: readonly MetError[],
  tasks: WorkflowTasks,
): readonly string[] {
  return allStates(states).flatMap(([name, state]) => {
    const { Catch: catchers = [] } = state as { readonly Catch?: readonly Catching[] }
    const inside = allStates({ [name]: state })
    if (catchers.length === 0 || isDistributed(state) || !isAllDeclared(inside, tasks)) return []
    const names = new Set(inside.map(([inner]) => inner))
    const own = cells.filter(cell => names.has(cell.state))
    const raised = new Set(inside.flatMap(([, inner]) => (inner.Type === 'Fail' ? (inner.Error ?? []) : [])))
    return catchers.flatMap(({ ErrorEquals, Next }, index) =>
      ErrorEquals.filter(error => !error.includes('.') && !ofEveryTask.includes(error) && !raised.has(error))
        .filter(error => !own.some(cell => cell.error === error && cell.caughtBy === Next))
        .filter(error => !own.some(cell => cell.error === error && cell.problems.length > 0))
        .map(error => `${name}: no task that it calls leads ${error} to catcher ${index + 1} (${Next})`),
    )
  })
}

/** What became of an error that a state met. */
interface MetError {
  readonly state: string
  readonly error: string
  readonly caughtBy: string | undefined
  readonly problems: readonly string[]
}

interface Catching {
  readonly ErrorEquals: readonly string[]
  readonly Next: string
}

/** The errors of its children do not come out by name. */
function isDistributed(state: State): boolean {
  return state.Type === 'Map' && state.ItemProcessor?.ProcessorConfig?.Mode === 'DISTRIBUTED'
}

/** Of a function that stands in for a task nobody knows what it raises, nor of whoever answers a callback. */
function isAllDeclared(states: readonly (readonly [string, State])[], tasks: WorkflowTasks): boolean {
  return states.every(([name, state]) => {
    if (state.Type !== 'Task') return true
    const task = findTask(tasks, name, calledFunction(state))
    const resource = parseResource(state.Resource)
    const isCallback = resource.kind === 'service' && resource.pattern === 'waitForTaskToken'
    return task !== undefined && typeof task !== 'function' && !isCallback
  })
}
