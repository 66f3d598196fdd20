import type { Engine, ExecutionResult, HistoryRecord, RunningExecution } from '@stepwright/asl-engine'
import type { ExecutionTarget } from '../machines/execution-target.ts'
import type { ExecutionHeader, KeptExecution } from '../storage/execution-store.ts'
import type { LogRecord } from './execution-log.ts'
import {
  afterRecord,
  type ExecutionState,
  newState,
  type StartedHeader,
  toHeader,
} from './execution-state.ts'
import type { Metrics } from './metrics.ts'

export interface StartedExpress {
  readonly arn: string
  readonly startMs: number
  readonly ended: Promise<ExecutionResult>
}

/** Express executions, of which nothing is left when they have ended, unless somebody asked for it. */
export interface ExpressExecutions {
  readonly start: (
    target: ExecutionTarget,
    name: string,
    inputText: string,
    traceHeader?: string,
  ) => StartedExpress
  /** One of the latest, where they are kept. */
  readonly find: (arn: string) => KeptExecution | undefined
  /** The latest of a state machine, where they are kept. */
  readonly listOf: (stateMachineArn: string) => readonly ExecutionState[]
  /** Ends all that run. */
  readonly stop: () => Promise<void>
}

export interface ExpressExecutionsOptions {
  readonly engineFor: (execution: StartedHeader, type: 'EXPRESS') => Engine
  readonly metrics: Metrics
  readonly now: () => number
  readonly log: LogRecord | undefined
  /** Whether the latest are kept. */
  readonly keep: boolean
}

/** So many are kept. */
const maxKept = 1000

export function createExpressExecutions(options: ExpressExecutionsOptions): ExpressExecutions {
  const { engineFor, metrics, now, log, keep } = options
  const running = new Set<RunningExecution>()
  const kept = new Map<string, { readonly header: ExecutionHeader; readonly records: HistoryRecord[] }>()

  const remember = (header: ExecutionHeader, records: HistoryRecord[]): void => {
    kept.set(header.arn, { header, records })
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
  }
  return {
    start: (target, name, inputText, traceHeader) => {
      const { machine } = target
      metrics.count(machine.arn, 'ExecutionsStarted')
      const started = toHeader(target, name, inputText, traceHeader)
      // Until the execution has its ARN, which it may have ended before.
      let records: HistoryRecord[] = []
      let take = (record: HistoryRecord): void => void records.push(record)
      const execution = engineFor(started, 'EXPRESS').run(JSON.parse(inputText), {
        name,
        keepHistory: false,
        ...(keep || log !== undefined ? { onEvent: (record: HistoryRecord) => take(record) } : {}),
      })
      const { arn, startMs } = execution
      const early = records
      records = []
      if (keep) remember({ ...started, arn, startMs }, records)
      take = record => {
        if (keep) records.push(record)
        log?.({ arn, redriveCount: 0 }, record, machine.loggingConfiguration)
      }
      for (const record of early) take(record)
      running.add(execution)
      const ended = execution.result.then(result => {
        running.delete(execution)
        metrics.ended(machine.arn, result.status, now() - startMs)
        return result
      })
      return { arn, startMs, ended }
    },
    find: arn => kept.get(arn),
    listOf: stateMachineArn =>
      [...kept.values()]
        .filter(({ header }) => header.stateMachineArn === stateMachineArn)
        .map(({ header, records }) => records.reduce(afterRecord, newState(header))),
    stop: async () => {
      for (const execution of running) execution.abort()
      await Promise.all([...running].map(({ result }) => result))
    },
  }
}
