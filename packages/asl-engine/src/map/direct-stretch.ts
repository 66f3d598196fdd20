import type { EngineCore } from '../execution/execution.ts'
import type { Thread } from '../execution/thread.ts'
import { StateFailure } from '../failures/state-failure.ts'
import type { EventDetails } from '../history/record.ts'
import { createRecording, type Recording } from '../history/recording.ts'
import { copyJson, exceedsBytes, type Json, textExceeds, throughJson } from '../json.ts'
import { isPromise, type MaybePromise } from '../maybe-promise.ts'
import type { CompiledMachine } from '../states/compiled-state.ts'
import { functionFailure } from '../task/call-failure.ts'
import { isThenable } from '../task/open-call.ts'
import type { Cancellation } from '../time/cancellation.ts'
import { needsTurn, takeTurn } from '../time/turn.ts'
import type { Child } from './child.ts'
import type { ChildEnding } from './child-result.ts'
import { type CallListener, DirectCall } from './direct-call.ts'
import type { Post } from './waiting-children.ts'

/** What a stretch needs of its Map run. */
export interface DirectRun {
  readonly thread: Thread
  /** Of all children together. */
  readonly cancellation: Cancellation
  readonly stateName: string
  readonly functionArn: string
  /** Whether outputs are taken as text. */
  readonly wantsText: boolean
  /** The next child; `undefined` if none may begin any more. */
  readonly next: () => MaybePromise<Child | undefined>
  readonly begin: (child: Child) => void
  /** Sees to it that a child that waits can be ended. */
  readonly watch: () => void
  /** Takes what became of a child; nothing if it was interrupted. */
  readonly end: (child: Child, ending: ChildEnding | undefined) => MaybePromise<void>
}

/** A child that the interpreter has to go on with, from what was done for it. */
export interface Unfinished {
  readonly child: Child
  readonly startMs: number
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
 * Calls the function for one child after the other. With callbacks: an interpreter, a promise and an async function for each
 * child cost twice as much as reading it and writing its result. Whatever is not an answer that fits is left to the
 * interpreter.
 */
export class DirectStretch implements CallListener {
  readonly #engine: EngineCore
  readonly #run: DirectRun
  readonly #post: Post
  readonly #over = Promise.withResolvers<Unfinished | undefined>()

  constructor(run: DirectRun, post: Post) {
    this.#engine = run.thread.execution.engine
    this.#run = run
    this.#post = post
  }

  /** Resolves when none may begin any more, or with a child that it leaves to the interpreter. */
  from(first: Child): Promise<Unfinished | undefined> {
    this.#goOn(first, undefined)
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

  ended({ child }: DirectCall, ending: ChildEnding | undefined): void {
    try {
      this.#goOnFrom(this.#finish(child, ending))
    } catch (error) {
      this.#over.reject(error)
    }
  }

  #goOnFrom(nowMs: number | undefined): void {
    const next = nowMs === undefined ? undefined : this.#next()
    if (nowMs !== undefined && next !== undefined) this.#goOn(next, nowMs)
  }

  #goOn(first: Child, fromMs: number | undefined): void {
    let child: Child | undefined = first
    let nowMs = fromMs ?? this.#engine.clock.now()
    while (child !== undefined) {
      const endMs = this.#begin(child, nowMs)
      if (endMs === undefined) return
      child = this.#next()
      nowMs = endMs
    }
  }

  /** The next child, if it need not be waited for. */
  #next(): Child | undefined {
    const { thread, next } = this.#run
    if (needsTurn(thread.execution)) return this.#goOnAfter(takeTurn(thread.execution).then(next))
    const child = next()
    if (isPromise(child)) return this.#goOnAfter(child)
    if (child === undefined) this.#over.resolve(undefined)
    return child
  }

  #goOnAfter(waiting: Promise<Child | undefined>): undefined {
    const { cancellation } = this.#run
    const goOn = (next: Child | undefined): void => {
      if (next === undefined || cancellation.cancelled) this.#over.resolve(undefined)
      else this.#goOn(next, undefined)
    }
    waiting.then(goOn).catch(this.#over.reject)
  }

  /** When the next one can begin; `undefined` if that has to wait. So do all that follow a child's way. */
  #begin(child: Child, nowMs: number): number | undefined {
    const { clock, invoke, limits } = this.#engine
    if (exceedsBytes(child.input, limits.payloadBytes)) return this.#leave(child, nowMs, undefined)
    this.#run.begin(child)
    const { stateName, cancellation } = this.#run
    const call = new DirectCall(clock, child, cancellation, stateName, nowMs, this)
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
    const { startMs } = call
    const { payloadBytes } = this.#engine.limits
    let output: Json
    let text: string | undefined
    try {
      // What is only written need not be copied: nobody can change it before.
      if (this.#run.wantsText) text = JSON.stringify(answer) ?? 'null'
      output = text === undefined ? throughJson(answer) : null
    } catch (error) {
      return this.#refuse(call, error)
    }
    if (text === undefined ? exceedsBytes(output, payloadBytes) : textExceeds(text, payloadBytes))
      return this.#leave(
        call.child,
        startMs,
        this.#recordingOf(call, 'Succeeded', { output: throughJson(answer) }),
      )
    return this.#finish(call.child, { output, text, startMs, stopMs: this.#engine.clock.now() })
  }

  #refuse(call: DirectCall, thrown: unknown): number | undefined {
    const failure = functionFailure(thrown)
    if (!(failure instanceof StateFailure)) throw failure
    const { error, cause } = failure
    return this.#leave(call.child, call.startMs, this.#recordingOf(call, 'Failed', { error, cause }))
  }

  #finish(child: Child, ending: ChildEnding | undefined): number | undefined {
    const ended = this.#run.end(child, ending)
    if (isPromise(ended)) this.#goOnAfter(ended.then(this.#run.next))
    else if (ending === undefined) this.#over.resolve(undefined)
    else return ending.stopMs
    return undefined
  }

  #leave(child: Child, startMs: number, recording: Recording | undefined): undefined {
    this.#over.resolve({ child, startMs, recording })
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
