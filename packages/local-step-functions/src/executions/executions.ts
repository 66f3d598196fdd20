import { createHash } from 'node:crypto'
import type { StateMachine } from '@stepwright/asl'
import type { Engine, ExecutionResult, HistoryRecord, RunningExecution } from '@stepwright/asl-engine'
import { ApiError, executionExists, executionMissing } from '../api/api-error.ts'
import type { Journal, Journals } from '../machines/journal.ts'
import type { Machine } from '../machines/machines.ts'

/** What is known of an execution without its history. */
export interface ExecutionSummary {
  readonly arn: string
  readonly name: string
  readonly stateMachineArn: string
  readonly machineName: string
  readonly roleArn: string
  readonly definition: StateMachine
  readonly inputText: string
  readonly startMs: number
}

export type ExecutionStatus = ExecutionResult['status'] | 'RUNNING'

export interface StoredExecution extends ExecutionSummary {
  status: ExecutionStatus
  stopMs: number | undefined
  outputText: string | undefined
  error: string | undefined
  cause: string | undefined
  redriveCount: number
  redriveMs: number | undefined
  running: RunningExecution | undefined
  readonly journal: Journal
}

export interface Executions {
  readonly start: (machine: Machine, name: string, inputText: string) => StoredExecution
  readonly stop: (
    arn: string,
    error: string | undefined,
    cause: string | undefined,
  ) => Promise<StoredExecution>
  readonly redrive: (arn: string) => StoredExecution
  readonly get: (arn: string) => StoredExecution
  readonly listOf: (stateMachineArn: string) => readonly StoredExecution[]
  readonly records: (execution: StoredExecution) => readonly HistoryRecord[]
  /** Resolves when the execution has ended. */
  readonly ended: (execution: StoredExecution) => Promise<void>
  /** Goes on with what was running when the last server ended. */
  readonly resumeAll: () => void
  /** Leaves everything as it is on disk. */
  readonly suspendAll: () => Promise<void>
}

export interface ExecutionsOptions {
  readonly journals: Journals
  readonly arnPrefix: string
  readonly now: () => number
  readonly engineFor: (machine: ExecutionSummary) => Engine
  readonly onStatus: (execution: StoredExecution) => void
}

const closing: Readonly<Record<string, ExecutionStatus>> = {
  ExecutionSucceeded: 'SUCCEEDED',
  ExecutionFailed: 'FAILED',
  ExecutionTimedOut: 'TIMED_OUT',
  ExecutionAborted: 'ABORTED',
}

