import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import {
  type CallService,
  createEngine,
  createRealClock,
  type Engine,
  type EngineOptions,
} from '@stepwright/asl-engine'
import { ServiceError } from '@stepwright/local-server'
import { createOperations } from './api/operations.ts'
import { createParameters } from './api/request.ts'
import { createTokenBucket } from './api/token-bucket.ts'
import { createExecutionLog } from './executions/execution-log.ts'
import type { ExecutionState, StartedHeader } from './executions/execution-state.ts'
import { createExecutions } from './executions/executions.ts'
import { createExpressExecutions } from './executions/express-executions.ts'
import { createMapRuns } from './executions/map-runs.ts'
import { createMetrics } from './executions/metrics.ts'
import { createRedrives } from './executions/redrives.ts'
import { toStatusEvent } from './executions/status-event.ts'
import { createApiTaskTokens } from './executions/task-tokens.ts'
import { createFunctionHost } from './functions/function-host.ts'
import { createIntegrations } from './functions/integrations/integrations.ts'
import { missingStandIn } from './functions/missing-stand-in.ts'
import { createOwnServices } from './functions/own-services.ts'
import { callStandIn } from './functions/stand-ins/call-stand-in.ts'
import { guardPorts } from './guard.ts'
import { createActivities } from './machines/activities.ts'
import { createAliases } from './machines/aliases.ts'
import { createDeletion } from './machines/deletion.ts'
import { createTargetOf } from './machines/execution-target.ts'
import { createMachines } from './machines/machines.ts'
import { createVersions } from './machines/versions.ts'
import type { StepFunctionsOptions } from './step-functions-options.ts'
import type { ExecutionHeader } from './storage/execution-store.ts'
import { openStorage } from './storage/storage.ts'
import type { World } from './world.ts'

/** So many compiled state machines are kept for executions to come. */
const maxEngines = 100

export interface CreatedWorld {
  readonly world: World
  /** Resolves when no function works any more, or after so many milliseconds. */
  readonly functionsAtRest: (graceMs: number) => Promise<void>
  readonly closeIntegrations: () => void
}

