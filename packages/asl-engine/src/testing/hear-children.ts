import type { MapRunListener } from '../execution/execution.ts'
import { type HistoryEvent, toHistoryEvent } from '../history/event.ts'

/** A listener that keeps the history of every child execution, besides the one that is there already. */
export function hearChildren(other: MapRunListener | undefined): {
  readonly mapRuns: MapRunListener
  readonly children: readonly (readonly HistoryEvent[])[]
} {
  const children: HistoryEvent[][] = []
  const mapRuns: MapRunListener = {
    onStart: (run, control) => other?.onStart(run, control),
    onChange: run => other?.onChange(run),
    onChild: (child, control) => {
      const listener = other?.onChild?.(child, control)
      const events: HistoryEvent[] = []
      children.push(events)
      return {
        ...listener,
        onEvent: record => {
          if (record.id > 0) events.push(toHistoryEvent(record))
          listener?.onEvent(record)
        },
        onEnd: (...ending) => listener?.onEnd(...ending),
      }
    },
  }
  return { mapRuns, children }
}
