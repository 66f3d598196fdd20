import { record, type Thread } from '../execution/thread.ts'
import { dataLimitFailure, StateFailure } from '../failures/state-failure.ts'
import { exceedsBytes, type Json, throughJson } from '../json.ts'
import { isPromise, type MaybePromise } from '../maybe-promise.ts'
import { callOut, functionFailure, type Terms } from './call.ts'
import { shownTerms } from './terms.ts'

/** A Task whose Resource is a function's ARN: the result is the payload itself. */
export function runFunctionTask(thread: Thread, arn: string, input: Json, terms: Terms): MaybePromise<Json> {
  const { engine } = thread.execution
  record(thread, 'LambdaFunctionScheduled', { resource: arn, input, ...shownTerms(terms) })
  record(thread, 'LambdaFunctionStarted')
  const finish = (output: Json): Json => {
    if (exceedsBytes(output, engine.limits.payloadBytes)) throw dataLimitFailure(arn, { ofTask: true })
    record(thread, 'LambdaFunctionSucceeded', { output })
    return output
  }
  const fail = (thrown: unknown): never => {
    const failure = functionFailure(thrown)
    if (failure instanceof StateFailure) {
      const { error, cause } = failure
      record(thread, error === 'States.Timeout' ? 'LambdaFunctionTimedOut' : 'LambdaFunctionFailed', {
        error,
        cause,
      })
    }
    throw failure
  }
  const finishOrFail = (output: Json): Json => {
    try {
      return finish(output)
    } catch (error) {
      return fail(error)
    }
  }
  try {
    const answer = callOut(thread, terms, context => engine.invoke(arn, throughJson(input), context))
    return isPromise(answer) ? answer.then(finishOrFail, fail) : finish(answer)
  } catch (error) {
    return fail(error)
  }
}
