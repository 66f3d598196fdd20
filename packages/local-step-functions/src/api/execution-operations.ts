import { createEngine, type HistoryEvent, toHistoryEvent } from '@stepwright/asl-engine'
import { type ExecutionState, whyNotRedrivable } from '../executions/execution-state.ts'
import type { Machine } from '../machines/machines.ts'
import type { World } from '../world.ts'
import { ApiError } from './api-error.ts'
import { type Operations, toSeconds } from './operation.ts'
import { checkArn, checkName, type Parameters, parseJsonText, takePage } from './request.ts'

const maxInputBytes = 262_144

function readInput(parameters: Parameters): string {
  const input = parameters.optionalText('input') ?? '{}'
  if (Buffer.byteLength(input) > maxInputBytes) {
    throw new ApiError(
      'ValidationException',
      `1 validation error detected: Value at 'input' failed to satisfy constraint: Member must have length less than or equal to ${maxInputBytes}`,
    )
  }
  parseJsonText(input, 'InvalidExecutionInput', 'State Machine Execution Input')
  return input
}

const included = { included: true }

function describe(execution: ExecutionState): object {
  const reason = whyNotRedrivable(execution)
  return {
    executionArn: execution.arn,
    stateMachineArn: execution.stateMachineArn,
    name: execution.name,
    status: execution.status,
    startDate: toSeconds(execution.startMs),
    ...(execution.stopMs === undefined ? {} : { stopDate: toSeconds(execution.stopMs) }),
    input: execution.inputText,
    inputDetails: included,
    ...(execution.outputText === undefined ? {} : { output: execution.outputText, outputDetails: included }),
    ...(execution.error === undefined ? {} : { error: execution.error }),
    ...(execution.cause === undefined ? {} : { cause: execution.cause }),
    redriveCount: execution.redriveCount,
    redriveStatus: reason === undefined ? 'REDRIVABLE' : 'NOT_REDRIVABLE',
    ...(reason === undefined ? {} : { redriveStatusReason: reason }),
    ...(execution.redriveMs === undefined ? {} : { redriveDate: toSeconds(execution.redriveMs) }),
  }
}

const dataFields = new Set(['input', 'inputDetails', 'output', 'outputDetails', 'parameters'])

/** The protocol's time, and no payloads where they are not wanted. */
function showEvent(event: HistoryEvent, withData: boolean): object {
  return Object.fromEntries(
    Object.entries(event).map(([key, value]) => {
      if (key === 'timestamp') return [key, toSeconds((value as Date).getTime())]
      if (withData || typeof value !== 'object') return [key, value]
      return [
        key,
        Object.fromEntries(Object.entries(value ?? {}).filter(([field]) => !dataFields.has(field))),
      ]
    }),
  )
}

