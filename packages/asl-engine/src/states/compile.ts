import type { State } from '@stepwright/asl'
import { compileChoice } from './choice.ts'
import type { CompileContext, CompiledState, CompileMachine } from './compiled-state.ts'
import { compileFail } from './fail.ts'
import { compileMap } from './map.ts'
import { compileParallel } from './parallel.ts'
import { compilePass } from './pass.ts'
import { compileSucceed } from './succeed.ts'
import { compileTask } from './task.ts'
import { compileWait } from './wait.ts'

export const compileMachine: CompileMachine = (machine, context) => ({
  startAt: machine.StartAt,
  states: new Map(
    Object.entries(machine.States).map(([name, state]) => [name, compileState(name, state, context)]),
  ),
})

export function compileState(name: string, state: State, context: CompileContext): CompiledState {
  switch (state.Type) {
    case 'Task':
      return compileTask(name, state, context)
    case 'Pass':
      return compilePass(name, state, context)
    case 'Choice':
      return compileChoice(name, state, context)
    case 'Wait':
      return compileWait(name, state, context)
    case 'Succeed':
      return compileSucceed(name, state, context)
    case 'Fail':
      return compileFail(name, state, context)
    case 'Parallel':
      return compileParallel(name, state, context, compileMachine)
    case 'Map':
      return compileMap(name, state, context, compileMachine)
  }
}
