import type { JsonObject } from '@stepwright/asl'
import { type CallService, type ServiceCall, TaskFailure } from '@stepwright/asl-engine'
import { ServiceError } from '@stepwright/local-server'
import { parseMachineArn } from '../machines/machine-arn.ts'

export type CallApi = (operation: string, body: Readonly<Record<string, unknown>>) => Promise<unknown>

export interface NestedExecutions {
  readonly callApi: CallApi
  /** Resolves when the execution has ended. */
  readonly ended: (executionArn: string) => Promise<void>
  readonly stop: (executionArn: string) => void
  readonly uuid: () => string
  readonly now: () => number
}

/** Step Functions calling itself: nested executions, and its own API as an SDK integration. */
export function createOwnServices(nested: NestedExecutions, others: CallService): CallService {
  return call => {
    if (call.service === 'states' && call.action === 'startExecution') return startNested(nested, call)
    if (call.service === 'aws-sdk:sfn') return callOwnApi(nested, call)
    return others(call)
  }
}

async function startNested(nested: NestedExecutions, call: ServiceCall): Promise<unknown> {
  const { callApi, ended, stop } = nested
  const response = (call.before as StartResponse | undefined) ?? (await start(nested, call))
  const executionArn = response.ExecutionArn
  if (call.pattern === 'request' || call.pattern === 'waitForTaskToken') return response
  if (call.before === undefined) call.submitted(response)
  call.signal.addEventListener('abort', () => stop(executionArn), { once: true })
  await ended(executionArn)
  const description = toPascal(await callApi('DescribeExecution', { executionArn })) as Record<
    string,
    unknown
  >
  const { RedriveCount: _count, RedriveStatus: _status, RedriveStatusReason: _reason, ...shown } = description
  if (shown['Status'] !== 'SUCCEEDED') throw new TaskFailure('States.TaskFailed', JSON.stringify(shown))
  return call.pattern === 'sync:2'
    ? { ...shown, Input: parse(shown['Input']), Output: parse(shown['Output']) }
    : shown
}

interface StartResponse extends JsonObject {
  readonly ExecutionArn: string
}

/**
 * An execution to wait for is named after its task's token if it has no name: should this process be killed before it
 * knows of the start, the next finds the same execution.
 */
async function start({ callApi, uuid, now }: NestedExecutions, call: ServiceCall): Promise<StartResponse> {
  const { Input: input, StateMachineArn: stateMachineArn, Name: given } = call.parameters as JsonObject
  const name = given ?? (call.taskToken === '' ? uuid() : call.taskToken)
  const started = await asTask('StepFunctions', async () => {
    try {
      return await callApi('StartExecution', {
        stateMachineArn,
        name,
        input: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
      })
    } catch (error) {
      const isOurs = given === undefined && error instanceof ServiceError
      if (!isOurs || error.code !== 'ExecutionAlreadyExists') throw error
      const { machineArn } = parseMachineArn(String(stateMachineArn))
      const executionArn = `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`
      return { executionArn, startDate: now() / 1000 }
    }
  })
  const { executionArn, startDate } = started as { executionArn: string; startDate: number }
  return {
    ExecutionArn: executionArn,
    StartDate: new Date(startDate * 1000).toISOString(),
    SdkHttpMetadata: { HttpStatusCode: 200 },
    SdkResponseMetadata: { RequestId: uuid() },
  }
}

function parse(text: unknown): unknown {
  return typeof text === 'string' ? JSON.parse(text) : text
}

async function callOwnApi({ callApi }: NestedExecutions, call: ServiceCall): Promise<unknown> {
  const operation = `${call.action[0]?.toUpperCase()}${call.action.slice(1)}`
  return toPascal(
    await asTask('Sfn', () => callApi(operation, toCamel(call.parameters) as Record<string, unknown>)),
  )
}

/** How Step Functions words what an AWS API refused. */
async function asTask(service: string, call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const name = error.code.endsWith('Exception') ? error.code : `${error.code}Exception`
    throw new TaskFailure(
      `${service}.${name}`,
      `${error.message} (Service: ${service}, Status Code: ${error.status}, Request ID: local) (SDK Attempt Count: 1)`,
    )
  }
}

function renameKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map(item => renameKeys(item, rename))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [rename(key), renameKeys(item, rename)]),
  )
}

const dateKey = /Date$|^Timestamp$/

function toPascal(value: unknown): unknown {
  return withDates(renameKeys(value, key => `${key[0]?.toUpperCase()}${key.slice(1)}`))
}

/** The API speaks in seconds, integrations in ISO 8601. */
function withDates(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDates)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      typeof item === 'number' && dateKey.test(key) ? new Date(item * 1000).toISOString() : withDates(item),
    ]),
  )
}

function toCamel(value: unknown): unknown {
  return renameKeys(value, key => `${key[0]?.toLowerCase()}${key.slice(1)}`)
}
