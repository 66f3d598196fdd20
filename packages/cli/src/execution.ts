export { createProgressDisplay, type ProgressDisplay } from './execution/draw.ts'
export type { ProgressReader, StateProgress } from './execution/progress.ts'
export { type WatchedExecution, type WatchOptions, watchExecution } from './execution/watch.ts'
