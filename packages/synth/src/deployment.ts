import { type AnyApp, type PhysicalNames, type Places, resolveEnvironment } from '@stepwright/app'
import { type AppRole, appPolicies, deployedNames, deployedPlaces } from '@stepwright/policy'
import { readDefinitions } from './read-definitions.ts'

export interface DeploymentOptions {
  /** Part of the names, so that several are in one account: `dev`, `prod`. @default none */
  readonly stage?: string
  /** How long logs are kept. @default 30 */
  readonly logRetentionDays?: number
  /** Whether buckets, tables and the database outlive the stack. @default true */
  readonly keepData?: boolean
  /**
   * `aurora`: a cluster of Aurora Serverless v2 behind an RDS Proxy. `existing`: the URL is in the secret
   * `<app>/<stage>/databaseUrl`. @default 'aurora'
   */
  readonly database?: 'aurora' | 'existing'
  /** On everything that takes tags. @default the app's name and the stage */
  readonly tags?: Readonly<Record<string, string>>
}

/** An app as it is deployed: its names, its roles and its definitions, from which every template is written. */
export interface Deployment {
  readonly app: AnyApp
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
  readonly tags: Readonly<Record<string, string>>
  readonly environmentOf: (functionName: string) => Readonly<Record<string, string>>
  /** Of the queue for events that nobody could take; undefined where no event calls anything. */
  readonly deadLetterQueueName: string | undefined
}

/** The user and database that an app has on a cluster of its own. */
export const databaseUser = 'app'
const auroraUrl = `postgresql://${databaseUser}:{{resolve:secretsmanager:\${DatabaseSecret}:SecretString:password}}@\${DatabaseProxy.Endpoint}:5432/app?sslmode=verify-full`

export function planDeployment(app: AnyApp, options: DeploymentOptions = {}): Deployment {
  const definitions = readDefinitions(app)
  const { stage, logRetentionDays = 30, keepData = true, tags } = options
  const database = app.database === undefined ? undefined : (options.database ?? 'aurora')
  const existingUrl = `{{resolve:secretsmanager:${[app.name, stage, 'databaseUrl'].filter(Boolean).join('/')}:SecretString}}`
  const places = deployedPlaces(app, {
    ...(stage !== undefined && { stage }),
    databaseUrl: database === 'aurora' ? auroraUrl : existingUrl,
  })
  const deadLetterQueueName = hasEvents(app)
    ? [app.name, 'failed-events', ...(stage === undefined ? [] : [stage])].join('-')
    : undefined
  return {
    app,
    stage,
    names: deployedNames(app, stage),
    places,
    definitions,
    logRetentionDays,
    keepData,
    database,
    deadLetterQueueName,
    tags: tags ?? { app: app.name, ...(stage !== undefined && { stage }) },
    roles: appPolicies(app, {
      places,
      definitions,
      tracing: true,
      vpc: database === 'aurora',
      ...(deadLetterQueueName !== undefined && { deadLetterQueueUrl: deadLetterQueueName }),
    }),
    environmentOf: name => ({
      POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(app, stage),
      ...resolveEnvironment(app, name, places),
    }),
  }
}

/** Metrics of one app and stage are apart from those of others. */
export function metricsNamespace({ name }: AnyApp, stage: string | undefined): string {
  return stage === undefined ? name : `${name}-${stage}`
}

function hasEvents({ triggers = {} }: AnyApp): boolean {
  return Object.values(triggers).some(trigger => !('queue' in trigger))
}

/** Whether a function is called by something that does not wait for it. */
export function isCalledByEvents({ triggers = {} }: AnyApp, name: string): boolean {
  return Object.values(triggers).some(
    trigger => !('queue' in trigger) && 'calls' in trigger && trigger.calls === name,
  )
}
