import { createHash } from 'node:crypto'
import { type ChildEnd, type ChildListener, createExecution, type Execution } from '../execution/execution.ts'
import { runMachine } from '../execution/run-machine.ts'
import { createThread, type Thread } from '../execution/thread.ts'
import { Interrupted, StateFailure, timeoutFailure } from '../failures/state-failure.ts'
import { createHistory } from '../history/history.ts'
import type { HistoryRecord } from '../history/record.ts'
import { notes } from '../history/recording.ts'
import type { Json } from '../json.ts'
import { isPromise } from '../maybe-promise.ts'
import type { CompiledMachine } from '../states/compiled-state.ts'
import { type Cancellation, createCancellation } from '../time/cancellation.ts'
import type { ChildResult } from './child-result.ts'
import type { ChildInput } from './item-batcher.ts'

/** AWS ends Express executions after five minutes. */
const expressMs = 300_000

export interface ChildMachine {
  readonly label: string
  readonly processor: CompiledMachine
  readonly executionType: 'STANDARD' | 'EXPRESS'
}

/** Which child of which Map run. */
export interface ChildOf {
  readonly thread: Thread
  readonly mapRunArn: string
  /** What the child's records are filed under. */
  readonly place: string
  readonly index: number
  /** How often the run had been redriven. */
  readonly redriveCount: number
}

/** Runs a child, or tells what became of it before the execution was interrupted; `undefined` if it is stopped. */
export async function runChild(
  machine: ChildMachine,
  child: ChildInput,
  of: ChildOf,
  cancellation: Cancellation,
): Promise<ChildResult | undefined> {
  const { thread, place } = of
  const ended = thread.execution.recording?.replay(place)?.skipTo([notes.childEnded])
  const identity = identify(machine, of, child)
  const { clock, mapRuns } = thread.execution.engine
  const listenerFrom = (startMs: number): ChildListener | undefined =>
    mapRuns?.onChild?.({
      ...identity,
      mapRunArn: of.mapRunArn,
      index: of.index,
      roleArn: thread.execution.roleArn,
      itemCount: child.itemCount,
      startMs,
      redriveCount: of.redriveCount,
    })
  if (ended !== undefined) {
    const before = ended.details as unknown as Ending
    listenerFrom(before.startMs)?.onEnd(toEnd(before))
    return { ...identity, ...before }
  }
  const startMs = clock.now()
  const listener = listenerFrom(startMs)
  const recorder = createRecorder(thread, place, listener)
  const execution = createChild(machine, identity, of, startMs, recorder)
  const finish = (ending: Omit<Ending, 'startMs' | 'stopMs'>): ChildResult => {
    const whole = { ...ending, startMs, stopMs: clock.now() }
    recorder?.end(whole)
    listener?.onEnd(toEnd(whole))
    return { ...identity, ...whole }
  }
  const limit = createCancellation(cancellation)
  let isLate = false
  const stopTimer =
    machine.executionType === 'EXPRESS'
      ? clock.at(startMs + expressMs, () => {
          isLate = true
          limit.cancel()
        })
      : undefined
  try {
    const childThread = createThread(execution, limit)
    if ((execution.recording?.lastEventId('') ?? 0) === 0)
      execution.history.add(childThread, 0, 'ExecutionStarted')
    const running = runMachine(machine.processor, childThread, child.value)
    return finish({ output: isPromise(running) ? await running : running })
  } catch (error) {
    const failure = isLate ? timeoutFailure() : error
    if (failure instanceof Interrupted) {
      listener?.onEnd({ status: 'ABORTED', stopMs: clock.now() })
      return undefined
    }
    if (!(failure instanceof StateFailure)) throw failure
    return finish({
      error: failure.error,
      cause: failure.cause,
      ...(isLate ? { timedOut: true } : {}),
    })
  } finally {
    stopTimer?.()
    limit.detach()
  }
}

function toEnd({ output, error, cause, timedOut, stopMs }: Ending): ChildEnd {
  if (output !== undefined) return { status: 'SUCCEEDED', output, stopMs }
  return { status: timedOut === true ? 'TIMED_OUT' : 'FAILED', error, cause, stopMs }
}

