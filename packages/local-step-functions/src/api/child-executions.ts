import type { HistoryRecord } from '@stepwright/asl-engine'
import type { KeptChild, ListedChild } from '../executions/map-run-children.ts'
import { toSeconds } from './operation.ts'

/** Child executions of Map runs, as ListExecutions, DescribeExecution and GetExecutionHistory show them. */

/** `…:execution:machine/label:name`: state machines' own names have no slash. */
export function isChildArn(arn: string): boolean {
  return arn.split(':')[6]?.includes('/') === true
}

export function listedChild(child: ListedChild): object {
  const { executionArn, stateMachineArn, name, status, mapRunArn, itemCount, startMs, stopMs } = child
  return {
    executionArn,
    stateMachineArn,
    name,
    status,
    startDate: toSeconds(startMs),
    ...(stopMs === undefined ? {} : { stopDate: toSeconds(stopMs) }),
    mapRunArn,
    itemCount,
    redriveCount: child.redriveCount,
  }
}

const included = { included: true }

export function describeChild(child: KeptChild, withData: boolean): object {
  const { status, input, output, error, cause } = child
  const isFailed = status !== 'RUNNING' && status !== 'SUCCEEDED'
  const { itemCount: _count, ...listed } = listedChild(child) as { itemCount: number }
  return {
    ...listed,
    ...(withData
      ? {
          input: JSON.stringify(input),
          inputDetails: included,
          ...(output === undefined ? {} : { output: JSON.stringify(output), outputDetails: included }),
          ...(error === undefined || status === 'TIMED_OUT' ? {} : { error }),
          ...(cause === undefined ? {} : { cause }),
        }
      : {}),
    redriveStatus: isFailed ? 'REDRIVABLE_BY_MAP_RUN' : 'NOT_REDRIVABLE',
    ...(isFailed ? {} : { redriveStatusReason: `Execution is ${status} and cannot be redriven` }),
  }
}

const closing = {
  SUCCEEDED: 'ExecutionSucceeded',
  FAILED: 'ExecutionFailed',
  TIMED_OUT: 'ExecutionTimedOut',
  ABORTED: 'ExecutionAborted',
} as const

/** The child's events, with the first and the last, of which the engine keeps only what its parent needs. */
export function childRecords(child: KeptChild): readonly HistoryRecord[] {
  const { input, output, error, cause, roleArn, status, stopMs = 0 } = child
  const events = child.records.filter(({ id, type }) => id > 0 && type !== 'ExecutionStarted')
  const started = {
    id: 1,
    previousEventId: 0,
    timestampMs: child.startMs,
    type: 'ExecutionStarted',
    details: { input, roleArn } as HistoryRecord['details'],
  }
  if (status === 'RUNNING') return [started, ...events]
  const last = events.at(-1)?.id ?? 1
  const ended = {
    id: last + 1,
    previousEventId: status === 'ABORTED' ? 0 : last,
    timestampMs: stopMs,
    type: closing[status],
    details: { output, error, cause } as HistoryRecord['details'],
  }
  return [started, ...events, ended]
}