export function createWorld(options: StepFunctionsOptions, region: string): CreatedWorld {
  const { account = '000000000000', now = Date.now, functions = {}, throttling = {} } = options
  const { dataDirectory, sync = 'never', onProblem = warn } = options
  const arnPrefix = `arn:aws:states:${region}:${account}`
  const uuid = randomUUID
  const clock = createRealClock(now)
  const metrics = createMetrics(() => mapRuns.open())
  const taskTokens = createApiTaskTokens()
  const storage = openStorage({
    dataDirectory,
    sync: sync !== 'never',
    now,
    onProblem,
    ...(options.retention === undefined ? {} : { retention: options.retention }),
  })
  const { store } = storage
  const mapRuns = createMapRuns({
    directory: dataDirectory === undefined ? undefined : join(dataDirectory, 'map-runs'),
    now,
    onProblem,
    ...(options.retention?.days === undefined ? {} : { days: options.retention.days }),
  })
  const machines = createMachines({ catalogue: storage.machines, store, arnPrefix, now, uuid })
  const versions = createVersions({ catalogue: storage.versions, machines, now })
  const aliases = createAliases({ catalogue: storage.aliases, now })
  const targetOf = createTargetOf({ machines, versions, aliases, random: options.random ?? Math.random })
  const activities = createActivities({ catalogue: storage.activities, arnPrefix, now, taskTokens })
  const transitions =
    throttling.stateTransition === undefined ? undefined : createTokenBucket(throttling.stateTransition, now)
  const host = createFunctionHost({ functions, now, uuid, onFunctionCall: options.onFunctionCall })

  const integrations = createIntegrations({
    endpoints: options.endpoints ?? {},
    connections: options.connections ?? {},
    region,
    uuid,
    others: options.services ?? missingStandIn,
  })
  const ownServices = createOwnServices(
    {
      callApi: async (operation, body) => {
        const operate = operations[operation]
        if (operate === undefined)
          throw new ServiceError('UnknownOperationException', `There is no operation ${operation}`)
        return operate(createParameters(body), new AbortController().signal)
      },
      ended: arn => executions.ended(arn),
      stop: arn => void executions.stop(arn),
      uuid,
      now,
    },
    integrations.call,
  )
  const services: CallService = call => {
    const standIn = options.standIns?.[`${call.service}:${call.action}`]
    return standIn === undefined
      ? ownServices(call)
      : callStandIn(standIn, call, { region, account, now, uuid })
  }
  /** Nobody is called before it is kept that he is. */
  const kept = <Arguments extends readonly unknown[], Result>(call: (...given: Arguments) => Result) => {
    return (...given: Arguments): Result => {
      executions.flush()
      return call(...given)
    }
  }
  const ports: Omit<EngineOptions, 'definition'> = {
    clock,
    invoke: kept(host.invoke),
    services: kept(services),
    activities: { ...activities, schedule: kept(activities.schedule) },
    taskTokens,
    region,
    account,
    ...(options.objects === undefined ? {} : { objects: options.objects }),
    mapRuns,
  }
  const enginePorts = ({ stateMachineArn }: Pick<ExecutionHeader, 'stateMachineArn'>): typeof ports => {
    const allowed = options.guard === undefined ? ports : guardPorts(ports, stateMachineArn, options.guard)
    if (transitions === undefined) return allowed
    return {
      ...allowed,
      admit: () => {
        const waitMs = transitions.reserveMs()
        if (waitMs > 0) metrics.count(stateMachineArn, 'ExecutionThrottled')
        return waitMs
      },
    }
  }
  const definitionOf = (definitionId: string): string => {
    const text = store.definition(definitionId)
    if (text === undefined) throw new Error('The definition that the execution began with is lost')
    return text
  }
  const engines = new Map<string, Engine>()
  const engineFor = (header: StartedHeader, type: 'STANDARD' | 'EXPRESS' = 'STANDARD'): Engine => {
    const key = JSON.stringify([header.stateMachineArn, header.definitionId, header.roleArn, type])
    const known = engines.get(key)
    if (known !== undefined) return known
    const engine = createEngine({
      ...enginePorts(header),
      definition: JSON.parse(definitionOf(header.definitionId)),
      name: header.machineName,
      roleArn: header.roleArn,
      type,
    })
    const [oldest] = engines.keys()
    if (engines.size >= maxEngines && oldest !== undefined) engines.delete(oldest)
    engines.set(key, engine)
    return engine
  }
  const onStatus = (execution: ExecutionState): void => {
    const { stateMachineArn, status, startMs, stopMs = now(), redriveCount } = execution
    if (status !== 'RUNNING') metrics.ended(stateMachineArn, status, stopMs - startMs)
    else if (redriveCount === 0) metrics.count(stateMachineArn, 'ExecutionsStarted')
    if (status !== 'RUNNING') deletion.goOn(stateMachineArn)
    options.onStatusChange?.(toStatusEvent(execution, { id: uuid(), account, region, nowMs: now() }))
  }
  const log =
    options.executionLog === undefined ? undefined : createExecutionLog(options.executionLog, onProblem)
  const keepsExpress = options.expressHistory === true
  const express = createExpressExecutions({ engineFor, metrics, now, log, keep: keepsExpress })
  const executions = createExecutions({
    store,
    arnPrefix,
    now,
    engineFor: header => engineFor(header),
    onStatus,
    ...(log === undefined
      ? {}
      : {
          onRecord: (state, record) =>
            log(state, record, machines.find(state.stateMachineArn)?.loggingConfiguration),
        }),
    onProblem,
    writeEveryEvent: sync === 'event',
  })
  const deletion = createDeletion({ machines, versions, aliases, executions })
  deletion.resume()
  const world: World = {
    region,
    account,
    now,
    uuid,
    pollMs: (options.pollSeconds ?? 60) * 1000,
    machines,
    versions,
    aliases,
    targetOf,
    deletion,
    executions,
    express,
    keepsExpress,
    redrives: createRedrives(now),
    activities,
    taskTokens,
    mapRuns,
    definitionOf,
    metrics,
    startBucket:
      throttling.startExecution === undefined ? undefined : createTokenBucket(throttling.startExecution, now),
    enginePorts,
  }
  const operations = createOperations(world)
  return { world, functionsAtRest: host.atRest, closeIntegrations: integrations.close }
}

function warn(message: string): void {
  process.emitWarning(message, 'StepFunctionsWarning')
}
