import type { SucceedState } from '@stepwright/asl'
import { compileFlow } from '../flow/compile-flow.ts'
import { chain } from '../maybe-promise.ts'
import { type CompileContext, type CompiledState, compiledState, languageOf } from './compiled-state.ts'

export function compileSucceed(name: string, state: SucceedState, context: CompileContext): CompiledState {
  const flow = compileFlow(languageOf(state, context), state, undefined)
  return compiledState(name, 'Succeed', (thread, input) =>
    chain(flow.prepare(thread, input), effective => flow.pass(thread, input, effective)),
  )
}