type Ending = Pick<ChildResult, 'output' | 'error' | 'cause' | 'timedOut' | 'startMs' | 'stopMs'>
type Identity = Pick<ChildResult, 'executionArn' | 'name' | 'stateMachineArn' | 'input'>

/** A child has the same name however often its Map run is interrupted: whoever keys by it sees one child. */
function identify(machine: ChildMachine, { thread, mapRunArn, index }: ChildOf, child: ChildInput): Identity {
  const name = uuidOf(`${mapRunArn}#${index}`)
  const stateMachineArn = `${thread.execution.stateMachineArn}/${machine.label}`
  const kind = machine.executionType === 'EXPRESS' ? ':express:' : ':execution:'
  return {
    executionArn: `${stateMachineArn.replace(':stateMachine:', kind)}:${name}`,
    name,
    stateMachineArn,
    input: child.value,
  }
}

function uuidOf(text: string): string {
  const hex = createHash('sha1').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function createChild(
  machine: ChildMachine,
  identity: Identity,
  { thread, place }: ChildOf,
  startMs: number,
  recorder: Recorder | undefined,
): Execution {
  const { engine, stateMachineName, roleArn, recording } = thread.execution
  const type = machine.executionType
  // A redrive begins Express children anew, as AWS does.
  const isAnew = type === 'EXPRESS' && thread.replay?.redriven === true
  const earlier = isAnew ? undefined : recording
  return createExecution({
    engine,
    arn: identity.executionArn,
    name: identity.name,
    stateMachineArn: identity.stateMachineArn,
    stateMachineName: `${stateMachineName}/${machine.label}`,
    roleArn,
    type,
    input: identity.input,
    startMs,
    redriveCount: 0,
    redriveMs: undefined,
    recording:
      earlier === undefined
        ? undefined
        : {
            replay: inner => earlier.replay(placeIn(place, inner)),
            lastEventId: inner => earlier.lastEventId(placeIn(place, inner)),
          },
    observer: undefined,
    history: createHistory({
      clock: engine.clock,
      maxEvents: type === 'EXPRESS' ? Number.POSITIVE_INFINITY : engine.limits.historyEvents,
      keep: false,
      onEvent: recorder?.add,
      lastId: earlier?.lastEventId(place) ?? 0,
    }),
  })
}

function placeIn(child: string, inner = ''): string {
  return inner === '' ? child : `${child}/${inner}`
}

interface Recorder {
  readonly add: (record: HistoryRecord) => void
  readonly end: (ending: Ending) => void
}

const outcome = /(Succeeded|Failed|TimedOut)$/
const takesTime = /(Scheduled|Submitted|^WaitStateEntered|^AttemptFailed)$/

/**
 * Files what a child does with the records of its parent. A child's events are held back until it begins something
 * that takes time after something has been done, so that one that makes a single call leaves a single record: its end.
 */
function createRecorder(
  { execution }: Thread,
  place: string,
  listener: ChildListener | undefined,
): Recorder | undefined {
  const { onRecord } = execution.history
  if (onRecord === undefined)
    return listener === undefined ? undefined : { add: listener.onEvent, end: () => undefined }
  const held: HistoryRecord[] = []
  let isWorthKeeping = false
  return {
    add: record => {
      listener?.onEvent(record)
      held.push({ ...record, place: placeIn(place, record.place) })
      isWorthKeeping ||= outcome.test(record.type) || 'taskToken' in (record.details ?? {})
      if (record.type === 'WaitStateEntered') isWorthKeeping = true
      if (isWorthKeeping && takesTime.test(record.type)) for (const one of held.splice(0)) onRecord(one)
    },
    end: ending =>
      onRecord({
        id: 0,
        previousEventId: 0,
        timestampMs: ending.stopMs,
        type: notes.childEnded,
        details: ending as Readonly<Record<string, Json>>,
        place,
      }),
  }
}
