import type { StateMachine } from '@stepwright/asl'
import { createTaskTokens } from '../task/task-tokens.ts'
import { createVirtualClock } from '../time/clock.ts'
import { type DrivenRun, driveWorkflow } from './drive-workflow.ts'
import { createMarkedUuid, unknownNames } from './marked-names.ts'
import { answersOf } from './recorded-answers.ts'
import type { RecordedExecution } from './recorded-execution.ts'
import { withRecordedMapRuns } from './recorded-map-runs.ts'
import type { RunWorkflowOptions } from './workflow-run.ts'
import type { WorkflowTasks } from './workflow-task.ts'

export interface RunRecordedOptions extends Omit<RunWorkflowOptions, 'tasks' | 'input'> {
  /** Tasks of today, by the names of their states; all others answer as they did when it was recorded. */
  readonly tasks?: WorkflowTasks
}

/** All that running it again needs. */
export type Recording = Pick<RecordedExecution, 'input' | 'startTime' | 'roleArn' | 'calls' | 'mapRuns'>

/** Runs what was recorded against a definition, in virtual time, with the answers that its tasks gave. */
export function runRecorded(
  definition: StateMachine,
  { input, startTime, roleArn, calls = [], mapRuns = [] }: Partial<Recording>,
  { tasks = {}, engine, ...options }: RunRecordedOptions = {},
): Promise<DrivenRun> {
  const clock = createVirtualClock(startTime === undefined ? undefined : Date.parse(startTime))
  const taskTokens = createTaskTokens()
  const mapStates = new Set(mapRuns.map(({ state }) => state))
  const mapRunCalls = mapRuns.map(({ output, assigned = {}, ...run }) => ({
    ...run,
    ...(output !== undefined && { output: { output, assigned } }),
  }))
  return driveWorkflow(
    withRecordedMapRuns(definition, mapStates, tasks),
    {
      ...options,
      input,
      tasks: { ...answersOf([...calls, ...mapRunCalls], clock, taskTokens), ...tasks },
      engine: {
        name: unknownNames.machine,
        account: unknownNames.account,
        ...(roleArn !== undefined && { roleArn }),
        uuid: createMarkedUuid(),
        ...engine,
        taskTokens,
      },
    },
    clock,
    engine?.activities === undefined ? 0 : undefined,
  )
}
