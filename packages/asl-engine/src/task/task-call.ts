import type { Thread } from '../execution/thread.ts'
import type { Json } from '../json.ts'
import type { Leave } from './settle-call.ts'
import type { Terms } from './terms.ts'

/** What a Task is about to do. */
export interface TaskCall {
  readonly thread: Thread
  /** The state's input. */
  readonly input: Json
  /** What is called with. */
  readonly argument: Json
  readonly terms: Terms
  readonly leave: Leave
}
