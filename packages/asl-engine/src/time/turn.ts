import type { Execution } from '../execution/execution.ts'

/** So many transitions in a row without a wait, then the event loop gets its turn. */
const transitionsPerTurn = 1000

/** Counts a transition; whether it is time to let others run. */
export function needsTurn(execution: Execution): boolean {
  execution.transitions += 1
  return execution.transitions >= transitionsPerTurn
}

/** Lets timers and I/O have their turn, for all threads of the execution together; virtual time stands still meanwhile. */
export function takeTurn(execution: Execution): Promise<undefined> {
  execution.turn ??= new Promise<undefined>(resolve => {
    const release = execution.engine.clock.hold()
    setImmediate(() => {
      execution.turn = undefined
      execution.transitions = 0
      release()
      resolve(undefined)
    })
  })
  return execution.turn
}
