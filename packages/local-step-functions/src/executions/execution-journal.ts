import {
  type EventDetails,
  type HistoryRecord,
  isHistoryEvent,
  type RunningExecution,
} from '@stepwright/asl-engine'
import type { ReportProblem } from '../storage/catalogue.ts'
import type { ExecutionStore } from '../storage/execution-store.ts'
import { afterRecord, type ExecutionState, toListed } from './execution-state.ts'

/** An execution that has not ended. */
export interface LiveExecution {
  state: ExecutionState
  running: RunningExecution | undefined
  /** What is still to be written. */
  lines: string
  /** What was recorded before; `undefined` if it has never run. */
  resume: { readonly records: readonly HistoryRecord[]; readonly redrive: boolean } | undefined
  readonly ended: PromiseWithResolvers<void>
  /** Why it can no longer be kept. */
  broken: string | undefined
  /** It has ended, and that could not be kept yet. */
  isUnkept: boolean
  /** Everybody knows that it has ended. */
  isTold: boolean
  /** It ends when it leaves the state that it is in. */
  isDoomed: boolean
}

export function newLiveExecution(state: ExecutionState): LiveExecution {
  return {
    state,
    running: undefined,
    lines: '',
    resume: undefined,
    ended: Promise.withResolvers(),
    broken: undefined,
    isUnkept: false,
    isTold: false,
    isDoomed: false,
  }
}

export interface ExecutionJournalOptions {
  readonly store: ExecutionStore
  readonly now: () => number
  readonly onStatus: (execution: ExecutionState) => void
  readonly onProblem: ReportProblem
  /** Hears of everything that is recorded. */
  readonly onRecord?: ((execution: ExecutionState, record: HistoryRecord) => void) | undefined
}

/** Brings what is recorded of executions to the store, at the latest before anyone is told of it. */
export interface ExecutionJournal {
  /** Those that have not ended, or whose end could not be kept yet. */
  readonly live: Map<string, LiveExecution>
  /** Begins the file of an execution. */
  readonly open: (execution: LiveExecution, firstLine: string) => void
  readonly add: (execution: LiveExecution, record: HistoryRecord) => void
  readonly write: (execution: LiveExecution) => void
  /** Everything is written in the event loop's next turn. */
  readonly flushSoon: () => void
  readonly flush: () => void
  /** Throws where an end could not be kept. */
  readonly flushOrThrow: () => void
  /** Keeps the end, and tells of it. */
  readonly finish: (execution: LiveExecution) => void
  /** Ends an execution that its engine cannot end. */
  readonly close: (execution: LiveExecution, type: string, details: EventDetails) => void
  /** An execution that cannot be kept fails; the others go on. */
  readonly giveUp: (execution: LiveExecution, error: unknown) => void
  /** Lets go of an execution of which nothing was kept. */
  readonly forget: (execution: LiveExecution) => void
  readonly tellStatus: (execution: LiveExecution) => void
  /** What concerns one execution must not end the others. */
  readonly contain: (what: string, act: () => void) => void
}

export function createExecutionJournal(options: ExecutionJournalOptions): ExecutionJournal {
  const { store, now, onProblem } = options
  const live = new Map<string, LiveExecution>()
  const unwritten = new Set<LiveExecution>()
  let flushing: NodeJS.Immediate | undefined

  function contain(what: string, act: () => void): void {
    try {
      act()
    } catch (error) {
      onProblem(`${what}: ${(error as Error).message}`)
    }
  }
  /** An execution that cannot be kept fails; the others go on. */
  function giveUp(execution: LiveExecution, error: unknown): void {
    if (execution.broken !== undefined) return
    execution.broken = `The execution could not be recorded: ${(error as Error).message}`
    onProblem(`${execution.state.arn}: ${execution.broken}`)
    execution.running?.suspend()
    execution.lines = ''
    close(execution, 'ExecutionFailed', { error: 'States.Runtime', cause: execution.broken })
  }
  /** Ends an execution that its engine cannot end. */
  function close(execution: LiveExecution, type: string, details: EventDetails): void {
    const record: HistoryRecord = {
      id: lastId(execution) + 1,
      previousEventId: lastId(execution),
      timestampMs: now(),
      type,
      details,
    }
    add(execution, record)
    finish(execution)
  }
  function lastId(execution: LiveExecution): number {
    try {
      return store.read(execution.state.arn)?.records.findLast(isHistoryEvent)?.id ?? 0
    } catch {
      return 0
    }
  }
  function add(execution: LiveExecution, record: HistoryRecord): void {
    execution.lines += `${JSON.stringify(record)}\n`
    execution.state = afterRecord(execution.state, record)
    unwritten.add(execution)
    options.onRecord?.(execution.state, record)
  }
  function write(execution: LiveExecution): void {
    if (execution.lines === '' || execution.state.status !== 'RUNNING') return
    const { lines } = execution
    try {
      store.append(execution.state.arn, lines)
      execution.lines = ''
      unwritten.delete(execution)
    } catch (error) {
      giveUp(execution, error)
    }
  }
  function flushOrThrow(): void {
    flush()
    for (const { broken, isUnkept } of unwritten)
      if (isUnkept && broken !== undefined) throw new Error(broken)
  }
  function flush(): void {
    if (flushing !== undefined) clearImmediate(flushing)
    flushing = undefined
    for (const execution of unwritten) {
      if (execution.isUnkept) keepEnd(execution)
      else write(execution)
    }
  }
  /** Keeps the end and lets go of the execution. An end that cannot be kept is a failure, and that is tried again later. */
  function keepEnd(execution: LiveExecution): void {
    const { state } = execution
    try {
      store.end(toListed(state), execution.lines)
      unwritten.delete(execution)
      live.delete(state.arn)
    } catch (error) {
      execution.isUnkept = execution.broken !== undefined
      unwritten.add(execution)
      giveUp(execution, error)
    }
  }
  function finish(execution: LiveExecution): void {
    keepEnd(execution)
    if (execution.isTold) return
    execution.isTold = true
    tellStatus(execution)
    execution.ended.resolve()
  }
  function tellStatus({ state }: LiveExecution): void {
    contain(`Whoever hears of ${state.arn} failed`, () => options.onStatus(state))
  }
  return {
    live,
    open: (execution, firstLine) => {
      execution.lines = firstLine
      live.set(execution.state.arn, execution)
      unwritten.add(execution)
    },
    add,
    write,
    flushSoon: () => {
      flushing ??= setImmediate(flush)
    },
    flush,
    flushOrThrow,
    finish,
    close,
    giveUp,
    forget: execution => {
      live.delete(execution.state.arn)
      unwritten.delete(execution)
    },
    tellStatus,
    contain,
  }
}
