import type { StateMachine } from '@stepwright/asl'
import { compareReplay } from './compare-replay.ts'
import type { DrivenRun } from './drive-workflow.ts'
import { type RecordedExecution, readHistory } from './recorded-execution.ts'
import { type RunRecordedOptions, runRecorded } from './run-recorded.ts'

export interface Replay {
  readonly recorded: RecordedExecution
  readonly run: DrivenRun
  /** Where the two part, in sentences; the first is the cause of the others, most likely. */
  readonly differences: readonly string[]
}

/** Runs a recorded execution against a definition, in virtual time, with the answers that its tasks gave. */
export async function replayHistory(
  definition: StateMachine,
  history: unknown,
  options: RunRecordedOptions = {},
): Promise<Replay> {
  const recorded = readHistory(history)
  const run = await runRecorded(definition, recorded, options)
  return { recorded, run, differences: compareReplay(definition, recorded, run) }
}
