import type { EngineCore } from '../execution/execution.ts'
import type { Thread } from '../execution/thread.ts'
import { StateFailure, timeoutFailure } from '../failures/state-failure.ts'
import type { EventDetails } from '../history/record.ts'
import { createRecording, type Recording } from '../history/recording.ts'
import { copyJson, exceedsBytes, type Json, throughJson } from '../json.ts'
import { isPromise, type MaybePromise } from '../maybe-promise.ts'
import type { CompiledMachine } from '../states/compiled-state.ts'
import { functionFailure } from '../task/call-failure.ts'
import { isThenable, OpenCall } from '../task/open-call.ts'
import type { Cancellation } from '../time/cancellation.ts'
import type { Clock } from '../time/clock.ts'
import { needsTurn } from '../time/turn.ts'
import type { Child } from './child.ts'
import type { ChildEnding } from './child-result.ts'
import type { Post, WaitingChild } from './waiting-children.ts'

/** What a stretch needs of its Map run. */
export interface DirectRun {
  readonly thread: Thread
  /** Of all children together. */
  readonly cancellation: Cancellation
  readonly stateName: string
  readonly functionArn: string
  /** The next child, if there is one at hand and it may begin. */
  readonly next: () => Child | undefined
  readonly begin: (child: Child) => void
  /** Sees to it that a child that waits can be ended. */
  readonly watch: () => void
  /** Takes what became of a child; nothing if it was interrupted. */
  readonly end: (child: Child, ending: ChildEnding | undefined) => MaybePromise<void>
}

/** A child that the interpreter has to go on with, from what was done for it. */
export interface Unfinished {
  readonly child: Child
  /** Absent if it has not begun. */
  readonly recording: Recording | undefined
}

/** The function that is all there is to the children of a Map run, if nobody hears of them and nothing was done before. */
export function onlyCallOf({ startAt, states }: CompiledMachine, { execution }: Thread): string | undefined {
  const { engine, history, recording } = execution
  const isHeard = history.onRecord !== undefined || engine.mapRuns?.onChild !== undefined
  if (isHeard || recording !== undefined || engine.admit !== undefined) return undefined
  return states.get(startAt)?.onlyCalls
}

/**
 * Calls the function for one child after the other, for as long as there is one at hand and nothing but the answers has to
 * be waited for. With callbacks: an interpreter, a promise and an async function for each child cost twice as much as reading
 * it and writing its result. Whatever is not an answer that fits is left to the interpreter.
 */
export class DirectStretch {
  readonly #run: DirectRun
  readonly #post: Post
  readonly #over = Promise.withResolvers<Unfinished | undefined>()

  constructor(run: DirectRun, post: Post) {
    this.#run = run
    this.#post = post
  }

  /** Resolves where something else has to be done: waiting, giving others their turn, going on with an unfinished child. */
  from(first: Child): Promise<Unfinished | undefined> {
    this.#goOn(first, this.#engine.clock.now())
    return this.#over.promise
  }

  answered(call: DirectCall, answer: unknown): void {
    this.#post.child = undefined
    try {
      this.#goOnFrom(this.#take(call, answer))
    } catch (error) {
      this.#over.reject(error)
    }
  }

  threw(call: DirectCall, thrown: unknown): void {
    this.#post.child = undefined
    try {
      this.#goOnFrom(this.#refuse(call, thrown))
    } catch (error) {
      this.#over.reject(error)
    }
  }

  /** The Map run has ended the call. */
  ended({ child }: DirectCall, ending: ChildEnding | undefined): void {
    try {
      this.#goOnFrom(this.#finish(child, ending))
    } catch (error) {
      this.#over.reject(error)
    }
  }

