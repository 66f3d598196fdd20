import { missing, type Parameters, violation } from './request.ts'

/** What the API reference says about a text, wherever it is a parameter. */
interface TextConstraint {
  /** @default 1 */
  readonly min?: number
  readonly max?: number
  /** Data is private: complaints do not repeat it. Its length counts in bytes of UTF-8. @default false */
  readonly isData?: boolean
  readonly choices?: readonly string[]
}

export const machineTypes = ['STANDARD', 'EXPRESS'] as const
export const includedData = ['ALL_DATA', 'METADATA_ONLY'] as const
export const inspectionLevels = ['INFO', 'DEBUG', 'TRACE'] as const
export const redriveFilters = ['REDRIVEN', 'NOT_REDRIVEN'] as const
export const executionStatuses = [
  'SUCCEEDED',
  'TIMED_OUT',
  'PENDING_REDRIVE',
  'ABORTED',
  'FAILED',
  'RUNNING',
] as const

const arn = { max: 256 }
const longArn = { max: 2000 }
const data = { min: 0, max: 262_144, isData: true }
const description = { min: 0, max: 256, isData: true }

const texts: Readonly<Record<string, TextConstraint>> = {
  activityArn: arn,
  executionArn: arn,
  resourceArn: arn,
  roleArn: arn,
  stateMachineAliasArn: arn,
  stateMachineArn: arn,
  mapRunArn: longArn,
  stateMachineVersionArn: longArn,
  name: { max: 80 },
  stateName: { max: 80 },
  workerName: { max: 80 },
  definition: { max: 1_048_576, isData: true },
  input: data,
  output: data,
  error: { min: 0, max: 256, isData: true },
  cause: { min: 0, max: 32_768, isData: true },
  description,
  versionDescription: description,
  taskToken: { max: 2048 },
  traceHeader: { min: 0, max: 256 },
  type: { choices: machineTypes },
  includedData: { choices: includedData },
  inspectionLevel: { choices: inspectionLevels },
  redriveFilter: { choices: redriveFilters },
  statusFilter: { choices: executionStatuses },
}

interface OperationParameters {
  readonly required?: readonly string[]
  readonly optional?: readonly string[]
}

const operations: Readonly<Record<string, OperationParameters>> = {
  CreateActivity: { required: ['name'] },
  CreateStateMachine: {
    required: ['name', 'definition', 'roleArn'],
    optional: ['type', 'versionDescription'],
  },
  CreateStateMachineAlias: { required: ['name', 'routingConfiguration'], optional: ['description'] },
  DeleteActivity: { required: ['activityArn'] },
  DeleteStateMachine: { required: ['stateMachineArn'] },
  DeleteStateMachineAlias: { required: ['stateMachineAliasArn'] },
  DeleteStateMachineVersion: { required: ['stateMachineVersionArn'] },
  DescribeActivity: { required: ['activityArn'] },
  DescribeExecution: { required: ['executionArn'], optional: ['includedData'] },
  DescribeMapRun: { required: ['mapRunArn'] },
  DescribeStateMachine: { required: ['stateMachineArn'], optional: ['includedData'] },
  DescribeStateMachineAlias: { required: ['stateMachineAliasArn'] },
  DescribeStateMachineForExecution: { required: ['executionArn'], optional: ['includedData'] },
  GetActivityTask: { required: ['activityArn'], optional: ['workerName'] },
  GetExecutionHistory: { required: ['executionArn'] },
  ListExecutions: { optional: ['stateMachineArn', 'mapRunArn', 'statusFilter', 'redriveFilter'] },
  ListMapRuns: { required: ['executionArn'] },
  ListStateMachineAliases: { required: ['stateMachineArn'] },
  ListStateMachineVersions: { required: ['stateMachineArn'] },
  ListTagsForResource: { required: ['resourceArn'] },
  PublishStateMachineVersion: { required: ['stateMachineArn'], optional: ['description'] },
  RedriveExecution: { required: ['executionArn'] },
  SendTaskFailure: { required: ['taskToken'], optional: ['error', 'cause'] },
  SendTaskHeartbeat: { required: ['taskToken'] },
  SendTaskSuccess: { required: ['taskToken', 'output'] },
  StartExecution: { required: ['stateMachineArn'], optional: ['name', 'input', 'traceHeader'] },
  StartSyncExecution: {
    required: ['stateMachineArn'],
    optional: ['name', 'input', 'traceHeader', 'includedData'],
  },
  StopExecution: { required: ['executionArn'], optional: ['error', 'cause'] },
  TagResource: { required: ['resourceArn', 'tags'] },
  TestState: {
    required: ['definition'],
    optional: ['roleArn', 'input', 'inspectionLevel', 'stateName'],
  },
  UntagResource: { required: ['resourceArn', 'tagKeys'] },
  UpdateMapRun: { required: ['mapRunArn'] },
  UpdateStateMachine: {
    required: ['stateMachineArn'],
    optional: ['definition', 'roleArn', 'versionDescription'],
  },
  UpdateStateMachineAlias: { required: ['stateMachineAliasArn'], optional: ['description'] },
  ValidateStateMachineDefinition: { required: ['definition'], optional: ['type'] },
}

/** Refuses what the API's model forbids, all of it at once and before anything else is looked at. */
export function checkConstraints(operation: string, parameters: Parameters): void {
  const { required = [], optional = [] } = operations[operation] ?? {}
  const problems = [
    ...required.filter(name => !parameters.has(name)).map(missing),
    ...[...required, ...optional].flatMap(name => problemsOf(name, parameters)),
  ]
  if (problems.length > 0) throw violation(...problems)
}

function problemsOf(name: string, parameters: Parameters): readonly string[] {
  const constraint = texts[name]
  const value = constraint === undefined ? undefined : parameters.optionalText(name)
  if (constraint === undefined || value === undefined) return []
  const { min = 1, max = Number.POSITIVE_INFINITY, isData = false, choices } = constraint
  const problem = (rule: string): string[] => [
    `Value ${isData ? '' : `'${value}' `}at '${name}' failed to satisfy constraint: Member must ${rule}`,
  ]
  if (choices !== undefined)
    return choices.includes(value) ? [] : problem(`satisfy enum value set: [${choices.join(', ')}]`)
  const length = isData ? Buffer.byteLength(value) : value.length
  if (length < min) return problem(`have length greater than or equal to ${min}`)
  return length > max ? problem(`have length less than or equal to ${max}`) : []
}
