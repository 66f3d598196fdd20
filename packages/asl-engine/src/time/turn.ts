import type { Execution } from '../execution/execution.ts'

/** So many transitions in a row without a wait, then the event loop gets its turn. */
const transitionsPerTurn = 1000

/** Counts a transition; whether it is time to let others run. */
export function needsTurn(execution: Execution): boolean {
  execution.transitions += 1
  return execution.transitions >= transitionsPerTurn
}

/** Lets timers and I/O have their turn; virtual time stands still meanwhile. */
export function takeTurn(execution: Execution): Promise<void> {
  execution.transitions = 0
  const release = execution.engine.clock.hold()
  return new Promise(resolve => {
    setImmediate(() => {
      release()
      resolve()
    })
  })
}
