import type { StatusChangeEvent } from '@stepwright/local-step-functions'

/** How an execution ended. */
export type ExecutionEnd = StatusChangeEvent['detail']

export interface ExecutionEnds {
  hear(event: StatusChangeEvent): void
  /** The next execution of that state machine to end, or the one of this name, also if it has ended. */
  next(stateMachineArn: string, name: string | undefined): Promise<ExecutionEnd>
}

const maxRemembered = 10_000

export function createExecutionEnds(): ExecutionEnds {
  const ended = new Map<string, ExecutionEnd>()
  const waiting = new Set<{
    readonly wants: (end: ExecutionEnd) => boolean
    resolve(end: ExecutionEnd): void
  }>()
  return {
    hear({ detail }) {
      if (detail.status === 'RUNNING') {
        ended.delete(detail.executionArn) // started again by a redrive
        return
      }
      ended.set(detail.executionArn, detail)
      if (ended.size > maxRemembered) ended.delete(ended.keys().next().value as string)
      for (const one of waiting) {
        if (!one.wants(detail)) continue
        waiting.delete(one)
        one.resolve(detail)
      }
    },
    next(stateMachineArn, name) {
      const wants = (end: ExecutionEnd) =>
        end.stateMachineArn === stateMachineArn && (name === undefined || end.name === name)
      const known = name === undefined ? undefined : [...ended.values()].find(wants)
      return known ? Promise.resolve(known) : new Promise(resolve => waiting.add({ wants, resolve }))
    },
  }
}
