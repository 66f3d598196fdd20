import { createHash, randomBytes } from 'node:crypto'
import type { App, Places } from '@stepwright/app'
import { substitute } from '@stepwright/asl/expressions'
import type { S3Caller } from '@stepwright/local-s3'
import type { GuardedCall, StepFunctionsGuard } from '@stepwright/local-step-functions'
import {
  type AccessRequest,
  type AppRole,
  appPolicies,
  callStatements,
  isAllowed,
  type Statement,
} from '@stepwright/policy'
import { region } from '../app/places.ts'
import { toRequests } from './step-functions-requests.ts'

const account = '000000000000'
const here = {
  'AWS::AccountId': account,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::URLSuffix': 'amazonaws.com',
}

/** The statements that a role has at the moment: those that it needs, or fewer, to see what then fails. */
export type StatementsOf = (role: AppRole) => readonly Statement[]

interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

interface LocalRole {
  readonly name: string
  readonly statements: () => readonly Statement[]
}

/** The roles of an app on this machine: whose requests are whose, and what each may do. */
export interface LocalRoles {
  /** What a function signs its requests with: functions that may do the same things share it, and a process. */
  credentialsOf(functionName: string): Credentials | undefined
  /** By access key. */
  readonly callers: Readonly<Record<string, S3Caller>>
  /** Why somebody may not call a service whose API speaks JSON; who has no role may. */
  refusalOf(accessKeyId: string, service: string, operation: string, input: unknown): string | undefined
  readonly guard: StepFunctionsGuard
}

export function createLocalRoles(
  app: App,
  places: Places,
  definitions: Readonly<Record<string, unknown>>,
  statementsOf: StatementsOf = ({ document }) => document.Statement,
): LocalRoles {
  const roles = appPolicies(app, { places, definitions })
  const byKey = new Map<string, LocalRole & Credentials>()
  const byFunction = new Map<string, Credentials>()
  const byMachine = new Map<string, LocalRole>()
  for (const role of roles) {
    const local = { name: `${app.name}-${role.name}`, statements: () => substituted(statementsOf(role)) }
    if (role.kind === 'workflow') byMachine.set(places.workflowArn(role.name), local)
    if (role.kind !== 'function') continue
    const credentials = credentialsFor(role.document.Statement)
    const known = byKey.get(credentials.accessKeyId)
    byFunction.set(role.name, known ?? credentials)
    if (known === undefined) byKey.set(credentials.accessKeyId, { ...local, ...credentials })
  }
  return {
    credentialsOf: name => byFunction.get(name),
    callers: Object.fromEntries(
      [...byKey].map(([accessKeyId, role]) => [
        accessKeyId,
        {
          secretAccessKey: role.secretAccessKey,
          refusalOf: ({ action, bucket, key, prefix = '' }) =>
            refusal(role, [
              {
                action,
                resource: `arn:aws:s3:::${bucket}${key === '' ? '' : `/${key}`}`,
                context: { 's3:prefix': prefix },
              },
            ]),
        },
      ]),
    ),
    refusalOf(accessKeyId, service, operation, input) {
      const role = byKey.get(accessKeyId)
      if (role === undefined) return undefined
      const action = `${operation[0]?.toLowerCase()}${operation.slice(1)}`
      return refusal(role, neededFor({ service, action, pattern: 'request', parameters: input }))
    },
    guard: {
      ofRequest({ accessKeyId, operation, input }) {
        const role = byKey.get(accessKeyId)
        return role && refusal(role, toRequests(operation, input))
      },
      ofMachine(stateMachineArn, call) {
        const role = byMachine.get(stateMachineArn)
        return role && refusal(role, neededFor(call, stateMachineArn))
      },
    },
  }
}

const known = new WeakMap<readonly Statement[], readonly Statement[]>()

/** The statements with this account and region in them. */
function substituted(statements: readonly Statement[]): readonly Statement[] {
  const before = known.get(statements)
  if (before !== undefined) return before
  const local = JSON.parse(substitute(JSON.stringify(statements), here)) as readonly Statement[]
  known.set(statements, local)
  return local
}

/** What nobody asks for here: a function that lacks only that is no other caller. */
const notHere = /^(bedrock|ec2|logs|rds-db|xray):/

/** Whether something on this machine asks for a statement. */
export function isAskedHere({ Action }: Statement): boolean {
  return !Action.every(action => notHere.test(action))
}

function credentialsFor(statements: readonly Statement[]): Credentials {
  const asked = statements.filter(isAskedHere)
  const hash = createHash('sha256').update(JSON.stringify(asked)).digest('hex')
  return {
    accessKeyId: `LOCAL${hash.slice(0, 15).toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64url'),
  }
}

function neededFor(call: GuardedCall, stateMachineArn = ''): readonly AccessRequest[] {
  if (call.service === 'states' && call.action === 'runChildren') return childrenOf(call, stateMachineArn)
  return callStatements(call, call.parameters).flatMap(({ Action, Resource, Condition = {} }) => {
    const context = Object.fromEntries(
      Object.values(Condition).flatMap(keys =>
        Object.entries(keys).map(([key, [first = '']]) => [key, first]),
      ),
    )
    return Action.flatMap(action =>
      Resource.map(resource => ({ action, resource: substitute(resource, here), context })),
    )
  })
}

/** A Distributed Map starts its children as executions, follows them, and starts failed ones again. */
function childrenOf({ parameters }: GuardedCall, stateMachineArn: string): readonly AccessRequest[] {
  const { mapRunArn, redriveCount } = parameters as {
    readonly mapRunArn: string
    readonly redriveCount: number
  }
  const child = mapRunArn.replace(':mapRun:', ':execution:')
  return [
    { action: 'states:StartExecution', resource: stateMachineArn },
    { action: 'states:DescribeExecution', resource: child },
    ...(redriveCount > 0 ? [{ action: 'states:RedriveExecution', resource: child }] : []),
  ]
}

function refusal(
  { name, statements: current }: LocalRole,
  requests: readonly AccessRequest[],
): string | undefined {
  const statements = current()
  const refused = requests.find(request => !allows(statements, request))
  if (refused === undefined) return undefined
  const { action, resource } = refused
  return `User: arn:aws:sts::${account}:assumed-role/${name}/${name} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`
}

/** A request that does not tell what it is on needs the action on anything. */
function allows(statements: readonly Statement[], request: AccessRequest): boolean {
  if (request.resource !== '*') return isAllowed(statements, request)
  return isAllowed(
    statements.map(statement => ({ ...statement, Resource: ['*'] })),
    request,
  )
}
