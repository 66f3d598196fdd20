/** The execution waits for something that cannot happen any more: nothing is under way, and no timer is left. */
export class WorkflowStalledError extends Error {
  override readonly name = 'WorkflowStalledError'
  /** The states that wait for an answer. */
  readonly states: readonly string[]

  constructor(states: readonly string[]) {
    const [first = 'a state'] = states
    const who = states.length > 1 ? `the states ${states.join(', ')} wait` : `the state '${first}' waits`
    super(
      `${who} for an answer that nobody gives: nothing is under way and no timeout is set. Let its task answer the token through engine.taskTokens, or give the state TimeoutSeconds.`,
    )
    this.states = states
  }
}
