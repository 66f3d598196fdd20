import { isDeepStrictEqual } from 'node:util'
import type { HistoryEvent } from '../history/event.ts'
import type { IsSame } from './compare-replay.ts'
import type { RunWorkflowOptions, WorkflowRun } from './workflow-run.ts'

export interface LostResponses {
  /** What the tasks of the last run have left behind, e.g. rows or messages. @default the output alone is compared */
  readonly world?: () => unknown
}

/** A run, with the histories of the child executions of its Distributed Maps. */
export interface MatrixRun extends WorkflowRun {
  readonly children: readonly (readonly HistoryEvent[])[]
}

/** Runs the workflow with new tasks. */
export type Run = (input: unknown, inject?: RunWorkflowOptions['inject']) => Promise<MatrixRun>

/** An input, and how the workflow goes with it where nothing fails. */
export interface Baseline {
  readonly input: unknown
  readonly run: WorkflowRun
}

interface LostCell {
  readonly state: string
  readonly error: string
  readonly kind: 'retryable'
  readonly attempts: number
  readonly waitsSeconds: readonly number[]
  readonly caughtBy: undefined
  readonly problems: readonly string[]
}

/** What Step Functions sees of a function that has done its work and was not heard of again. */
const namesOfLoss = [
  'Lambda.SdkClientException',
  'Lambda.ServiceException',
  'Lambda.Unknown',
  'Sandbox.Timedout',
  'States.Timeout',
]

/** Loses each response of a run once, where the state then calls again. */
export async function loseResponses(
  run: Run,
  { input, run: reached }: Baseline,
  isSame: IsSame,
  { world }: LostResponses,
): Promise<readonly LostCell[]> {
  const plain = await run(input)
  const plainWorld = world?.()
  const cells: LostCell[] = []
  for (const state of new Set(reached.calls.map(call => call.state))) {
    for (const name of namesOfLoss) {
      const lost = await run(input, [{ state, attempts: [1], when: 'after', error: name }])
      const attempts = lost.attempts(state)
      if (attempts < 2) continue
      const problems = compare(plain, lost, isSame)
      if (problems.length === 0 && world !== undefined && !isDeepStrictEqual(world(), plainWorld))
        problems.push('what it leaves behind is not what one run leaves: it took effect twice')
      const waitsSeconds = lost.waitsSeconds(state)
      const error = `${name}, response lost`
      cells.push({ state, error, kind: 'retryable', attempts, waitsSeconds, caughtBy: undefined, problems })
      // under any other name the same happens
      break
    }
  }
  return cells
}

function compare(plain: WorkflowRun, lost: WorkflowRun, isSame: IsSame): string[] {
  if (lost.status !== plain.status)
    return [`the execution ends as ${lost.status} instead of ${plain.status} after a second run`]
  return isSame(plain.output, lost.output)
    ? []
    : ['the output is another one after a second run: it took effect twice']
}
