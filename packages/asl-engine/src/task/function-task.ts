import { record } from '../execution/thread.ts'
import type { Exit } from '../flow/flow.ts'
import type { EventKind } from '../history/event-kind.ts'
import { copyJson, type Json } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { callOut } from './call.ts'
import { functionFailure } from './call-failure.ts'
import { callKind } from './call-kind.ts'
import type { RunTask } from './run-task.ts'
import type { TaskCall } from './task-call.ts'
import { shownTerms } from './terms.ts'

/** A Task whose Resource is a function's ARN: the result is the payload itself. */
export function compileFunctionTask(arn: string): RunTask {
  const kind = callKind('LambdaFunction', arn, functionFailure)
  const scheduled: EventKind<Json> = {
    type: kind.scheduled,
    detailsOf: input => ({ resource: arn, input }),
  }
  const run = (call: TaskCall): MaybePromise<Exit> => {
    const { thread, terms } = call
    const { engine } = thread.execution
    const before = thread.replay?.peek(kind.scheduled)
    const payload = before === undefined ? call.argument : (before.details?.input ?? null)
    const shown = shownTerms(terms)
    if (shown === undefined) record(thread, scheduled, payload)
    else record(thread, kind.scheduled, { resource: arn, input: payload, ...shown })
    record(thread, 'LambdaFunctionStarted')
    return (
      call.onRecord() ??
      callOut(thread, terms.timeoutMs, context => engine.invoke(arn, copyJson(payload), context), call)
    )
  }
  return { kind, run }
}
