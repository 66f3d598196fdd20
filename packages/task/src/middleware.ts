import type { TaskErrorClass } from '@stepwright/errors'
import type { TaskContext } from './task-context.ts'

/** One call on its way to a task's `run`: the input has passed its schema. */
export interface TaskCall<Input = unknown, Ports = unknown> {
  readonly task: string
  readonly input: Input
  readonly ports: Ports
  readonly context: TaskContext
}

/**
 * Wraps a task's `run`: may answer in its place, run it under a lock, or give it another context.
 * It takes what it needs from the ports, so that a task's contract can be read without building them.
 */
export interface TaskMiddleware<Input = unknown, Output = unknown, Ports = unknown> {
  /** What it may throw besides the task's own errors; they become part of the task's contract. */
  readonly errors: readonly TaskErrorClass[]
  wrap(call: TaskCall<Input, Ports>, next: (context?: TaskContext) => Promise<Output>): Promise<Output>
}
