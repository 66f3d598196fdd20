import { settleFailure } from '../failures/settle-failure.ts'
import { Interrupted, StateFailure } from '../failures/state-failure.ts'
import type { Exit } from '../flow/flow.ts'
import { checkPayload } from '../flow/payload.ts'
import type { Json } from '../json.ts'
import { isPromise, type MaybePromise } from '../maybe-promise.ts'
import type { CompiledMachine, CompiledState } from '../states/compiled-state.ts'
import { sleepOn } from '../time/clock.ts'
import { needsTurn, takeTurn } from '../time/turn.ts'
import { record, type Thread } from './thread.ts'

/** Runs states until one ends the machine; at once where no state has to wait. States on record as left are passed over. */
export function runMachine(machine: CompiledMachine, thread: Thread, input: Json): MaybePromise<Json> {
  const run = new MachineRun(machine, thread)
  const waiting = run.begin(input)
  return waiting === undefined ? run.output : goOn(run, waiting)
}

async function goOn(run: MachineRun, first: Promise<Exit | undefined>): Promise<Json> {
  let waiting: Promise<Exit | undefined> | undefined = first
  while (waiting !== undefined) {
    try {
      waiting = run.resume(await waiting)
    } catch (error) {
      throw run.settle(error)
    }
  }
  return run.output
}

/** A machine's way through its states. Whoever drives it awaits what it waits for: an async function less for each run. */
export class MachineRun {
  readonly #machine: CompiledMachine
  readonly #thread: Thread
  /** The state that has to wait before it can be left. */
  #state: CompiledState | undefined
  /** Where it goes on after the event loop's turn. */
  #exit: Exit | undefined
  /** What the machine made, when it has ended. */
  output: Json = null

  constructor(machine: CompiledMachine, thread: Thread) {
    this.#machine = machine
    this.#thread = thread
  }

  /** Runs as far as it can at once, from `nowMs` on. What it then waits for; `undefined` if it has ended. */
  begin(input: Json, nowMs?: number): Promise<Exit | undefined> | undefined {
    const thread = this.#thread
    const standing = thread.replay?.skipFinishedStates()
    if (standing === undefined) {
      const { startAt } = this.#machine
      return this.#runStretch(startAt, checkPayload(thread, input, startAt), nowMs)
    }
    thread.variables = { ...thread.variables, ...standing.variables }
    thread.lastEventId = standing.lastEventId
    return this.#goTo(standing.next, standing.output)
  }

  /** Goes on with what was waited for. */
  resume(awaited: Exit | undefined): Promise<Exit | undefined> | undefined {
    const thread = this.#thread
    const state = this.#state
    if (state === undefined || awaited === undefined) {
      const { next, output } = this.#exit as Exit
      return this.#goTo(next, output)
    }
    if (thread.cancellation.cancelled) throw new Interrupted()
    this.#state = undefined
    leaveState(state, thread, awaited)
    if (awaited.next !== undefined && needsTurn(thread.execution)) return this.#takeTurn(awaited)
    return this.#goTo(awaited.next, awaited.output)
  }

  /** Makes a state's failure of whatever was thrown on the way. */
  settle(thrown: unknown): StateFailure {
    return settleFailure(this.#thread, thrown)
  }

  #goTo(next: string | undefined, data: Json): Promise<Exit | undefined> | undefined {
    if (next !== undefined) return this.#runStretch(next, data)
    this.output = data
    return undefined
  }

  #takeTurn(exit: Exit): Promise<undefined> {
    this.#exit = exit
    return takeTurn(this.#thread.execution)
  }

  /** States that need no waiting, up to the end, the first that has to wait, or the event loop's turn. */
  #runStretch(startAt: string, input: Json, nowMs?: number): Promise<Exit | undefined> | undefined {
    const thread = this.#thread
    const { execution } = thread
    const { admit } = execution.engine
    let name = startAt
    let data = input
    let enterMs = nowMs
    for (;;) {
      const state = this.#machine.states.get(name)
      if (state === undefined)
        throw new StateFailure('States.Runtime', `There is no state '${name}'`, { terminal: true })
      const waitMs = admit === undefined ? 0 : admit()
      const exit =
        waitMs > 0 ? startLater(waitMs, state, thread, data) : runState(state, thread, data, enterMs)
      enterMs = undefined
      if (isPromise(exit)) {
        this.#state = state
        return exit
      }
      if (exit.next === undefined) {
        this.output = exit.output
        return undefined
      }
      if (needsTurn(execution)) return this.#takeTurn(exit)
      name = exit.next
      data = exit.output
    }
  }
}

async function startLater(waitMs: number, state: CompiledState, thread: Thread, data: Json): Promise<Exit> {
  await sleepOn(thread.execution.engine.clock, waitMs, thread.cancellation)
  return state.work(thread, enterState(state, thread, data))
}

function runState(
  state: CompiledState,
  thread: Thread,
  data: Json,
  nowMs: number | undefined,
): MaybePromise<Exit> {
  if (thread.cancellation.cancelled) throw new Interrupted()
  const input = enterState(state, thread, data, nowMs)
  let exit: MaybePromise<Exit>
  try {
    exit = state.work(thread, input)
  } catch (error) {
    throw settleFailure(thread, error)
  }
  return isPromise(exit) ? exit : leaveState(state, thread, exit)
}

/** What the state is given: the same as before, if it was entered before the execution was interrupted. */
export function enterState(state: CompiledState, thread: Thread, input: Json, nowMs?: number): Json {
  const before = thread.replay?.peek(state.entered.type)
  thread.stateName = state.name
  thread.stateType = state.type
  thread.retryCount = 0
  thread.taskToken = undefined
  thread.enteredMs = before?.timestampMs ?? nowMs ?? thread.execution.engine.clock.now()
  thread.enteredAfterEventId = before?.previousEventId ?? thread.lastEventId
  thread.enteredEventId = record(thread, state.entered, input, thread.enteredMs)
  return before === undefined ? input : (before.details?.input ?? null)
}

function leaveState(state: CompiledState, thread: Thread, exit: Exit): Exit {
  record(thread, state.exited, exit)
  if (exit.assigned !== undefined) thread.variables = { ...thread.variables, ...exit.assigned }
  return exit
}
