import { type HistoryEvent, type HistoryRecord, isHistoryEvent, toHistoryEvent } from '@stepwright/asl-engine'
import { ServiceError } from '@stepwright/local-server'
import { withoutData } from '../executions/event-data.ts'
import {
  afterRecord,
  type ExecutionState,
  newState,
  whyNotRedrivable,
} from '../executions/execution-state.ts'
import type { ListedExecution } from '../executions/executions.ts'
import type { KeptChild } from '../executions/map-run-children.ts'
import type { ExecutionTarget } from '../machines/execution-target.ts'
import { parseMachineArn } from '../machines/machine-arn.ts'
import type { KeptExecution } from '../storage/execution-store.ts'
import type { World } from '../world.ts'
import { childRecords, describeChild, isChildArn, listedChild } from './child-executions.ts'
import { executionStatuses, redriveFilters } from './constraints.ts'
import { wantsData } from './machine-fields.ts'
import { type Operations, toSeconds } from './operation.ts'
import { executionMissing, resourceMissing } from './refusals.ts'
import {
  checkArn,
  checkMachineArn,
  checkName,
  type Parameters,
  parseJsonText,
  readReason,
  takePage,
  violation,
} from './request.ts'

function readInput(parameters: Parameters): string {
  const input = parameters.optionalText('input') ?? '{}'
  parseJsonText(input, 'InvalidExecutionInput', 'State Machine Execution Input')
  return input
}

const included = { included: true }

function describe(execution: ExecutionState, withData: boolean): object {
  const reason = whyNotRedrivable(execution)
  const { traceHeader } = execution
  return {
    ...identify(execution),
    ...(withData ? describeData(execution) : {}),
    ...(traceHeader === undefined ? {} : { traceHeader }),
    redriveCount: execution.redriveCount,
    redriveStatus: reason === undefined ? 'REDRIVABLE' : 'NOT_REDRIVABLE',
    ...(reason === undefined ? {} : { redriveStatusReason: reason }),
  }
}

type Data = Pick<ExecutionState, 'status' | 'inputText' | 'outputText' | 'error' | 'cause'>

/** An execution that timed out has no error of its own: its status says it. */
function describeData({ status, inputText, outputText, error, cause }: Data): object {
  return {
    input: inputText,
    inputDetails: included,
    ...(outputText === undefined ? {} : { output: outputText, outputDetails: included }),
    ...(error === undefined || status === 'TIMED_OUT' ? {} : { error }),
    ...(cause === undefined ? {} : { cause }),
  }
}

/** What is the same in a list and on its own. */
function identify(execution: ListedExecution): object {
  const { stateMachineVersionArn, stateMachineAliasArn } = execution
  return {
    executionArn: execution.arn,
    stateMachineArn: execution.stateMachineArn,
    name: execution.name,
    status: execution.status,
    startDate: toSeconds(execution.startMs),
    ...(execution.stopMs === undefined ? {} : { stopDate: toSeconds(execution.stopMs) }),
    ...(execution.redriveMs === undefined ? {} : { redriveDate: toSeconds(execution.redriveMs) }),
    ...(stateMachineVersionArn === undefined ? {} : { stateMachineVersionArn }),
    ...(stateMachineAliasArn === undefined ? {} : { stateMachineAliasArn }),
  }
}

function listed(execution: ListedExecution): object {
  return { ...identify(execution), redriveCount: execution.redriveCount }
}

/** The protocol's time, and no payloads where they are not wanted. */
function showEvent(event: HistoryEvent, withData: boolean): object {
  return Object.fromEntries(
    Object.entries(event).map(([key, value]) => {
      if (key === 'timestamp') return [key, toSeconds((value as Date).getTime())]
      return [key, withData || typeof value !== 'object' ? value : withoutData({ ...value })]
    }),
  )
}

function notSupported(): ServiceError {
  return new ServiceError(
    'StateMachineTypeNotSupported',
    'This operation is not supported by this type of state machine',
  )
}