/** Starting, stopping and reading executions. */
export function executionOperations(world: World): Operations {
  const { machines, executions, metrics, mapRuns, uuid, now } = world

  const admit = (machine: Machine): void => {
    if (world.startBucket?.take() ?? true) return
    metrics.count(machine.arn, 'ExecutionThrottled')
    throw new ApiError('ThrottlingException', 'Rate exceeded')
  }
  const runExpress = (machine: Machine, name: string, input: string) => {
    metrics.count(machine.arn, 'ExecutionsStarted')
    const engine = createEngine({
      ...world.enginePorts({ stateMachineArn: machine.arn }),
      definition: JSON.parse(machine.definitionText),
      name: machine.name,
      roleArn: machine.roleArn,
      type: 'EXPRESS',
    })
    const execution = engine.run(JSON.parse(input), { name, keepHistory: false })
    const ended = execution.result.then(result => {
      metrics.ended(machine.arn, result.status, now() - execution.startMs)
      return result
    })
    return { execution, ended }
  }
  return {
    StartExecution: async parameters => {
      const machine = machines.get(checkArn(parameters.text('stateMachineArn'), 'stateMachine'))
      const name = checkName(parameters.optionalText('name') ?? uuid())
      const input = readInput(parameters)
      admit(machine)
      if (machine.type === 'EXPRESS') {
        const { execution } = runExpress(machine, name, input)
        return { executionArn: execution.arn, startDate: toSeconds(execution.startMs) }
      }
      const execution = executions.start(machine, name, input)
      return { executionArn: execution.arn, startDate: toSeconds(execution.startMs) }
    },

    StartSyncExecution: async parameters => {
      const machine = machines.get(checkArn(parameters.text('stateMachineArn'), 'stateMachine'))
      if (machine.type !== 'EXPRESS') {
        throw new ApiError(
          'StateMachineTypeNotSupported',
          'This operation is not supported by this type of state machine',
        )
      }
      const name = checkName(parameters.optionalText('name') ?? uuid())
      const input = readInput(parameters)
      admit(machine)
      const { execution, ended } = runExpress(machine, name, input)
      const result = await ended
      const elapsedMs = now() - execution.startMs
      return {
        executionArn: execution.arn,
        stateMachineArn: machine.arn,
        name,
        startDate: toSeconds(execution.startMs),
        stopDate: toSeconds(now()),
        status: result.status,
        input,
        inputDetails: included,
        ...(result.status === 'SUCCEEDED'
          ? { output: JSON.stringify(result.output), outputDetails: included }
          : { error: result.error, cause: result.cause }),
        billingDetails: {
          billedMemoryUsedInMB: 64,
          billedDurationInMilliseconds: Math.max(100, Math.ceil(elapsedMs / 100) * 100),
        },
      }
    },

    StopExecution: async parameters => {
      const arn = checkArn(parameters.text('executionArn'), 'execution')
      const execution = await executions.stop(
        arn,
        parameters.optionalText('error'),
        parameters.optionalText('cause'),
      )
      return { stopDate: toSeconds(execution.stopMs ?? now()) }
    },

    DescribeExecution: async parameters =>
      describe(executions.get(checkArn(parameters.text('executionArn'), 'execution'))),

    ListExecutions: async parameters => {
      const arn = checkArn(parameters.text('stateMachineArn'), 'stateMachine')
      const machine = machines.get(arn)
      if (machine.type === 'EXPRESS') {
        throw new ApiError(
          'StateMachineTypeNotSupported',
          'This operation is not supported by this type of state machine',
        )
      }
      const status = parameters.optionalText('statusFilter')
      const found = executions
        .listOf(arn)
        .filter(execution => status === undefined || execution.status === status)
      const { items, nextToken } = takePage(found, parameters)
      return {
        executions: items.map(execution => ({
          executionArn: execution.arn,
          stateMachineArn: execution.stateMachineArn,
          name: execution.name,
          status: execution.status,
          startDate: toSeconds(execution.startMs),
          ...(execution.stopMs === undefined ? {} : { stopDate: toSeconds(execution.stopMs) }),
          ...(execution.redriveCount === 0 ? {} : { redriveCount: execution.redriveCount }),
        })),
        ...(nextToken === undefined ? {} : { nextToken }),
      }
    },

    GetExecutionHistory: async parameters => {
      const arn = checkArn(parameters.text('executionArn'), 'execution')
      const withData = parameters.optionalBoolean('includeExecutionData') ?? true
      const records = executions.history(arn)
      const ordered = parameters.optionalBoolean('reverseOrder') ? records.toReversed() : records
      const { items, nextToken } = takePage(ordered, parameters)
      return {
        events: items.map(record => showEvent(toHistoryEvent(record), withData)),
        ...(nextToken === undefined ? {} : { nextToken }),
      }
    },

    RedriveExecution: async parameters => {
      const execution = executions.redrive(checkArn(parameters.text('executionArn'), 'execution'))
      return { redriveDate: toSeconds(execution.redriveMs ?? now()) }
    },

    ListMapRuns: async parameters => {
      const arn = checkArn(parameters.text('executionArn'), 'execution')
      const execution = executions.get(arn)
      const found = executions
        .history(arn)
        .filter(({ type }) => type === 'MapRunStarted')
        .flatMap(({ details }) => mapRuns.get(String(details?.['mapRunArn'])) ?? [])
      const { items, nextToken } = takePage(found, parameters)
      return {
        mapRuns: items.map(run => ({
          executionArn: run.executionArn,
          mapRunArn: run.mapRunArn,
          stateMachineArn: execution.stateMachineArn,
          startDate: toSeconds(run.startMs),
          ...(run.stopMs === undefined ? {} : { stopDate: toSeconds(run.stopMs) }),
        })),
        ...(nextToken === undefined ? {} : { nextToken }),
      }
    },

    DescribeMapRun: async parameters => {
      const arn = checkArn(parameters.text('mapRunArn'), 'mapRun')
      const run = mapRuns.get(arn)
      if (run === undefined) throw new ApiError('ResourceNotFound', `Resource not found: '${arn}'`)
      return {
        mapRunArn: run.mapRunArn,
        executionArn: run.executionArn,
        status: run.status,
        startDate: toSeconds(run.startMs),
        ...(run.stopMs === undefined ? {} : { stopDate: toSeconds(run.stopMs) }),
        maxConcurrency: run.maxConcurrency,
        toleratedFailureCount: run.toleratedFailureCount,
        toleratedFailurePercentage: run.toleratedFailurePercentage,
        itemCounts: run.items,
        executionCounts: run.executions,
        redriveCount: run.redriveCount,
      }
    },
  }
}
