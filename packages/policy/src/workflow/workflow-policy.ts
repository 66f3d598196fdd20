import { parseResource } from '@stepwright/asl/expressions'
import { arnOf } from '../arn.ts'
import { allow, type PolicyDocument, type Statement, toDocument } from '../statement.ts'
import { createCall, isObject } from './call.ts'
import { mapStatements } from './distributed-map.ts'
import type { KnownValues } from './known-values.ts'
import { lambdaStatements } from './lambda.ts'
import { optimizedStatements } from './optimized.ts'
import { sdkStatements } from './sdk.ts'

type Fields = Readonly<Record<string, unknown>>

export interface WorkflowPolicyOptions {
  /** The machine's own ARN, which a Distributed Map starts. @default that of `stateMachineName` */
  readonly stateMachineArn?: string
  /** @default '${StateMachineName}' */
  readonly stateMachineName?: string
  /** What expressions can be at run time: `{ '$.bucket': 'uploads', '$.key': 'chunks/*' }`. @default anything */
  readonly known?: KnownValues
  /** Whether it writes its history to CloudWatch Logs. @default false */
  readonly logging?: boolean
  /** Whether X-Ray follows it. @default false */
  readonly tracing?: boolean
}

export interface WorkflowPolicy {
  readonly document: PolicyDocument
  /** States whose needs are not known, or known only for everything, in words. */
  readonly notes: readonly string[]
}

const logDelivery = [
  'logs:CreateLogDelivery',
  'logs:DeleteLogDelivery',
  'logs:DescribeLogGroups',
  'logs:DescribeResourcePolicies',
  'logs:GetLogDelivery',
  'logs:ListLogDeliveries',
  'logs:PutResourcePolicy',
  'logs:UpdateLogDelivery',
]
const traces = [
  'xray:GetSamplingRules',
  'xray:GetSamplingTargets',
  'xray:PutTelemetryRecords',
  'xray:PutTraceSegments',
]

/** What the role of a state machine must be allowed to do, and no more: derived from its definition. */
export function workflowPolicy(definition: unknown, options: WorkflowPolicyOptions = {}): WorkflowPolicy {
  const { stateMachineName = `\${StateMachineName}`, known = {}, logging = false, tracing = false } = options
  const { stateMachineArn = arnOf('states', `stateMachine:${stateMachineName}`) } = options
  const notes: string[] = []
  const statements: Statement[] = []
  const note = (name: string, text: string): void => void notes.push(`${name}: ${text}`)
  const visit = (machine: unknown, language: unknown): void => {
    if (!isObject(machine) || !isObject(machine['States'])) return
    for (const [name, state] of Object.entries(machine['States'])) {
      if (!isObject(state)) continue
      const isJsonata = (state['QueryLanguage'] ?? language) === 'JSONata'
      if (state['Type'] === 'Task') statements.push(...taskStatements(name, state, isJsonata, known, note))
      if (isDistributed(state)) statements.push(...mapStatements(state, stateMachineArn, known, isJsonata))
      for (const inner of innerMachines(state)) visit(inner, language)
    }
  }
  visit(definition, isObject(definition) ? definition['QueryLanguage'] : undefined)
  if (logging) statements.push(allow('DeliverLogs', logDelivery, ['*']))
  if (tracing) statements.push(allow('SendTraces', traces, ['*']))
  const document = toDocument(statements)
  return { document, notes: [...notes, ...wideNotes(document)] }
}

function taskStatements(
  name: string,
  state: Fields,
  isJsonata: boolean,
  known: KnownValues,
  note: (name: string, text: string) => void,
): readonly Statement[] {
  const resource = parseResource(String(state['Resource'] ?? ''))
  const credentials = createCall(
    { service: '', action: '', pattern: 'request' },
    state['Credentials'] ?? {},
    known,
  ).text('RoleArn')
  // With credentials, the other role does the work.
  if (credentials !== undefined) return [allow('TakeOtherRoles', ['sts:AssumeRole'], [credentials])]
  if (resource.kind === 'activity') return []
  if (resource.kind === 'function') return lambdaStatements(resource.arn)
  const call = createCall(resource, state[isJsonata ? 'Arguments' : 'Parameters'] ?? '*', known)
  if (resource.service.startsWith('aws-sdk:')) return sdkStatements(call)
  const found = optimizedStatements(call)
  if (found === undefined) note(name, `what ${resource.service}:${resource.action} needs is not known here`)
  if (resource.service === 'ecs')
    note(name, 'iam:PassRole for the roles of the task definition is to be added')
  return found ?? []
}

function isDistributed(state: Fields): boolean {
  const processor = state['ItemProcessor']
  const config = isObject(processor) ? processor['ProcessorConfig'] : undefined
  return state['Type'] === 'Map' && isObject(config) && config['Mode'] === 'DISTRIBUTED'
}

function innerMachines(state: Fields): readonly unknown[] {
  const branches = Array.isArray(state['Branches']) ? state['Branches'] : []
  return [...branches, state['ItemProcessor'], state['Iterator']]
}

/** What a policy could not narrow down, because only an execution knows it. */
function wideNotes({ Statement: statements }: PolicyDocument): readonly string[] {
  return statements.flatMap(({ Sid, Action, Resource }) => {
    const wide = Resource.filter(arn => /^arn:[^*]*:(s3:::\*|\w+[:/]\*)/.test(arn))
    return Sid === 'FollowChildren' || wide.length === 0
      ? []
      : [`${Action.join(', ')} is allowed on ${wide.join(', ')}: what it is on is known only at run time`]
  })
}
