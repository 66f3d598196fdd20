import {
  type ChildControl,
  type ChildEnd,
  type ChildListener,
  createExecution,
  type Execution,
} from '../execution/execution.ts'
import { MachineRun } from '../execution/run-machine.ts'
import { createThread, type Thread } from '../execution/thread.ts'
import { Interrupted, StateFailure, timeoutFailure } from '../failures/state-failure.ts'
import { createHistory } from '../history/history.ts'
import { notes, type Recording } from '../history/recording.ts'
import type { Json } from '../json.ts'
import type { CompiledMachine } from '../states/compiled-state.ts'
import { createCancellation } from '../time/cancellation.ts'
import type { Child, Family } from './child.ts'
import { type ChildRecorder, createChildRecorder, placedInside, placeIn } from './child-recorder.ts'
import { type ChildEnding, statusOf } from './child-result.ts'
import type { WaitingChild } from './waiting-children.ts'

/** AWS ends Express executions after five minutes. */
export const maxExpressMs = 300_000

export interface ChildMachine {
  readonly label: string
  readonly processor: CompiledMachine
  readonly executionType: 'STANDARD' | 'EXPRESS'
}

/** What the children of a Map run share. */
export interface Parent {
  readonly machine: ChildMachine
  readonly thread: Thread
  readonly family: Family
  readonly mapRunArn: string
  /** The event that began the run. */
  readonly startedId: number
  /** How often the run had been redriven. */
  readonly redriveCount: number
}

/** One child execution of a Map run. */
export class ChildRun implements WaitingChild {
  readonly startMs: number
  readonly #parent: Parent
  readonly #child: Child
  readonly #cancellation = createCancellation()
  #listener: ChildListener | undefined
  #recorder: ChildRecorder | undefined
  #isLate = false
  #stopped: { readonly error?: string; readonly cause?: string } | undefined

  constructor(parent: Parent, child: Child, startMs: number) {
    this.#parent = parent
    this.#child = child
    this.startMs = this.#earlier?.recordsOf(this.#place)[0]?.timestampMs ?? startMs
  }

  get index(): number {
    return this.#child.index
  }

  /** What became of it before the execution was interrupted. */
  onRecord(): ChildEnding | undefined {
    const { recording } = this.#parent.thread.execution
    const ended = recording?.replay(this.#place)?.skipTo([notes.childEnded])
    if (ended === undefined) return undefined
    const before = ended.details as unknown as ChildEnding
    this.#listenFrom(before.startMs)?.onEnd(toEnd(before))
    return before
  }

  /** The child, made ready to run. */
  prepare(): MachineRun {
    const { thread, machine } = this.#parent
    this.#listener = this.#listenFrom(this.startMs)
    if (this.#listener !== undefined || thread.execution.history.onRecord !== undefined)
      this.#recorder = createChildRecorder(thread, this.#place, this.#listener)
    for (const record of this.#earlier?.recordsOf(this.#place) ?? [])
      this.#listener?.onEvent(placedInside(record, this.#place))
    const execution = this.#createExecution()
    const own = createThread(execution, this.#cancellation)
    if ((execution.recording?.lastEventId('') ?? 0) === 0)
      execution.history.add(own, 0, 'ExecutionStarted', undefined, this.startMs)
    return new MachineRun(machine.processor, own)
  }

  succeed(output: Json): ChildEnding {
    return this.#end({ output, startMs: this.startMs, stopMs: this.#nowMs() })
  }

  /** `undefined` if it was stopped with its run. */
  fail(thrown: unknown): ChildEnding | undefined {
    const times = { startMs: this.startMs, stopMs: this.#nowMs() }
    const failure = this.#isLate ? timeoutFailure() : thrown
    if (failure instanceof Interrupted) {
      if (this.#stopped !== undefined) return this.#end({ ...this.#stopped, aborted: true, ...times })
      this.#listener?.onEnd({ status: 'ABORTED', stopMs: times.stopMs })
      return undefined
    }
    if (!(failure instanceof StateFailure)) throw failure
    const { error, cause } = failure
    return this.#end({ error, cause, ...(this.#isLate ? { timedOut: true } : {}), ...times })
  }

  interrupt(): void {
    this.#cancellation.cancel()
  }

  expire(): void {
    this.#isLate = true
    this.#cancellation.cancel()
  }

  /** What was recorded of it before. A redrive begins Express children anew, as AWS does. */
  get #earlier(): Recording | undefined {
    const { thread, machine } = this.#parent
    const isAnew = machine.executionType === 'EXPRESS' && thread.replay?.redriven === true
    return isAnew ? undefined : thread.execution.recording
  }

  get #place(): string {
    return `${this.#parent.startedId}:${this.#child.index}`
  }

  #nowMs(): number {
    return this.#parent.thread.execution.engine.clock.now()
  }

  #end(ending: ChildEnding): ChildEnding {
    this.#recorder?.end(ending)
    this.#listener?.onEnd(toEnd(ending))
    return ending
  }

  #listenFrom(startMs: number): ChildListener | undefined {
    const { mapRunArn, redriveCount, thread } = this.#parent
    const { onChild } = thread.execution.engine.mapRuns ?? {}
    if (onChild === undefined) return undefined
    const { arn, name, stateMachineArn, roleArn, index, input, itemCount } = this.#child
    const child = { executionArn: arn, name, stateMachineArn, roleArn, input }
    const stop: ChildControl['stop'] = reason => {
      this.#stopped = reason
      this.#cancellation.cancel()
    }
    return onChild({ ...child, mapRunArn, index, itemCount, startMs, redriveCount }, { stop })
  }

  #createExecution(): Execution {
    const { thread, machine } = this.#parent
    const { engine } = thread.execution
    const type = machine.executionType
    const earlier = this.#earlier
    const place = earlier === undefined ? '' : this.#place
    return createExecution({
      engine,
      identity: this.#child,
      type,
      input: this.#child.input,
      startMs: this.startMs,
      redriveCount: 0,
      redriveMs: undefined,
      history: createHistory({
        clock: engine.clock,
        maxEvents: type === 'EXPRESS' ? Number.POSITIVE_INFINITY : engine.limits.historyEvents,
        keep: false,
        onEvent: this.#recorder?.add,
        lastId: earlier?.lastEventId(place) ?? 0,
      }),
      recording:
        earlier === undefined
          ? undefined
          : {
              replay: inner => earlier.replay(placeIn(place, inner)),
              lastEventId: inner => earlier.lastEventId(placeIn(place, inner)),
              recordsOf: inner => earlier.recordsOf(placeIn(place, inner)),
            },
      observer: undefined,
    })
  }
}

function toEnd(ending: ChildEnding): ChildEnd {
  const { output, error, cause, stopMs } = ending
  if (output !== undefined) return { status: 'SUCCEEDED', output, stopMs }
  return { status: statusOf(ending), error, cause, stopMs }
}
