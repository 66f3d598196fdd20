import type { MapRunListener, MapRunStatus } from '@stepwright/asl-engine'
import type { Journals } from '../machines/journal.ts'

/** The Map runs of all executions, by ARN. */
export interface MapRuns extends MapRunListener {
  readonly all: ReadonlyMap<string, MapRunStatus>
}

/** A run that was under way when the last server ended is over: its state begins a new one. */
export function createMapRuns(journals: Journals): MapRuns {
  const journal = journals.open('map-runs')
  const runs = new Map<string, MapRunStatus>()
  for (const run of journal.read() as readonly MapRunStatus[]) {
    runs.set(
      run.mapRunArn,
      run.status === 'RUNNING' ? { ...run, status: 'ABORTED', stopMs: run.startMs } : run,
    )
  }
  const keep = (run: MapRunStatus): void => {
    runs.set(run.mapRunArn, run)
    journal.append(run)
  }
  return { all: runs, onStart: keep, onChange: keep }
}
