import type { Resource } from '@stepwright/asl/expressions'
import { record, type Thread } from '../execution/thread.ts'
import type { Exit } from '../flow/flow.ts'
import type { Json } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { awaitToken } from './await-token.ts'
import { callOut } from './call.ts'
import { serviceFailure } from './call-failure.ts'
import { callKind } from './call-kind.ts'
import { invokeThroughService } from './lambda-invoke.ts'
import { answerItself, type Outcome } from './outcome.ts'
import type { CallContext } from './ports.ts'
import type { RunTask } from './run-task.ts'
import type { TaskCall } from './task-call.ts'
import { shownTerms, type Terms } from './terms.ts'

type Service = Extract<Resource, { kind: 'service' }>

interface Submission {
  readonly thread: Thread
  readonly service: Service
  readonly parameters: Json
  readonly terms: Terms
  readonly submitted: (response: Json) => void
  /** What starting the job answered before the execution was interrupted. */
  readonly before: Json | undefined
}

/** A Task on an optimised or SDK integration: `arn:aws:states:::sqs:sendMessage.waitForTaskToken`. */
export function compileServiceTask(service: Service): RunTask {
  const named = { resourceType: service.service, resource: service.resource }
  const kind = callKind('Task', service.service, serviceFailure, named)
  const run = (call: TaskCall): MaybePromise<Exit> => {
    const { thread, terms } = call
    const { region } = thread.execution.engine
    const scheduled = thread.replay?.peek(kind.scheduled)
    const parameters = scheduled === undefined ? call.argument : (scheduled.details?.parameters ?? null)
    record(thread, kind.scheduled, {
      ...named,
      region,
      parameters,
      ...(thread.taskToken === undefined ? {} : { taskToken: thread.taskToken }),
      ...shownTerms(terms),
    })
    record(thread, 'TaskStarted', named)
    const ending = call.onRecord()
    if (ending !== undefined) return ending
    const submitted = (output: Json): void => {
      record(thread, 'TaskSubmitted', { ...named, output })
    }
    const before = thread.replay?.peek('TaskSubmitted')?.details?.output
    const submission = { thread, service, parameters, terms, submitted, before }
    if (service.pattern === 'request') return callService(submission, call)
    return runAndWait(submission, scheduled?.timestampMs).then(
      output => call.succeed(output),
      error => call.fail(error),
    )
  }
  return { kind, run }
}

function callService<Result>(
  { thread, service, parameters, terms, submitted, before }: Submission,
  outcome: Outcome<Result>,
): MaybePromise<Result> {
  const { engine } = thread.execution
  if (service.service === 'lambda' && service.action.startsWith('invoke')) {
    return invokeThroughService(thread, parameters, terms.timeoutMs, outcome)
  }
  const call = (context: CallContext): unknown =>
    engine.services({
      ...passOn(context),
      service: service.service,
      action: service.action,
      pattern: service.pattern,
      parameters,
      taskToken: thread.taskToken ?? '',
      submitted,
      ...(before === undefined ? {} : { before }),
    })
  return callOut(thread, terms.timeoutMs, call, outcome)
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
    taskToken: context.taskToken,
  }
}

/** Rejects if that does, and never resolves: a state gives up although the service has not answered yet. */
function failureOf(result: Promise<unknown>): Promise<never> {
  return result.then(() => new Promise<never>(() => {}))
}

/** `.waitForTaskToken` ends by its token alone; a `.sync` job by itself, or by the token if it was handed one. */
async function runAndWait(submission: Submission, scheduledMs: number | undefined): Promise<Json> {
  const { thread, service, terms, submitted, before } = submission
  const waiting = awaitToken(thread, thread.taskToken ?? '', terms, { scheduledMs, beatsFrom: 'now' })
  // Settled before anyone looks: a failure must not count as unhandled while the service still answers.
  waiting.result.catch(() => undefined)
  try {
    if (service.pattern !== 'waitForTaskToken') {
      return await Promise.race([callService(submission, answerItself), waiting.result])
    }
    submitted(
      before ?? (await Promise.race([callService(submission, answerItself), failureOf(waiting.result)])),
    )
    return await waiting.result
  } finally {
    waiting.close()
  }
}
