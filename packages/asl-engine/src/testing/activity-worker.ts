import type { StateFailure } from '../failures/state-failure.ts'
import { type Json, throughJson } from '../json.ts'
import { serviceFailure } from '../task/call-failure.ts'
import { OpenCall } from '../task/open-call.ts'
import type { CallContext, ScheduledActivity } from '../task/ports.ts'
import { createCancellation } from '../time/cancellation.ts'
import type { Clock } from '../time/clock.ts'
import type { WaitingCalls } from './waiting-calls.ts'

/** Does an activity's task as a worker does: takes it, works on it, and reports with its token. */
export async function workOnActivity(
  scheduled: ScheduledActivity,
  work: (input: Json, context: CallContext) => unknown,
  clock: Clock,
  waiting: WaitingCalls,
): Promise<void> {
  const { taskToken, executionArn, stateMachineArn, stateName, retryCount } = scheduled
  const task = waiting.taskTokens.get(taskToken)
  if (task === undefined) return
  const identity = { arn: executionArn, stateMachineArn }
  const call = new OpenCall(clock, identity, createCancellation(), stateName, retryCount, taskToken)
  waiting.name(taskToken, stateName, () => {
    call.end()
    call.abort()
  })
  task.start('runWorkflow')
  try {
    const output = throughJson(await work(JSON.parse(scheduled.input) as Json, call))
    task.succeed(output)
  } catch (thrown) {
    task.fail(serviceFailure(thrown) as StateFailure)
  }
}