interface ExecutionFilters {
  readonly status: string | undefined
  readonly redriven: 'REDRIVEN' | 'NOT_REDRIVEN' | undefined
}

function readFilters(parameters: Parameters): ExecutionFilters {
  return {
    status: parameters.optionalChoice('statusFilter', executionStatuses),
    redriven: parameters.optionalChoice('redriveFilter', redriveFilters),
  }
}

function passes(
  execution: { readonly status: string; readonly redriveCount: number },
  { status, redriven }: ExecutionFilters,
): boolean {
  return (
    (status === undefined || execution.status === status) &&
    (redriven === undefined || execution.redriveCount > 0 === (redriven === 'REDRIVEN'))
  )
}

/** Starting, stopping and reading executions. */
export function executionOperations(world: World): Operations {
  const { machines, executions, express, mapRuns, metrics, uuid, now } = world

  const readStart = (parameters: Parameters) => {
    const target = world.targetOf(checkMachineArn(parameters.text('stateMachineArn')))
    const name = checkName(parameters.optionalText('name') ?? uuid())
    return { target, name, input: readInput(parameters), traceHeader: parameters.optionalText('traceHeader') }
  }
  const admit = ({ machine }: ExecutionTarget): void => {
    if (world.startBucket?.take() ?? true) return
    metrics.count(machine.arn, 'ExecutionThrottled')
    throw new ServiceError('ThrottlingException', 'Rate exceeded')
  }
  /** AWS knows Express executions only by their logs; here they can be kept. */
  const expressOf = (arn: string): KeptExecution => {
    const kept = express.find(arn)
    if (kept === undefined) throw executionMissing(arn)
    return kept
  }
  const executionArn = (parameters: Parameters): { arn: string; isExpress: boolean } => {
    const given = parameters.text('executionArn')
    const kinds = world.keepsExpress || isChildArn(given) ? ['execution', 'express'] : ['execution']
    const arn = checkArn(given, ...kinds)
    return { arn, isExpress: arn.split(':')[5] === 'express' }
  }
  const childOf = (arn: string): KeptChild => {
    const child = mapRuns.children.find(arn)
    if (child === undefined) throw executionMissing(arn)
    return child
  }
  const recordsOf = (arn: string, isExpress: boolean): readonly HistoryRecord[] => {
    if (isChildArn(arn)) return childRecords(childOf(arn))
    return isExpress ? expressOf(arn).records.filter(isHistoryEvent) : executions.history(arn)
  }
  const listChildren = (arn: string, filters: ExecutionFilters, parameters: Parameters): object => {
    if (mapRuns.get(arn) === undefined) throw resourceMissing(arn)
    const found = mapRuns.children.of(arn).filter(child => passes(child, filters))
    const { items, nextToken } = takePage(found, parameters, ({ startMs, executionArn: childArn }) => [
      startMs,
      childArn,
    ])
    return { executions: items.map(listedChild), ...(nextToken === undefined ? {} : { nextToken }) }
  }
  return {
    StartExecution: async parameters => {
      const { target, name, input, traceHeader } = readStart(parameters)
      admit(target)
      const starter = target.machine.type === 'EXPRESS' ? express : executions
      const execution = starter.start(target, name, input, traceHeader)
      return { executionArn: execution.arn, startDate: toSeconds(execution.startMs) }
    },

    StartSyncExecution: async parameters => {
      const { target, name, input, traceHeader } = readStart(parameters)
      const withData = wantsData(parameters)
      if (target.machine.type !== 'EXPRESS') throw notSupported()
      admit(target)
      const { arn, startMs, ended } = express.start(target, name, input, traceHeader)
      const result = await ended
      const stopMs = now()
      const outcome =
        result.status === 'SUCCEEDED'
          ? { outputText: JSON.stringify(result.output), error: undefined, cause: undefined }
          : { outputText: undefined, error: result.error, cause: result.cause }
      return {
        executionArn: arn,
        stateMachineArn: target.machine.arn,
        name,
        startDate: toSeconds(startMs),
        stopDate: toSeconds(stopMs),
        status: result.status,
        ...(withData ? describeData({ status: result.status, inputText: input, ...outcome }) : {}),
        ...(traceHeader === undefined ? {} : { traceHeader }),
        billingDetails: {
          billedMemoryUsedInMB: 64,
          billedDurationInMilliseconds: Math.max(100, Math.ceil((stopMs - startMs) / 100) * 100),
        },
      }
    },

    StopExecution: async parameters => {
      const arn = checkArn(parameters.text('executionArn'), 'execution')
      const reason = readReason(parameters)
      if (isChildArn(arn)) {
        const { stopMs = now() } = childOf(arn)
        mapRuns.children.stop(arn, reason)
        return { stopDate: toSeconds(stopMs) }
      }
      const execution = await executions.stop(arn, reason)
      return { stopDate: toSeconds(execution.stopMs ?? now()) }
    },

    DescribeExecution: async parameters => {
      const { arn, isExpress } = executionArn(parameters)
      const withData = wantsData(parameters)
      if (isChildArn(arn)) return describeChild(childOf(arn), withData)
      if (!isExpress) return describe(executions.get(arn), withData)
      const { header, records } = expressOf(arn)
      return describe(records.reduce(afterRecord, newState(header)), withData)
    },

    ListExecutions: async parameters => {
      const arn = parameters.optionalText('stateMachineArn')
      const mapRunArn = parameters.optionalText('mapRunArn')
      const filters = readFilters(parameters)
      if (arn === undefined && mapRunArn !== undefined)
        return listChildren(checkArn(mapRunArn, 'mapRun'), filters, parameters)
      if (arn === undefined || mapRunArn !== undefined)
        throw violation('Must provide a StateMachine ARN or MapRun ARN')
      const { machineArn, qualifier } = parseMachineArn(checkArn(arn, 'stateMachine'))
      const isExpress = machines.get(machineArn).type === 'EXPRESS'
      if (isExpress && !world.keepsExpress) throw notSupported()
      const found = (isExpress ? express : executions)
        .listOf(machineArn)
        .filter(
          execution =>
            passes(execution, filters) &&
            (qualifier === undefined ||
              execution.stateMachineVersionArn === arn ||
              execution.stateMachineAliasArn === arn),
        )
      const { items, nextToken } = takePage(found, parameters, execution => [
        (filters.redriven === 'REDRIVEN' ? execution.redriveMs : undefined) ?? execution.startMs,
        execution.arn,
      ])
      return {
        executions: items.map(listed),
        ...(nextToken === undefined ? {} : { nextToken }),
      }
    },

    GetExecutionHistory: async parameters => {
      const { arn, isExpress } = executionArn(parameters)
      const withData = parameters.optionalBoolean('includeExecutionData') ?? true
      const records = recordsOf(arn, isExpress)
      const direction = parameters.optionalBoolean('reverseOrder') ? 1 : -1
      const { items, nextToken } = takePage(records, parameters, ({ id }) => [direction * id, ''])
      return {
        events: items.map(record => showEvent(toHistoryEvent(record), withData)),
        ...(nextToken === undefined ? {} : { nextToken }),
      }
    },

    RedriveExecution: async parameters => {
      const arn = checkArn(parameters.text('executionArn'), 'execution')
      if (isChildArn(arn)) {
        childOf(arn)
        throw new ServiceError(
          'ExecutionNotRedrivable',
          'Execution is REDRIVABLE_BY_MAP_RUN and cannot be redriven',
        )
      }
      const redriveMs = world.redrives.once(arn, parameters.optionalText('clientToken'), () => {
        return executions.redrive(arn).redriveMs ?? now()
      })
      return { redriveDate: toSeconds(redriveMs) }
    },
  }
}