  get #engine(): EngineCore {
    return this.#run.thread.execution.engine
  }

  #goOnFrom(nowMs: number | undefined): void {
    const next = nowMs === undefined ? undefined : this.#next()
    if (nowMs !== undefined && next !== undefined) this.#goOn(next, nowMs)
  }

  #goOn(first: Child, fromMs: number): void {
    let child: Child | undefined = first
    let nowMs: number | undefined = fromMs
    while (child !== undefined && nowMs !== undefined) {
      nowMs = this.#begin(child, nowMs)
      child = nowMs === undefined ? undefined : this.#next()
    }
  }

  #next(): Child | undefined {
    const { thread, next } = this.#run
    const child = needsTurn(thread.execution) ? undefined : next()
    if (child === undefined) this.#over.resolve(undefined)
    return child
  }

  /** When the next one can begin; `undefined` if that has to wait. So do all that follow a child's way. */
  #begin(child: Child, nowMs: number): number | undefined {
    const { invoke, limits } = this.#engine
    if (exceedsBytes(child.input, limits.payloadBytes)) return this.#leave(child, undefined)
    this.#run.begin(child)
    const call = new DirectCall(this.#run, this, child, nowMs)
    let answer: unknown
    try {
      answer = invoke(this.#run.functionArn, copyJson(child.input), call)
    } catch (error) {
      call.end()
      return this.#refuse(call, error)
    }
    if (isThenable(answer)) {
      this.#post.child = call
      this.#run.watch()
      call.await(answer)
      return undefined
    }
    call.end()
    return this.#take(call, answer)
  }

  #take(call: DirectCall, answer: unknown): number | undefined {
    const { clock, limits } = this.#engine
    let output: Json
    try {
      output = throughJson(answer)
    } catch (error) {
      return this.#refuse(call, error)
    }
    if (exceedsBytes(output, limits.payloadBytes))
      return this.#leave(call.child, this.#recordingOf(call, 'Succeeded', { output }))
    return this.#finish(call.child, { output, startMs: call.startMs, stopMs: clock.now() })
  }

  #refuse(call: DirectCall, thrown: unknown): number | undefined {
    const failure = functionFailure(thrown)
    if (!(failure instanceof StateFailure)) throw failure
    const { error, cause } = failure
    return this.#leave(call.child, this.#recordingOf(call, 'Failed', { error, cause }))
  }

  #finish(child: Child, ending: ChildEnding | undefined): number | undefined {
    const ended = this.#run.end(child, ending)
    if (isPromise(ended)) this.#over.resolve(ended.then(() => undefined))
    else if (ending === undefined) this.#over.resolve(undefined)
    else return ending.stopMs
    return undefined
  }

  #leave(child: Child, recording: Recording | undefined): undefined {
    this.#over.resolve({ child, recording })
    return undefined
  }

  /** The call as the interpreter would have recorded it. */
  #recordingOf({ child, startMs }: DirectCall, how: 'Succeeded' | 'Failed', end: EventDetails): Recording {
    const { stateName, functionArn } = this.#run
    const { input } = child
    const events: [string, EventDetails?][] = [
      ['TaskStateEntered', { name: stateName, input }],
      ['LambdaFunctionScheduled', { resource: functionArn, input }],
      ['LambdaFunctionStarted'],
      [`LambdaFunction${how}`, end],
    ]
    const records = events.map(([type, details], at) => {
      const id = at + 2
      return { id, previousEventId: id - 1, timestampMs: startMs, type, details }
    })
    return createRecording(records)
  }
}

/** The call that is all there is to a child. */
export class DirectCall extends OpenCall implements WaitingChild {
  readonly child: Child
  readonly startMs: number
  readonly #clock: Clock
  readonly #stretch: DirectStretch

  constructor(
    { thread, cancellation, stateName }: DirectRun,
    stretch: DirectStretch,
    child: Child,
    startMs: number,
  ) {
    const { clock } = thread.execution.engine
    super(clock, child, cancellation, stateName, 0)
    this.child = child
    this.startMs = startMs
    this.#clock = clock
    this.#stretch = stretch
  }

  get index(): number {
    return this.child.index
  }

  await(answer: PromiseLike<unknown>): void {
    const promise = isPromise(answer as Promise<unknown>) ? answer : Promise.resolve(answer)
    promise.then(
      value => {
        if (this.end()) this.#stretch.answered(this, value)
      },
      error => {
        if (this.end()) this.#stretch.threw(this, error)
      },
    )
  }

  interrupt(): void {
    this.#giveUp(undefined)
  }

  expire(): void {
    const { error, cause } = timeoutFailure()
    this.#giveUp({ error, cause, timedOut: true, startMs: this.startMs, stopMs: this.#clock.now() })
  }

  #giveUp(ending: ChildEnding | undefined): void {
    if (!this.end()) return
    this.abort()
    this.#stretch.ended(this, ending)
  }
}
