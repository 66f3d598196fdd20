import type { StateMachine } from '@stepwright/asl'
import { createVirtualClock } from '../time/clock.ts'
import { driveWorkflow } from './drive-workflow.ts'
import type { RunWorkflowOptions, WorkflowRun } from './workflow-run.ts'
import { WorkflowStalledError } from './workflow-stalled.ts'

/**
 * Runs a definition with real tasks in virtual time, as Step Functions would, without AWS.
 * @throws WorkflowStalledError if the execution waits for an answer that nobody can give any more
 */
export async function runWorkflow(
  definition: StateMachine,
  options: RunWorkflowOptions,
): Promise<WorkflowRun> {
  const { waitsFor, result, ...run } = await driveWorkflow(definition, options, createVirtualClock())
  if (result === undefined) throw new WorkflowStalledError(waitsFor)
  // `run` has them already, in the order in which they are printed.
  return { ...run, status: result.status, result }
}
