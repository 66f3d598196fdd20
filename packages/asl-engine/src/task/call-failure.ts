import { Interrupted, StateFailure } from '../failures/state-failure.ts'
import { TaskFailure } from './ports.ts'

/** How Step Functions names what a Lambda function threw. */
export function functionFailure(thrown: unknown): unknown {
  if (thrown instanceof StateFailure || thrown instanceof Interrupted) return thrown
  if (thrown instanceof TaskFailure) return namedFailure(thrown)
  const isError = thrown instanceof Error
  const errorType = isError ? thrown.name : typeof thrown
  const errorMessage = isError ? thrown.message : String(thrown)
  const trace = isError ? (thrown.stack ?? '').split('\n') : []
  return new StateFailure(errorType, JSON.stringify({ errorType, errorMessage, trace }))
}

/** How Step Functions names what a service integration threw. */
export function serviceFailure(thrown: unknown): unknown {
  if (thrown instanceof StateFailure || thrown instanceof Interrupted) return thrown
  if (thrown instanceof TaskFailure) return namedFailure(thrown)
  if (thrown instanceof Error) return new StateFailure(thrown.name, thrown.message)
  return new StateFailure(typeof thrown, String(thrown))
}

/** It is the task's, whatever its name is: `States.ALL` takes a `States.DataLimitExceeded` of a task only. */
function namedFailure({ error, cause }: TaskFailure): StateFailure {
  return new StateFailure(error, cause, { ofTask: true })
}
