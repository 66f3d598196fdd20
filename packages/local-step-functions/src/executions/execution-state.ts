import type { ExecutionResult, HistoryRecord } from '@stepwright/asl-engine'
import type { ExecutionTarget } from '../machines/execution-target.ts'
import { initialRevision } from '../machines/machines.ts'
import type { EndedExecution, ExecutionHeader } from '../storage/execution-store.ts'

export type ExecutionStatus = ExecutionResult['status'] | 'RUNNING'

/** An execution without its history. */
export interface ExecutionState extends ExecutionHeader {
  readonly status: ExecutionStatus
  readonly stopMs: number | undefined
  readonly outputText: string | undefined
  readonly error: string | undefined
  readonly cause: string | undefined
  readonly redriveCount: number
  readonly redriveMs: number | undefined
}

/** What an execution is started with. */
export type StartedHeader = Omit<ExecutionHeader, 'arn' | 'startMs'>

export function toHeader(
  { machine, ...qualified }: ExecutionTarget,
  name: string,
  inputText: string,
  traceHeader: string | undefined,
): StartedHeader {
  return {
    name,
    stateMachineArn: machine.arn,
    machineName: machine.name,
    roleArn: machine.roleArn,
    definitionId: machine.definitionId,
    inputText,
    ...qualified,
    ...(traceHeader === undefined ? {} : { traceHeader }),
    ...(machine.revisionId === initialRevision ? {} : { revisionId: machine.revisionId }),
  }
}

const closing: Readonly<Record<string, ExecutionStatus>> = {
  ExecutionSucceeded: 'SUCCEEDED',
  ExecutionFailed: 'FAILED',
  ExecutionTimedOut: 'TIMED_OUT',
  ExecutionAborted: 'ABORTED',
}

export function newState(header: ExecutionHeader): ExecutionState {
  return {
    ...header,
    status: 'RUNNING',
    stopMs: undefined,
    outputText: undefined,
    error: undefined,
    cause: undefined,
    redriveCount: 0,
    redriveMs: undefined,
  }
}

/** What an event says about the execution as a whole. */
export function afterRecord(state: ExecutionState, record: HistoryRecord): ExecutionState {
  const { type, timestampMs, details, place } = record
  if (place !== undefined) return state
  if (type === 'ExecutionRedriven') {
    return {
      ...newState(state),
      redriveCount: Number(details?.['redriveCount'] ?? state.redriveCount + 1),
      redriveMs: timestampMs,
    }
  }
  const status = closing[type]
  if (status === undefined) return state
  return {
    ...state,
    status,
    stopMs: timestampMs,
    outputText: details?.output === undefined ? undefined : JSON.stringify(details.output),
    error: details?.error,
    cause: details?.cause,
  }
}

export function toListed(state: ExecutionState): EndedExecution {
  const { arn, name, stateMachineArn, status, startMs, stopMs = startMs, redriveCount, redriveMs } = state
  const { stateMachineVersionArn, stateMachineAliasArn } = state
  return {
    arn,
    name,
    stateMachineArn,
    status,
    startMs,
    stopMs,
    redriveCount,
    ...(redriveMs === undefined ? {} : { redriveMs }),
    ...(stateMachineVersionArn === undefined ? {} : { stateMachineVersionArn }),
    ...(stateMachineAliasArn === undefined ? {} : { stateMachineAliasArn }),
  }
}

export function whyNotRedrivable({ status }: Pick<ExecutionState, 'status'>): string | undefined {
  return status === 'RUNNING' || status === 'SUCCEEDED'
    ? `Execution is ${status} and cannot be redriven`
    : undefined
}
