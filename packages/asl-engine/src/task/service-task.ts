import { record, type Thread } from '../execution/thread.ts'
import { dataLimitFailure, StateFailure } from '../failures/state-failure.ts'
import { exceedsBytes, type Json } from '../json.ts'
import { isPromise, type MaybePromise } from '../maybe-promise.ts'
import { awaitToken, callOut, serviceFailure, type Terms } from './call.ts'
import { invokeThroughService } from './lambda-invoke.ts'
import type { CallContext } from './ports.ts'
import type { Resource } from './resource.ts'
import { shownTerms } from './terms.ts'

type Service = Extract<Resource, { kind: 'service' }>

/** A Task on an optimised or SDK integration: `arn:aws:states:::sqs:sendMessage.waitForTaskToken`. */
export function runServiceTask(
  thread: Thread,
  service: Service,
  parameters: Json,
  terms: Terms,
): MaybePromise<Json> {
  const { engine } = thread.execution
  const named = { resourceType: service.service, resource: service.resource }
  record(thread, 'TaskScheduled', { ...named, region: engine.region, parameters, ...shownTerms(terms) })
  record(thread, 'TaskStarted', named)
  const finish = (output: Json): Json => {
    if (exceedsBytes(output, engine.limits.payloadBytes))
      throw dataLimitFailure(service.service, { ofTask: true })
    record(thread, 'TaskSucceeded', { ...named, output })
    return output
  }
  const fail = (thrown: unknown): never => {
    const failure = serviceFailure(thrown)
    if (failure instanceof StateFailure && !failure.terminal) {
      const { error, cause } = failure
      record(thread, error === 'States.Timeout' ? 'TaskTimedOut' : 'TaskFailed', { ...named, error, cause })
    }
    throw failure
  }
  const submitted = (output: Json): void => {
    record(thread, 'TaskSubmitted', { ...named, output })
  }
  try {
    const answer =
      service.pattern === 'request'
        ? callService(thread, service, parameters, terms, submitted)
        : runAndWait(thread, service, parameters, terms, submitted)
    return isPromise(answer) ? answer.then(finish).catch(fail) : finish(answer)
  } catch (error) {
    return fail(error)
  }
}

function callService(
  thread: Thread,
  service: Service,
  parameters: Json,
  terms: Terms,
  submitted: (response: Json) => void,
): MaybePromise<Json> {
  const { engine } = thread.execution
  if (service.service === 'lambda' && service.action.startsWith('invoke')) {
    return invokeThroughService(thread, parameters, terms)
  }
  return callOut(thread, terms, context =>
    engine.services({
      ...passOn(context),
      service: service.service,
      action: service.action,
      pattern: service.pattern,
      parameters,
      taskToken: thread.taskToken ?? '',
      submitted,
    }),
  )
}

/** A spread would read `signal`, which is made only when asked for. */
function passOn(context: CallContext): CallContext {
  return {
    executionArn: context.executionArn,
    stateMachineArn: context.stateMachineArn,
    stateName: context.stateName,
    retryCount: context.retryCount,
    get signal() {
      return context.signal
    },
    sleep: context.sleep,
  }
}

/** `.waitForTaskToken` ends by its token alone; a `.sync` job by itself, or by the token if it was handed one. */
async function runAndWait(
  thread: Thread,
  service: Service,
  parameters: Json,
  terms: Terms,
  submitted: (response: Json) => void,
): Promise<Json> {
  const waiting = awaitToken(thread, thread.taskToken ?? '', terms, () => undefined)
  // Settled before anyone looks: a failure must not count as unhandled while the service still answers.
  waiting.result.catch(() => undefined)
  try {
    const answer = callService(thread, service, parameters, terms, submitted)
    if (service.pattern !== 'waitForTaskToken') return await Promise.race([answer, waiting.result])
    submitted(await answer)
    return await waiting.result
  } finally {
    waiting.close()
  }
}
