import type { StateMachine } from '@stepwright/asl'
import { equalJson, isArray, isObject, type Json } from '../json.ts'
import { TaskFailure } from '../task/ports.ts'
import { type RecordedCall, type RecordedExecution, readHistory } from './recorded-execution.ts'
import { type RunWorkflowOptions, runWorkflow, type WorkflowRun } from './run-workflow.ts'
import type { WorkflowTask, WorkflowTasks } from './workflow-task.ts'

export interface ReplayOptions extends Omit<RunWorkflowOptions, 'tasks' | 'input'> {
  /** Tasks of today, by the names of their states; all others answer as they did when it was recorded. */
  readonly tasks?: WorkflowTasks
}

export interface Replay {
  readonly recorded: RecordedExecution
  readonly run: WorkflowRun
  /** Where the two part, in sentences; the first is the cause of the others, most likely. */
  readonly differences: readonly string[]
}

/** Runs a recorded execution against a definition, in virtual time, with the answers that its tasks gave. */
export async function replayHistory(
  definition: StateMachine,
  history: unknown,
  { tasks = {}, ...options }: ReplayOptions = {},
): Promise<Replay> {
  const recorded = readHistory(history)
  const run = await runWorkflow(definition, {
    ...options,
    input: recorded.input,
    tasks: { ...answersOf(recorded), ...tasks },
  })
  return { recorded, run, differences: compare(recorded, run) }
}

/** What each state's task answered: for the same input the same, else the next answer of that state. */
export function answersOf({
  calls,
}: Pick<RecordedExecution, 'calls'>): Readonly<Record<string, WorkflowTask>> {
  const byState = Map.groupBy(calls, ({ state }) => state)
  return Object.fromEntries(
    [...byState].map(([state, list]) => {
      const left = [...list]
      const answer = (input: unknown): unknown => {
        const same = left.findIndex(call => equalJson(payloadOf(call.input), payloadOf(input as Json)))
        const [call] = left.splice(Math.max(0, same), 1)
        if (call === undefined)
          throw new TaskFailure('ReplayEnded', `no more answers of ${state} were recorded`)
        if (call.error !== undefined) throw new TaskFailure(call.error, call.cause)
        return resultOf(call)
      }
      return [state, answer]
    }),
  )
}

/** Of a call through `lambda:invoke`, what the function is given. */
function payloadOf(input: Json): Json {
  return isObject(input) && 'FunctionName' in input ? (input['Payload'] ?? {}) : input
}

/** Of a call through `lambda:invoke`, what the function answered. */
function resultOf({ input, output = null }: RecordedCall): Json {
  const isInvocation = isObject(input) && 'FunctionName' in input && isObject(output) && 'Payload' in output
  return isInvocation ? (output['Payload'] ?? null) : output
}

function compare(recorded: RecordedExecution, run: WorkflowRun): readonly string[] {
  const differences: string[] = []
  const entered = run.history.flatMap(
    ({ stateEnteredEventDetails: details }): Readonly<Record<string, unknown>>[] =>
      details ? [details] : [],
  )
  const length = Math.max(recorded.path.length, run.path.length)
  for (let index = 0; index < length; index += 1) {
    const [before, now] = [recorded.path[index], run.path[index]]
    if (before !== now) {
      const after = index === 0 ? 'At the start' : `After ${recorded.path[index - 1]} (state ${index})`
      differences.push(`${after} it went to ${before ?? 'its end'}, and now goes to ${now ?? 'its end'}.`)
      break
    }
    const given = JSON.parse(String(entered[index]?.['input'] ?? 'null')) as Json
    if (!isSame(recorded.inputs[index], given)) {
      differences.push(`${now} (state ${index + 1}) is given something else than when it was recorded.`)
      break
    }
  }
  if (recorded.status !== 'RUNNING' && recorded.status !== run.status) {
    differences.push(
      `It ended ${recorded.status}, and now ends ${run.status}${run.error ? ` (${run.error})` : ''}.`,
    )
  } else if (recorded.error !== undefined && recorded.error !== run.error) {
    differences.push(`It failed with ${recorded.error}, and now fails with ${run.error}.`)
  } else if (recorded.output !== undefined && !isSame(recorded.output, run.output)) {
    differences.push('Its output is another one.')
  }
  return differences
}

/** Whether two values are the same, but for what Lambda says of each call besides its payload. */
function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return equalJson(a && withoutEnvelopes(a), b && withoutEnvelopes(b))
}

function withoutEnvelopes(value: Json): Json {
  if (isArray(value)) return value.map(withoutEnvelopes)
  if (!isObject(value)) return value
  const fields = Object.entries(value)
  const kept =
    'Payload' in value && 'SdkHttpMetadata' in value ? fields.filter(([key]) => key === 'Payload') : fields
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutEnvelopes(item)]))
}
