import { toExit } from '../flow/flow.ts'
import { createHistory } from '../history/history.ts'
import { Child, type Family } from '../map/child.ts'
import { Iterations, iterationEvents } from '../map/inline.ts'
import { itemOf } from '../map/items.ts'
import { createChunk } from '../map/reader/item-chunk.ts'
import type { CompiledMachine } from '../states/compiled-state.ts'
import { Call } from '../task/call.ts'
import { callKind } from '../task/call-kind.ts'
import { TaskCall } from '../task/task-call.ts'
import { noTerms } from '../task/terms.ts'
import { createCancellation } from '../time/cancellation.ts'
import { createRealClock } from '../time/clock.ts'
import { createExecution, type EngineCore } from './execution.ts'
import { MachineRun } from './run-machine.ts'
import { createThread, scopeOf } from './thread.ts'

/**
 * One of each kind of object that an execution is made of, never used. V8 forgets the hidden class of an object, and
 * all the code that it has optimised for it, when a collection finds none alive: an engine that runs now and then would
 * begin slowly each time.
 */
export const keptShapes: readonly unknown[] = keepShapes()

function keepShapes(): readonly unknown[] {
  const clock = createRealClock()
  const execution = createExecution({
    engine: { clock, chance: { random: Math.random, uuid: () => '' } } as EngineCore,
    identity: { arn: '', name: '', stateMachineArn: '', stateMachineName: '', roleArn: '' },
    type: 'STANDARD',
    input: null,
    startMs: clock.now(),
    redriveCount: 0,
    redriveMs: undefined,
    history: createHistory({ clock, maxEvents: 1, keep: true, onEvent: undefined }),
    recording: undefined,
    observer: undefined,
  })
  const thread = createThread(execution, createCancellation())
  const task = new TaskCall(callKind('', '', String), thread, null, null, noTerms, () =>
    toExit('', null, undefined),
  )
  const child = new Child({} as Family, 0, null, 1)
  const map = { events: iterationEvents(''), processor: {} as CompiledMachine, selectItem: undefined }
  return [
    thread,
    scopeOf(thread, null),
    new MachineRun(map.processor, thread),
    new Call(thread, task),
    task,
    child,
    new Iterations(map, thread, null, createChunk([], '')),
    itemOf(createChunk([], ''), 0, 0),
  ]
}
