import { type Engine, type HistoryRecord, isHistoryEvent } from '@stepwright/asl-engine'
import { ServiceError } from '@stepwright/local-server'
import { executionExists, executionMissing } from '../api/refusals.ts'
import type { ExecutionTarget } from '../machines/execution-target.ts'
import type { ReportProblem } from '../storage/catalogue.ts'
import type { ExecutionHeader, ExecutionStore } from '../storage/execution-store.ts'
import { createExecutionJournal, type LiveExecution, newLiveExecution } from './execution-journal.ts'
import {
  afterRecord,
  type ExecutionState,
  newState,
  toHeader,
  toListed,
  whyNotRedrivable,
} from './execution-state.ts'

/** An execution as lists show it. */
export type ListedExecution = Pick<
  ExecutionState,
  | 'arn'
  | 'name'
  | 'stateMachineArn'
  | 'stateMachineVersionArn'
  | 'stateMachineAliasArn'
  | 'startMs'
  | 'redriveCount'
> & {
  readonly status: string
  readonly stopMs: number | undefined
  readonly redriveMs?: number | undefined
}

export interface Executions {
  readonly start: (
    target: ExecutionTarget,
    name: string,
    inputText: string,
    traceHeader?: string,
  ) => ExecutionState
  readonly stop: (
    arn: string,
    reason?: { readonly error?: string; readonly cause?: string },
  ) => Promise<ExecutionState>
  readonly redrive: (arn: string) => ExecutionState
  readonly get: (arn: string) => ExecutionState
  /** Ends those of a state machine that run, each when it leaves the state that it is in. */
  readonly terminate: (stateMachineArn: string) => void
  readonly isAnyRunning: (stateMachineArn: string) => boolean
  /** Those of a state machine, in no order. */
  readonly listOf: (stateMachineArn: string) => readonly ListedExecution[]
  readonly history: (arn: string) => readonly HistoryRecord[]
  /** Resolves when the execution has ended. */
  readonly ended: (arn: string) => Promise<void>
  /** Writes out what has happened so far, because somebody is about to be told. Throws if that cannot be kept. */
  readonly flush: () => void
  /** Runs what has been started, and goes on with what was running when the last server ended. */
  readonly run: () => void
  /** Stops everything where it is. It goes on when a server starts on the same directory. */
  readonly suspend: () => Promise<void>
}

export interface ExecutionsOptions {
  readonly store: ExecutionStore
  readonly arnPrefix: string
  readonly now: () => number
  readonly engineFor: (execution: ExecutionHeader) => Engine
  readonly onStatus: (execution: ExecutionState) => void
  readonly onProblem: ReportProblem
  /** Hears of everything that is recorded. */
  readonly onRecord?: (execution: ExecutionState, record: HistoryRecord) => void
  /** Whether every event is written at once. @default false: before anyone is told of it */
  readonly writeEveryEvent?: boolean
}

/** So much is written together at most. */
const maxHeldCharacters = 65_536

