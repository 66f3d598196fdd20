import type { TaskState } from '@stepwright/asl'
import { parseResource, type Resource } from '@stepwright/asl/expressions'
import type { Thread } from '../execution/thread.ts'
import { compileFlow } from '../flow/compile-flow.ts'
import type { Exit } from '../flow/flow.ts'
import type { Json } from '../json.ts'
import { chain, isPromise, type MaybePromise } from '../maybe-promise.ts'
import { compileActivityTask } from '../task/activity-task.ts'
import { compileFunctionTask } from '../task/function-task.ts'
import type { RunTask } from '../task/run-task.ts'
import { compileServiceTask } from '../task/service-task.ts'
import { TaskCall } from '../task/task-call.ts'
import { compileTerms } from '../task/terms.ts'
import { type CompileContext, type CompiledState, compiledState, languageOf } from './compiled-state.ts'
import { compileHandling, withHandling } from './error-handling.ts'

export function compileTask(name: string, state: TaskState, context: CompileContext): CompiledState {
  const language = languageOf(state, context)
  const flow = compileFlow(language, state, state.Next)
  const resource = parseResource(state.Resource)
  const termsOf = compileTerms(state, language)
  const hasToken =
    resource.kind === 'activity' || (resource.kind === 'service' && resource.pattern !== 'request')
  const { kind, run } = compileCall(resource)
  const leave = flow.finish

  const call = (thread: Thread, input: Json, argument: Json): MaybePromise<Exit> => {
    const standIn = thread.execution.observer?.standIn
    const terms = termsOf(thread, input)
    if (standIn !== undefined) return chain(terms, () => leave(thread, input, standIn.answer()))
    return isPromise(terms)
      ? terms.then(found => run(new TaskCall(kind, thread, input, argument, found, leave)))
      : run(new TaskCall(kind, thread, input, argument, terms, leave))
  }
  const attempt = (thread: Thread, input: Json): MaybePromise<Exit> => {
    if (hasToken) thread.taskToken = tokenOnRecord(thread) ?? thread.execution.engine.chance.uuid()
    const argument = flow.prepare(thread, input)
    return isPromise(argument)
      ? argument.then(value => call(thread, input, value))
      : call(thread, input, argument)
  }
  const handling = compileHandling(state, language, attempt)
  return compiledState(name, 'Task', withHandling(handling), handling)
}

/** Whoever holds the token that was handed out before the execution was interrupted can still report with it. */
function tokenOnRecord({ replay }: Thread): string | undefined {
  const scheduled = replay?.peek('TaskScheduled') ?? replay?.peek('ActivityScheduled')
  return scheduled?.details?.taskToken
}

function compileCall(resource: Resource): RunTask {
  switch (resource.kind) {
    case 'function':
      return compileFunctionTask(resource.arn)
    case 'activity':
      return compileActivityTask(resource.arn)
    case 'service':
      return compileServiceTask(resource)
  }
}
