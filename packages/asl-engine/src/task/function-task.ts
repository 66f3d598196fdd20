import { record } from '../execution/thread.ts'
import type { Exit } from '../flow/flow.ts'
import { throughJson } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { callOut } from './call.ts'
import { functionFailure } from './call-failure.ts'
import { callKind, SettledCall } from './settle-call.ts'
import type { TaskCall } from './task-call.ts'
import { shownTerms } from './terms.ts'

const kind = callKind('LambdaFunction', functionFailure)

/** A Task whose Resource is a function's ARN: the result is the payload itself. */
export function runFunctionTask(arn: string, task: TaskCall): MaybePromise<Exit> {
  const { thread, terms } = task
  const { engine } = thread.execution
  const before = thread.replay?.peek(kind.scheduled)
  const payload = before === undefined ? task.argument : (before.details?.input ?? null)
  const shown = shownTerms(terms)
  record(
    thread,
    kind.scheduled,
    shown === undefined ? { resource: arn, input: payload } : { resource: arn, input: payload, ...shown },
  )
  record(thread, 'LambdaFunctionStarted')
  const settled = new SettledCall(thread, kind, arn, task.input, task.leave)
  return (
    settled.onRecord() ??
    callOut(thread, terms, context => engine.invoke(arn, throughJson(payload), context), settled)
  )
}