export function createExecutions(options: ExecutionsOptions): Executions {
  const { journals, arnPrefix, engineFor, onStatus } = options
  const executions = new Map<string, StoredExecution>()
  const settled = new Map<string, Promise<void>>()
  let suspended = false
  for (const name of journals.names()) {
    const execution = loadExecution(journals.open(name))
    if (execution !== undefined) executions.set(execution.arn, execution)
  }

  /** A definition that the interpreter cannot read fails its execution; the others have to go on. */
  const tryEngine = (execution: StoredExecution): Engine | undefined => {
    try {
      return engineFor(execution)
    } catch (error) {
      const previousEventId = readRecords(execution.journal).at(-1)?.id ?? 0
      const record: HistoryRecord = {
        id: previousEventId + 1,
        previousEventId,
        timestampMs: options.now(),
        type: 'ExecutionFailed',
        details: { error: 'States.Runtime', cause: (error as Error).message },
      }
      execution.journal.append(record)
      applyRecord(execution, record)
      execution.journal.close()
      onStatus(execution)
      return undefined
    }
  }
  const run = (
    execution: StoredExecution,
    resume?: { records: readonly HistoryRecord[]; redrive?: boolean },
  ): void => {
    const engine = tryEngine(execution)
    if (engine === undefined) return
    const running = engine.run(JSON.parse(execution.inputText), {
      name: execution.name,
      keepHistory: false,
      onEvent: record => {
        if (suspended) return
        execution.journal.append(record)
        applyRecord(execution, record)
      },
      ...(resume === undefined ? {} : { resume }),
    })
    execution.running = running
    settled.set(
      execution.arn,
      running.result.then(() => {
        execution.running = undefined
        execution.journal.close()
        settled.delete(execution.arn)
        if (!suspended) onStatus(execution)
      }),
    )
  }
  const get = (arn: string): StoredExecution => {
    const execution = executions.get(arn)
    if (execution === undefined) throw executionMissing(arn)
    return execution
  }
  return {
    start: (machine, name, inputText) => {
      const arn = `${arnPrefix}:execution:${machine.name}:${name}`
      const existing = executions.get(arn)
      if (existing !== undefined) {
        if (existing.status === 'RUNNING' && existing.inputText === inputText) return existing
        throw executionExists(arn)
      }
      const summary: ExecutionSummary = {
        arn,
        name,
        stateMachineArn: machine.arn,
        machineName: machine.name,
        roleArn: machine.roleArn,
        definition: JSON.parse(machine.definitionText),
        inputText,
        startMs: options.now(),
      }
      const execution = newExecution(summary, journals.open(journalName(arn)))
      execution.journal.append({ execution: summary })
      executions.set(arn, execution)
      onStatus(execution)
      run(execution)
      return execution
    },
    stop: async (arn, error, cause) => {
      const execution = get(arn)
      execution.running?.abort({
        ...(error === undefined ? {} : { error }),
        ...(cause === undefined ? {} : { cause }),
      })
      await settled.get(arn)
      return execution
    },
    redrive: arn => {
      const execution = get(arn)
      const reason = whyNotRedrivable(execution)
      if (reason !== undefined) throw new ApiError('ExecutionNotRedrivable', reason)
      execution.redriveMs = options.now()
      run(execution, { records: readRecords(execution.journal), redrive: true })
      onStatus(execution)
      return execution
    },
    get,
    listOf: stateMachineArn =>
      [...executions.values()]
        .filter(execution => execution.stateMachineArn === stateMachineArn)
        .sort((a, b) => b.startMs - a.startMs),
    records: execution => readRecords(execution.journal).filter(isHistory),
    ended: async execution => settled.get(execution.arn),
    resumeAll: () => {
      for (const execution of executions.values()) {
        if (execution.status !== 'RUNNING') continue
        const records = readRecords(execution.journal)
        run(execution, records.length === 0 ? undefined : { records })
      }
    },
    suspendAll: async () => {
      suspended = true
      for (const execution of executions.values()) execution.running?.abort()
      await Promise.all(settled.values())
    },
  }
}

export function whyNotRedrivable(execution: StoredExecution): string | undefined {
  return execution.status === 'RUNNING' || execution.status === 'SUCCEEDED'
    ? `Execution is ${execution.status} and cannot be redriven`
    : undefined
}

/** ARNs hold characters that file names cannot. */
function journalName(arn: string): string {
  return `execution-${createHash('sha256').update(arn).digest('hex').slice(0, 40)}`
}

function newExecution(summary: ExecutionSummary, journal: Journal): StoredExecution {
  return {
    ...summary,
    status: 'RUNNING',
    stopMs: undefined,
    outputText: undefined,
    error: undefined,
    cause: undefined,
    redriveCount: 0,
    redriveMs: undefined,
    running: undefined,
    journal,
  }
}

function loadExecution(journal: Journal): StoredExecution | undefined {
  const [first, ...records] = journal.read() as readonly [
    { execution?: ExecutionSummary }?,
    ...HistoryRecord[],
  ]
  if (first?.execution === undefined) return undefined
  const execution = newExecution(first.execution, journal)
  for (const record of records) applyRecord(execution, record)
  return execution
}

function readRecords(journal: Journal): readonly HistoryRecord[] {
  return journal.read().slice(1) as readonly HistoryRecord[]
}

/** Notes and the records of a Map run's children are for resuming only. */
function isHistory({ id, place }: HistoryRecord): boolean {
  return id > 0 && !place?.includes(':')
}

/** What an event says about the execution as a whole. */
function applyRecord(execution: StoredExecution, { type, timestampMs, details }: HistoryRecord): void {
  if (type === 'ExecutionRedriven') {
    execution.status = 'RUNNING'
    execution.stopMs = undefined
    execution.error = undefined
    execution.cause = undefined
    execution.redriveCount = Number(details?.['redriveCount'] ?? execution.redriveCount + 1)
    execution.redriveMs = timestampMs
  }
  const status = closing[type]
  if (status === undefined) return
  execution.status = status
  execution.stopMs = timestampMs
  execution.outputText = details?.output === undefined ? undefined : JSON.stringify(details.output)
  execution.error = details?.error
  execution.cause = details?.cause
}
