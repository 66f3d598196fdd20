import type { QueryLanguage } from '@stepwright/asl'
import type { Thread } from '../execution/thread.ts'
import type { Json } from '../json.ts'
import { isPromise, type MaybePromise } from '../maybe-promise.ts'
import type { Finished, Flow, FlowFields } from './flow.ts'
import { compileJsonataFlow } from './jsonata-flow.ts'
import { compileJsonpathFlow } from './jsonpath-flow.ts'
import { checkPayload } from './payload.ts'

/** A state's data flow; what it prepares and what it leaves with fits into a payload. */
export function compileFlow(language: QueryLanguage, fields: FlowFields): Flow {
  const flow = language === 'JSONata' ? compileJsonataFlow(fields) : compileJsonpathFlow(fields)
  return {
    prepare: (thread, input) => checkPrepared(thread, input, flow.prepare(thread, input)),
    finish: (thread, input, result) => checkFinished(thread, input, flow.finish(thread, input, result)),
    pass: (thread, input, effective) => checkFinished(thread, input, flow.pass(thread, input, effective)),
  }
}

function checkPrepared(thread: Thread, input: Json, prepared: MaybePromise<Json>): MaybePromise<Json> {
  if (prepared === input) return input
  return isPromise(prepared)
    ? prepared.then(value => checkPayload(thread, value))
    : checkPayload(thread, prepared)
}

function checkFinished(
  thread: Thread,
  input: Json,
  finished: MaybePromise<Finished>,
): MaybePromise<Finished> {
  if (isPromise(finished)) return finished.then(value => checkFinished(thread, input, value))
  if (finished.output !== input) checkPayload(thread, finished.output)
  return finished
}
