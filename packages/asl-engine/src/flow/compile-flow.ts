import type { QueryLanguage } from '@stepwright/asl'
import type { Thread } from '../execution/thread.ts'
import type { Json } from '../json.ts'
import { chain } from '../maybe-promise.ts'
import type { Finished, Flow, FlowFields } from './flow.ts'
import { compileJsonataFlow } from './jsonata-flow.ts'
import { compileJsonpathFlow } from './jsonpath-flow.ts'
import { checkPayload } from './payload.ts'

/** A state's data flow; what it prepares and what it leaves with fits into a payload. */
export function compileFlow(language: QueryLanguage, fields: FlowFields): Flow {
  const flow = language === 'JSONata' ? compileJsonataFlow(fields) : compileJsonpathFlow(fields)
  const leave =
    (thread: Thread, input: Json) =>
    (finished: Finished): Finished => {
      if (finished.output !== input) checkPayload(thread, finished.output)
      return finished
    }
  return {
    prepare: (thread, input) =>
      chain(flow.prepare(thread, input), value => (value === input ? value : checkPayload(thread, value))),
    finish: (thread, input, result) => chain(flow.finish(thread, input, result), leave(thread, input)),
    pass: (thread, input, effective) => chain(flow.pass(thread, input, effective), leave(thread, input)),
  }
}
