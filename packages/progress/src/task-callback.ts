/** Answers a state that waits for a task token. */
export interface TaskCallback {
  /** A sign of life. False if nobody waits any more: the execution was stopped, or its time was up. */
  heartbeat(taskToken: string): Promise<boolean>
  /** The state's result. False if nobody waits any more. */
  succeed(taskToken: string, output: unknown): Promise<boolean>
}
