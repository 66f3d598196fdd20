import { record } from '../execution/thread.ts'
import { runtimeFailure } from '../failures/state-failure.ts'
import type { Exit } from '../flow/flow.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { awaitToken } from './await-token.ts'
import { callKind } from './call-kind.ts'
import type { RunTask } from './run-task.ts'
import type { TaskCall } from './task-call.ts'
import { shownTerms } from './terms.ts'

/** A Task that waits for an activity worker. */
export function compileActivityTask(activityArn: string): RunTask {
  const kind = callKind('Activity', activityArn, failure => failure)
  const run = (call: TaskCall): MaybePromise<Exit> => {
    const { thread, terms } = call
    const { activities } = thread.execution.engine
    if (!activities.exists(activityArn)) throw runtimeFailure(`The activity ${activityArn} does not exist.`)
    const before = thread.replay?.peek(kind.scheduled)
    const given = before === undefined ? call.argument : (before.details?.input ?? null)
    const { taskToken = '' } = thread
    record(thread, kind.scheduled, { resource: activityArn, input: given, taskToken, ...shownTerms(terms) })
    const ending = call.onRecord()
    if (ending !== undefined) return ending
    const isWithWorker = thread.replay?.peek('ActivityStarted') !== undefined
    if (isWithWorker) record(thread, 'ActivityStarted')
    const waiting = awaitToken(thread, taskToken, terms, {
      scheduledMs: before?.timestampMs,
      beatsFrom: isWithWorker ? 'now' : 'start',
      onStart: workerName => record(thread, 'ActivityStarted', { workerName }),
    })
    if (!isWithWorker) {
      const { stateName, retryCount, execution } = thread
      const { arn: executionArn, stateMachineArn } = execution.identity
      const input = JSON.stringify(given)
      const task = { activityArn, taskToken, input, stateName, retryCount, executionArn, stateMachineArn }
      activities.schedule(task)
    }
    return waiting.result.then(
      output => call.succeed(output),
      error => call.fail(error),
    )
  }
  return { kind, run }
}
