import type { PassState } from '@stepwright/asl'
import { compileJsonataFlow } from '../flow/jsonata-flow.ts'
import { compileJsonpathFlow } from '../flow/jsonpath-flow.ts'
import { type CompileContext, type CompiledState, compiledState, languageOf } from './compiled-state.ts'

export function compilePass(name: string, state: PassState, context: CompileContext): CompiledState {
  if (languageOf(state, context) === 'JSONata') {
    const flow = compileJsonataFlow(state, state.Next)
    return compiledState(name, 'Pass', (thread, input) => flow.pass(thread, input, input))
  }
  const flow = compileJsonpathFlow(state, state.Next)
  const { Result } = state
  return compiledState(name, 'Pass', (thread, input) => {
    const argument = flow.prepare(thread, input)
    return flow.finish(thread, input, Result === undefined ? argument : Result)
  })
}
