import type { Exit } from '../flow/flow.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { CallKind } from './call-kind.ts'
import type { TaskCall } from './task-call.ts'

/** How the Tasks on one resource are run. */
export interface RunTask {
  readonly kind: CallKind
  readonly run: (call: TaskCall) => MaybePromise<Exit>
}
