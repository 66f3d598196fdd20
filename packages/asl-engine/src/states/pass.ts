import type { PassState } from '@stepwright/asl'
import { compileFlow } from '../flow/compile-flow.ts'
import type { Exit } from '../flow/flow.ts'
import { chain, isPromise } from '../maybe-promise.ts'
import { type CompileContext, type CompiledState, compiledState, languageOf } from './compiled-state.ts'

export function compilePass(name: string, state: PassState, context: CompileContext): CompiledState {
  const language = languageOf(state, context)
  const flow = compileFlow(language, state)
  const next = state.Next
  const leave = (finished: { output: Exit['output']; assigned: Exit['assigned'] }): Exit => ({
    next,
    output: finished.output,
    assigned: finished.assigned,
  })
  if (language === 'JSONata') {
    return compiledState(name, 'Pass', (thread, input) => chain(flow.pass(thread, input, input), leave))
  }
  const { Result } = state
  return compiledState(name, 'Pass', (thread, input) => {
    const argument = flow.prepare(thread, input)
    if (isPromise(argument)) throw new TypeError('JSONPath is evaluated at once')
    return chain(flow.finish(thread, input, Result === undefined ? argument : Result), leave)
  })
}
