import type { GraphNode } from './graph.ts'
import type { VisitStatus } from './visits.ts'

/** Outlines in a square of 16. */
export const typeIcons: Readonly<Record<GraphNode['type'], string>> = {
  Task: 'M3 3.5h10v9H3z M5.5 6.5l2 1.5-2 1.5 M9 10h2',
  Choice: 'M8 2l6 6-6 6-6-6z',
  Wait: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11 M8 5v3l2 1.5',
  Pass: 'M2.5 8h11 M10 4.5L13.5 8L10 11.5',
  Succeed: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11 M5.5 8l2 2 3-4',
  Fail: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11 M6 6l4 4 M10 6l-4 4',
  Parallel: 'M3 3v10 M8 3v10 M13 3v10',
  Map: 'M3 5.5h8v8H3z M5.5 5.5V3H13.5v8H11',
  Start: '',
  End: '',
  Missing: 'M8 3v6 M8 12v.5',
  Unknown: 'M8 3v6 M8 12v.5',
}

export const statusIcons: Readonly<Record<VisitStatus, string>> = {
  succeeded: 'M3.5 8.5l3 3 6-7',
  failed: 'M4 4l8 8 M12 4l-8 8',
  caught: 'M3 5h6a3.5 3.5 0 0 1 0 7H5 M7 9.5L4.5 12L7 14.5',
  running: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
  cancelled: 'M3.5 8h9',
}