export function createExecutions(options: ExecutionsOptions): Executions {
  const { store, arnPrefix, now, engineFor, writeEveryEvent = false } = options
  const journal = createExecutionJournal(options)
  const { live } = journal
  let isPaused = true
  let isSuspended = false

  for (const { header, records } of store.running()) {
    const state = records.reduce(afterRecord, newState(header))
    if (state.status === 'RUNNING') {
      const resume = records.length === 0 ? undefined : { records, redrive: false }
      live.set(header.arn, { ...newLiveExecution(state), resume })
    } else {
      journal.contain(`The end of ${header.arn} could not be kept`, () => store.end(toListed(state), ''))
    }
  }

  function runLive(execution: LiveExecution): void {
    const { state, resume } = execution
    let engine: Engine
    try {
      engine = engineFor(state)
    } catch (error) {
      // A definition that the interpreter cannot read fails its execution; the others have to go on.
      journal.write(execution)
      journal.close(execution, 'ExecutionFailed', {
        error: 'States.Runtime',
        cause: (error as Error).message,
      })
      return
    }
    const running = engine.run(JSON.parse(state.inputText), {
      name: state.name,
      keepHistory: false,
      onEvent: record => {
        if (execution.broken !== undefined) return
        try {
          journal.add(execution, record)
        } catch (error) {
          journal.giveUp(execution, error)
          return
        }
        if (execution.state.status !== 'RUNNING') return journal.finish(execution)
        if (execution.isDoomed && record.type.endsWith('StateExited')) execution.running?.abort()
        if (writeEveryEvent || execution.lines.length > maxHeldCharacters) journal.write(execution)
        journal.flushSoon()
      },
      ...(resume === undefined ? {} : { resume }),
    })
    execution.running = running
    execution.resume = undefined
    if (execution.broken !== undefined) running.suspend()
    running.result.then(() => {
      execution.running = undefined
      execution.ended.resolve()
    })
  }
  const find = (arn: string): ExecutionState | undefined => {
    const running = live.get(arn)
    if (running !== undefined) return running.state
    const kept = store.read(arn)
    return kept?.records.reduce(afterRecord, newState(kept.header))
  }
  const get = (arn: string): ExecutionState => {
    const found = find(arn)
    if (found === undefined) throw executionMissing(arn)
    return found
  }
  return {
    start: (target, name, inputText, traceHeader) => {
      const arn = `${arnPrefix}:execution:${target.machine.name}:${name}`
      const existing = live.get(arn)?.state
      if (existing?.status === 'RUNNING' && existing.inputText === inputText) return existing
      if (existing !== undefined || store.has(arn)) throw executionExists(arn)
      const header = { arn, ...toHeader(target, name, inputText, traceHeader), startMs: now() }
      const execution = newLiveExecution(newState(header))
      journal.open(execution, `${JSON.stringify(header)}\n`)
      journal.tellStatus(execution)
      if (!isPaused) runLive(execution)
      journal.write(execution)
      if (execution.broken !== undefined && !store.has(arn)) {
        journal.forget(execution)
        throw new ServiceError('InternalFailure', execution.broken, 500)
      }
      return execution.state
    },
    stop: async (arn, reason = {}) => {
      const execution = live.get(arn)
      if (execution === undefined) return get(arn)
      if (isSuspended) return execution.state
      if (execution.running === undefined) {
        if (execution.state.status === 'RUNNING') journal.close(execution, 'ExecutionAborted', reason)
      } else {
        execution.running.abort(reason)
        await execution.ended.promise
      }
      return execution.state
    },
    redrive: arn => {
      const before = get(arn)
      const reason = whyNotRedrivable(before)
      if (reason !== undefined) throw new ServiceError('ExecutionNotRedrivable', reason)
      const records = store.read(arn)?.records ?? []
      store.reopen(toListed(before))
      const execution = { ...newLiveExecution(before), resume: { records, redrive: true } }
      live.set(arn, execution)
      runLive(execution)
      journal.tellStatus(execution)
      journal.flush()
      return execution.state
    },
    get,
    listOf: stateMachineArn => {
      const running = [...live.values()]
        .map(({ state }) => state)
        .filter(state => state.stateMachineArn === stateMachineArn)
      const arns = new Set(running.map(({ arn }) => arn))
      const ended = store.ended(stateMachineArn).filter(({ arn }) => !arns.has(arn))
      return [...running, ...ended]
    },
    terminate: stateMachineArn => {
      for (const execution of live.values()) {
        if (execution.state.stateMachineArn === stateMachineArn) execution.isDoomed = true
      }
    },
    isAnyRunning: stateMachineArn =>
      [...live.values()].some(
        ({ state }) => state.stateMachineArn === stateMachineArn && state.status === 'RUNNING',
      ),
    history: arn => {
      journal.flush()
      const kept = store.read(arn)
      if (kept === undefined) throw executionMissing(arn)
      return kept.records.filter(isHistoryEvent)
    },
    ended: async arn => live.get(arn)?.ended.promise,
    flush: journal.flushOrThrow,
    run: () => {
      isPaused = false
      for (const execution of [...live.values()]) {
        if (execution.running === undefined && execution.state.status === 'RUNNING') runLive(execution)
      }
    },
    suspend: async () => {
      isPaused = true
      isSuspended = true
      journal.flush()
      for (const { running } of live.values()) running?.suspend()
      await Promise.all([...live.values()].map(({ running }) => running?.result))
      store.close()
    },
  }
}
