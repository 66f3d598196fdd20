import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type HistoryRecord, isHistoryEvent, toHistoryEvent } from '@stepwright/asl-engine'
import { type LoggingConfiguration, toLogging } from '../api/machine-fields.ts'
import type { ReportProblem } from '../storage/catalogue.ts'
import { withoutData } from './event-data.ts'

/** A line of an execution's log, in the shape that CloudWatch has it. */
export interface ExecutionLogEntry {
  readonly id: string
  readonly type: string
  readonly details: Readonly<Record<string, unknown>>
  readonly previous_event_id: string
  /** Milliseconds since 1970. */
  readonly event_timestamp: string
  readonly execution_arn: string
  readonly redrive_count: string
}

export interface ExecutionLogOptions {
  /** A file, one JSON object a line, or who hears of each. */
  readonly destination: string | ((entry: ExecutionLogEntry) => void)
  /** For state machines without a logging configuration of their own. @default 'ALL' */
  readonly level?: 'ALL' | 'ERROR' | 'FATAL'
  /** Likewise. @default true */
  readonly includeExecutionData?: boolean
}

/** Hears of what an execution does; its state machine's configuration says what of it is logged. */
export type LogRecord = (
  execution: { readonly arn: string; readonly redriveCount: number },
  record: HistoryRecord,
  configuration: unknown,
) => void

const fatal = /^Execution(Aborted|Failed|TimedOut)$/
const errors = /(Aborted|Failed|TimedOut)$/

export function createExecutionLog(
  { destination, level = 'ALL', includeExecutionData = true }: ExecutionLogOptions,
  onProblem: ReportProblem,
): LogRecord {
  const write = typeof destination === 'string' ? appendTo(destination) : destination
  return ({ arn, redriveCount }, record, configuration) => {
    if (!isHistoryEvent(record)) return
    const own = toLogging(configuration)
    const logging = own.destinations === undefined ? { level, includeExecutionData } : own
    if (!isLogged(record.type, logging.level)) return
    try {
      write(toEntry(record, arn, redriveCount, logging.includeExecutionData))
    } catch (error) {
      onProblem(`${arn} could not be logged: ${(error as Error).message}`)
    }
  }
}

function appendTo(path: string): (entry: ExecutionLogEntry) => void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return entry => appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
}

function isLogged(type: string, level: LoggingConfiguration['level']): boolean {
  if (level === 'OFF') return false
  return level === 'ALL' || (level === 'ERROR' ? errors : fatal).test(type)
}

function toEntry(
  record: HistoryRecord,
  arn: string,
  redriveCount: number,
  withData: boolean,
): ExecutionLogEntry {
  const { id, previousEventId, timestamp, type, ...details } = toHistoryEvent(record)
  const [shown = {}] = Object.values(details)
  return {
    id: String(id),
    type,
    details: withData ? shown : withoutData(shown),
    previous_event_id: String(previousEventId),
    event_timestamp: String(timestamp.getTime()),
    execution_arn: arn,
    redrive_count: String(redriveCount),
  }
}
