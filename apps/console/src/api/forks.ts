/** Which executions were forked from which. */
export interface Forks {
  originOf(executionArn: string): string | undefined
  of(executionArn: string): readonly string[]
  /** The state machines that forks of these run on. */
  machinesOf(stateMachineArns: readonly string[]): readonly string[]
  /** The workflow that a fork's state machine belongs to. */
  workflowOf(stateMachineArn: string): string | undefined
  add(fork: { executionArn: string; origin: string; machine: string; base: string; workflow: string }): void
}

export function createForks(): Forks {
  const origins = new Map<string, string>()
  const machines = new Map<string, { readonly base: string; readonly workflow: string }>()
  return {
    originOf: arn => origins.get(arn),
    of: arn => [...origins].filter(([, origin]) => origin === arn).map(([fork]) => fork),
    machinesOf: arns =>
      [...machines].filter(([, { base }]) => arns.includes(base)).map(([machine]) => machine),
    workflowOf: arn => machines.get(arn)?.workflow,
    add({ executionArn, origin, machine, base, workflow }) {
      origins.set(executionArn, origin)
      machines.set(machine, { base, workflow })
    },
  }
}
