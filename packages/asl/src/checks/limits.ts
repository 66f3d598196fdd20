import { type StateNode, statesOf } from '../machine/machine.ts'
import { integrationOf } from '../machine/resource.ts'
import { under } from '../source/pointer.ts'
import { checkCallbackToken } from './callback-token.ts'
import type { CheckContext } from './context.ts'
import type { FlowFacts } from './flow.ts'
import { checkMap } from './map-limits.ts'
import { checkRetryTime, timeLimitOf } from './retry-time.ts'
import { checkRows } from './row-limits.ts'

export interface LimitOptions {
  readonly express: boolean
}

/** What Step Functions allows in size, number and time. */
export function checkLimits(
  context: CheckContext,
  facts: FlowFacts,
  fields: { readonly [name: string]: unknown },
  options: LimitOptions,
): void {
  const timeout = typeof fields['TimeoutSeconds'] === 'number' ? fields['TimeoutSeconds'] : undefined
  if (fields['TimeoutSeconds'] === undefined && !options.express) {
    context.report(
      'limits/missing-timeout',
      [],
      'The machine has no TimeoutSeconds: an execution that hangs lives for a year.',
      {
        suggestion: 'Give the machine a TimeoutSeconds.',
      },
    )
  }
  for (const state of statesOf(context.machine)) {
    const limit = state.retriers.length > 0 ? timeLimitOf(state, timeout, options) : undefined
    if (limit !== undefined) checkRetryTime(state, limit, context)
    if (state.type === 'Task') {
      checkTask(state, context)
      checkCallbackToken(state, context)
    }
    if (state.type === 'Map') checkMap(state, facts.items.get(state), context)
  }
  checkRows(context, facts)
}

function checkTask(state: StateNode, context: CheckContext): void {
  const { wait, kind } = integrationOf(state.fields['Resource'])
  const heartbeat = ['HeartbeatSeconds', 'HeartbeatSecondsPath'].find(
    field => state.fields[field] !== undefined,
  )
  // whoever holds the token, a job that is waited for included, can send heartbeats
  const canBeat = wait !== 'response' || kind === 'unknown'
  if (
    heartbeat !== undefined &&
    (!canBeat || (kind === 'unknown' && context.findContract(state) !== undefined))
  ) {
    const message =
      'Nothing sends a heartbeat for this task, so it fails when the time is over: only callbacks, activities and jobs can.'
    context.report('limits/heartbeat-never-sent', under(state.pointer, heartbeat), message, {
      at: 'key',
      suggestion: `Remove ${heartbeat}, and let TimeoutSeconds end the task.`,
    })
  }
  const timed = ['TimeoutSeconds', 'TimeoutSecondsPath', 'HeartbeatSeconds', 'HeartbeatSecondsPath']
  if (wait === 'callback' && !timed.some(field => state.fields[field] !== undefined)) {
    const message = `"${state.name}" waits for an answer that may never come.`
    context.report('limits/callback-without-timeout', under(state.pointer, 'Resource'), message, {
      suggestion: 'Give it a TimeoutSeconds or a HeartbeatSeconds.',
    })
  }
}
