import type { Execution } from '../execution/execution.ts'
import { takeTurn } from '../time/turn.ts'

/** Those who run the children of a Map run, each one after the other. */
export interface Workers {
  /** Resolves when there is nothing more to do. */
  readonly run: () => Promise<void>
  /** More of them, because more may work now. */
  readonly grow: () => void
  /** Whether one who has finished a child may begin another. */
  readonly mayGoOn: () => boolean
}

export interface WorkersOptions {
  readonly execution: Execution
  /** How many may work at once, which may change. */
  readonly most: () => number
  /** Runs one child after the other while it may; whether there may be more. */
  readonly work: () => Promise<boolean>
  /** How many children run. */
  readonly running: () => number
  /** How many children have been run. */
  readonly finished: () => number
}

const firstWorkers = 4

/**
 * Begins with few workers and doubles them whenever all have a child and none has finished one while the event loop came
 * round: work that is done at once needs few, work that waits gets as many as it may have. When fewer may work, those too
 * many leave after the child that they are at.
 */
export function createWorkers({ execution, most, work, running, finished }: WorkersOptions): Workers {
  const over = Promise.withResolvers<void>()
  let active = 0
  let isGrowing = false
  let isOver = false
  const settle = (): void => {
    if (active === 0 && !isGrowing) over.resolve()
  }
  const mayGoOn = (): boolean => !isOver && active <= most()
  const labour = async (): Promise<void> => {
    if (mayGoOn() && !(await work())) isOver = true
    active -= 1
    settle()
  }
  const add = (count: number): void => {
    active += count
    for (let added = 0; added < count; added += 1) void labour()
  }
  const grow = async (): Promise<void> => {
    if (isGrowing || isOver) return
    isGrowing = true
    for (let before = -1; active < most() && !isOver; ) {
      const now = finished()
      if (now === before && running() >= active) add(Math.min(Math.max(active, 1), most() - active))
      before = now
      await takeTurn(execution)
    }
    isGrowing = false
    settle()
  }
  return {
    run: async () => {
      add(Math.min(firstWorkers, most()))
      void grow()
      await over.promise
    },
    grow: () => void grow(),
    mayGoOn,
  }
}
