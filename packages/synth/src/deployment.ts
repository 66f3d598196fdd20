import {
  type App,
  assertVariablesSize,
  type FunctionDeclaration,
  isRuleTrigger,
  type PhysicalNames,
  type Places,
  resolveEnvironment,
  type TriggerDeclaration,
} from '@stepwright/app'
import {
  type AppRole,
  appPolicies,
  arnOf,
  deployedNames,
  deployedPlaces,
  secretNameOf,
  usesDatabase,
} from '@stepwright/policy'
import { assertDatabaseName, assertNames, withLongestPlaces } from './assert-names.ts'
import { assertRetention } from './assert-retention.ts'
import { escapeLiterals } from './escape-literals.ts'
import { readDefinitions } from './read-definitions.ts'
import { withSite } from './site/with-site.ts'
import { apiUrlOf } from './template/api-kind.ts'

export interface DeploymentOptions {
  /** Part of the names, so that several are in one account: `dev`, `prod`. @default none */
  readonly stage?: string
  /** How long logs are kept: 1, 3, 5, 7, 14, 30, … days, as CloudWatch takes them. @default 30 */
  readonly logRetentionDays?: number
  /** Whether buckets, tables and the database outlive the stack. @default true */
  readonly keepData?: boolean
  /**
   * `aurora`: a cluster of Aurora Serverless v2 behind an RDS Proxy, where functions sign in by IAM. `existing`: the
   * URL is in the secret `<app>/<stage>/databaseUrl`. @default 'aurora'
   */
  readonly database?: 'aurora' | 'existing'
  /** Whether functions that use the database are in a VPC, as one that exists may demand. @default with an Aurora */
  readonly inVpc?: boolean
  /** As whom functions sign in by IAM to a database that exists: `arn:…:rds-db:…:dbuser:prx-…/app`. @default by password */
  readonly databaseUserArn?: string
  /** Lets executions be started by an alias of each workflow, which moves to new versions. @default by the workflow */
  readonly alias?: WorkflowAlias
  /** On everything that takes tags. @default the app's name and the stage */
  readonly tags?: Readonly<Record<string, string>>
}

/** An alias of state machines, so that two versions of a definition run side by side for a while. */
export interface WorkflowAlias {
  /** `live`. */
  readonly name: string
  /**
   * How new executions come to a new version: a share of them first, the rest after so many minutes (`canary`), or a
   * share more each time (`linear`). An alarm of the workflow takes them all back. @default at once
   */
  readonly shift?: {
    readonly type: 'canary' | 'linear'
    readonly percent: number
    readonly everyMinutes: number
  }
}

/** An app as it is deployed: its names, its roles and its definitions, from which every template is written. */
export interface Deployment {
  /** The app, with its site as a function of it. */
  readonly app: App
  readonly stage: string | undefined
  readonly names: PhysicalNames
  readonly places: Places
  readonly roles: readonly AppRole[]
  /** The texts of the definitions, by workflow, as they were tested. */
  readonly definitions: Readonly<Record<string, string>>
  readonly logRetentionDays: number
  readonly keepData: boolean
  /** Undefined for an app without one. */
  readonly database: 'aurora' | 'existing' | undefined
  /** Whether functions that use the database are in a VPC. */
  readonly inVpc: boolean
  readonly alias: WorkflowAlias | undefined
  readonly tags: Readonly<Record<string, string>>
  readonly environmentOf: (functionName: string) => Readonly<Record<string, string>>
  /** Of the queue for events that nobody could take; undefined where no event calls anything. */
  readonly deadLetterQueueName: string | undefined
}

/** The user and database that an app has on a cluster of its own. */
export const databaseUser = 'app'
const auroraUrl = `postgresql://${databaseUser}@\${DatabaseProxy.Endpoint}:5432/app?auth=iam`
/** A proxy is known to IAM by an id of its own. */
const auroraUserArn = arnOf('rds-db', `dbuser:\${DatabaseProxyId}/${databaseUser}`)

export function planDeployment(declared: App, options: DeploymentOptions = {}): Deployment {
  const definitions = readDefinitions(declared)
  const app = withSite(escapeLiterals(declared), deployedNames(declared, options.stage).buckets)
  const { stage, logRetentionDays = 30, keepData = true, tags } = options
  const database = app.database === undefined ? undefined : (options.database ?? 'aurora')
  const inVpc = database !== undefined && (options.inVpc ?? database === 'aurora')
  const databaseUserArn = database === 'aurora' ? auroraUserArn : options.databaseUserArn
  const existingUrl = `{{resolve:secretsmanager:${secretNameOf(app, 'databaseUrl', stage)}:SecretString}}`
  const names = deployedNames(app, stage)
  assertNames(names, stage)
  assertRetention(logRetentionDays)
  if (database === 'aurora') assertDatabaseName([app.name, ...(stage === undefined ? [] : [stage])].join('-'))
  const places = deployedPlaces(app, {
    ...(stage !== undefined && { stage }),
    databaseUrl: database === 'aurora' ? auroraUrl : existingUrl,
    apiUrl: apiUrlOf(app, stage),
    ...(options.alias && { workflowAlias: options.alias.name }),
  })
  const deadLetterQueueName = hasEvents(app)
    ? [app.name, 'failed-events', ...(stage === undefined ? [] : [stage])].join('-')
    : undefined
  const environmentOf = (name: string): Readonly<Record<string, string>> => ({
    POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(app, stage),
    // Secrets are read when a function changes, and only then: another revision is a change.
    ...(readsSecrets(app, name, database) && { CONFIG_REVISION: `\${ConfigRevision}` }),
    ...resolveEnvironment(app, name, places),
  })
  for (const name of Object.keys(app.functions)) {
    const variables = Object.entries(environmentOf(name))
    const longest = variables.map(([key, value]) => [key, withLongestPlaces(value)])
    assertVariablesSize(name, Object.fromEntries(longest))
  }
  return {
    app,
    stage,
    names,
    places,
    definitions,
    logRetentionDays,
    keepData,
    database,
    inVpc,
    deadLetterQueueName,
    alias: options.alias,
    tags: tags ?? { app: app.name, ...(stage !== undefined && { stage }) },
    roles: appPolicies(app, {
      places,
      definitions,
      tracing: true,
      vpc: inVpc,
      ...(databaseUserArn !== undefined && { databaseUserArn }),
      ...(deadLetterQueueName !== undefined && { deadLetterQueueUrl: deadLetterQueueName }),
    }),
    environmentOf,
  }
}

/** Whether a function is told the value of a secret. */
export function readsSecrets(app: App, name: string, database: Deployment['database']): boolean {
  const declared: FunctionDeclaration | undefined = app.functions[name]
  return (
    Object.values(declared?.environment ?? {}).some(
      value => typeof value === 'object' && 'secret' in value,
    ) ||
    (database === 'existing' && usesDatabase(app, name))
  )
}

/** Metrics of one app and stage are apart from those of others. */
export function metricsNamespace({ name }: App, stage: string | undefined): string {
  return stage === undefined ? name : `${name}-${stage}`
}

/** Whether there is something to keep what failed of: messages of a queue have a queue of their own. */
function hasEvents({ triggers = {} }: App): boolean {
  return Object.values(triggers).some(trigger => !('queue' in trigger))
}

/** Whether a function is called by something that does not wait for it. */
export function isCalledByEvents({ triggers = {} }: App, name: string): boolean {
  return Object.values<TriggerDeclaration>(triggers).some(
    trigger => isRuleTrigger(trigger) && 'calls' in trigger && trigger.calls === name,
  )
}
