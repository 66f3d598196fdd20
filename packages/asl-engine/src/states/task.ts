import type { TaskState } from '@stepwright/asl'
import { parseResource, type Resource } from '@stepwright/asl/expressions'
import type { Thread } from '../execution/thread.ts'
import { compileFlow } from '../flow/compile-flow.ts'
import type { Exit } from '../flow/flow.ts'
import type { Json } from '../json.ts'
import { chain, type MaybePromise } from '../maybe-promise.ts'
import { runActivityTask } from '../task/activity-task.ts'
import type { Terms } from '../task/call.ts'
import { runFunctionTask } from '../task/function-task.ts'
import { runServiceTask } from '../task/service-task.ts'
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

  const attempt = (thread: Thread, input: Json): MaybePromise<Exit> => {
    if (hasToken) thread.taskToken = tokenOnRecord(thread) ?? thread.execution.engine.chance.uuid()
    const standIn = thread.execution.observer?.standIn
    return chain(flow.prepare(thread, input), argument =>
      chain(termsOf(thread, input), terms =>
        chain(standIn === undefined ? runTask(thread, resource, argument, terms) : standIn.answer(), result =>
          flow.finish(thread, input, result),
        ),
      ),
    )
  }
  const handling = compileHandling(state, language, attempt)
  return compiledState(name, 'Task', withHandling(handling), handling)
}

/** Whoever holds the token that was handed out before the execution was interrupted can still report with it. */
function tokenOnRecord({ replay }: Thread): string | undefined {
  const scheduled = replay?.peek('TaskScheduled') ?? replay?.peek('ActivityScheduled')
  return scheduled?.details?.taskToken
}

function runTask(thread: Thread, resource: Resource, argument: Json, terms: Terms): MaybePromise<Json> {
  switch (resource.kind) {
    case 'function':
      return runFunctionTask(thread, resource.arn, argument, terms)
    case 'activity':
      return runActivityTask(thread, resource.arn, argument, terms)
    case 'service':
      return runServiceTask(thread, resource, argument, terms)
  }
}
