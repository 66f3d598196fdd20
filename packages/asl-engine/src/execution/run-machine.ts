import { settleFailure } from '../failures/settle-failure.ts'
import { Interrupted, StateFailure } from '../failures/state-failure.ts'
import type { Exit } from '../flow/flow.ts'
import { checkPayload } from '../flow/payload.ts'
import type { Standing } from '../history/recording.ts'
import type { Json } from '../json.ts'
import { isPromise, type MaybePromise } from '../maybe-promise.ts'
import type { CompiledMachine, CompiledState } from '../states/compiled-state.ts'
import { sleepOn } from '../time/clock.ts'
import { needsTurn, takeTurn } from '../time/turn.ts'
import { record, type Thread } from './thread.ts'
import { Waiting } from './waiting.ts'

/** Runs states until one ends the machine; at once where no state has to wait. States on record as left are passed over. */
export function runMachine(machine: CompiledMachine, thread: Thread, input: Json): MaybePromise<Json> {
  const start = standingOf(machine, thread, input)
  if (start.next === undefined) return start.output
  const stretch = runStretch(machine, thread, start.next, start.output)
  if (stretch instanceof Waiting || stretch.next !== undefined) return goOn(machine, thread, stretch)
  return stretch.output
}

function standingOf(
  machine: CompiledMachine,
  thread: Thread,
  input: Json,
): Pick<Standing, 'next' | 'output'> {
  const standing = thread.replay?.skipFinishedStates()
  if (standing === undefined)
    return { next: machine.startAt, output: checkPayload(thread, input, machine.startAt) }
  thread.variables = { ...thread.variables, ...standing.variables }
  thread.lastEventId = standing.lastEventId
  return standing
}

/** One async function for all the states of a thread: each promise less is a tenth of what a small task costs. */
async function goOn(machine: CompiledMachine, thread: Thread, first: Exit | Waiting): Promise<Json> {
  for (let stretch = first; ; ) {
    let exit: Exit
    if (stretch instanceof Waiting) {
      try {
        exit = await stretch.exit
      } catch (error) {
        throw settleFailure(thread, error)
      }
      if (thread.cancellation.cancelled) throw new Interrupted()
      leaveState(stretch.state, thread, exit)
    } else {
      exit = stretch
    }
    if (exit.next === undefined) return exit.output
    if (needsTurn(thread.execution)) await takeTurn(thread.execution)
    stretch = runStretch(machine, thread, exit.next, exit.output)
  }
}

/** States that need no waiting, up to the end, the first that has to wait, or the event loop's turn. */
function runStretch(machine: CompiledMachine, thread: Thread, startAt: string, input: Json): Exit | Waiting {
  let name = startAt
  let data = input
  for (;;) {
    const state = machine.states.get(name)
    if (state === undefined)
      throw new StateFailure('States.Runtime', `There is no state '${name}'`, { terminal: true })
    const waitMs = thread.execution.engine.admit?.() ?? 0
    const exit =
      waitMs > 0 ? new Waiting(state, startLater(waitMs, state, thread, data)) : runState(state, thread, data)
    if (exit instanceof Waiting || exit.next === undefined || needsTurn(thread.execution)) return exit
    name = exit.next
    data = exit.output
  }
}

async function startLater(waitMs: number, state: CompiledState, thread: Thread, data: Json): Promise<Exit> {
  await sleepOn(thread.execution.engine.clock, waitMs, thread.cancellation)
  return state.work(thread, enterState(state, thread, data))
}

function runState(state: CompiledState, thread: Thread, data: Json): Exit | Waiting {
  if (thread.cancellation.cancelled) throw new Interrupted()
  const input = enterState(state, thread, data)
  let exit: MaybePromise<Exit>
  try {
    exit = state.work(thread, input)
  } catch (error) {
    throw settleFailure(thread, error)
  }
  return isPromise(exit) ? new Waiting(state, exit) : leaveState(state, thread, exit)
}

/** What the state is given: the same as before, if it was entered before the execution was interrupted. */
export function enterState(state: CompiledState, thread: Thread, input: Json): Json {
  const before = thread.replay?.peek(state.entered.type)
  thread.stateName = state.name
  thread.stateType = state.type
  thread.retryCount = 0
  thread.taskToken = undefined
  thread.enteredMs = before?.timestampMs ?? thread.execution.engine.clock.now()
  thread.enteredAfterEventId = before?.previousEventId ?? thread.lastEventId
  thread.enteredEventId = record(thread, state.entered, input, thread.enteredMs)
  return before === undefined ? input : (before.details?.input ?? null)
}

function leaveState(state: CompiledState, thread: Thread, exit: Exit): Exit {
  record(thread, state.exited, exit)
  if (exit.assigned !== undefined) thread.variables = { ...thread.variables, ...exit.assigned }
  return exit
}
