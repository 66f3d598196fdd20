import type { Exit } from '../flow/flow.ts'
import type { CompiledState } from '../states/compiled-state.ts'

/** A state that has to wait before it can be left. */
export class Waiting {
  readonly state: CompiledState
  readonly exit: Promise<Exit>

  constructor(state: CompiledState, exit: Promise<Exit>) {
    this.state = state
    this.exit = exit
  }
}
