import { type App, type PhysicalNames, type Places, physicalNames } from '@stepwright/app'
import { arnOf } from './arn.ts'

/** Things are called after the stage too, so that several can be in one account. */
export function deployedNames(app: App, stage?: string): PhysicalNames {
  const names = physicalNames(app)
  const suffix = stage === undefined ? '' : `-${stage}`
  const each = (
    record: Readonly<Record<string, string>>,
    to: (name: string) => string,
  ): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(record).map(([key, name]) => [key, to(name)]))
  const staged = (name: string): string => `${name}${suffix}`
  const stagedQueue = (name: string): string => name.replace(/(\.fifo)?$/, end => `${suffix}${end}`)
  return {
    functions: each(names.functions, staged),
    workflows: each(names.workflows, staged),
    // A bucket's name is its own in the whole world.
    buckets: each(names.buckets, name => `${name}${suffix}-\${AWS::AccountId}-\${AWS::Region}`),
    tables: each(names.tables, staged),
    queues: each(names.queues, stagedQueue),
    deadLetterQueues: each(names.deadLetterQueues, stagedQueue),
    glueJobs: each(names.glueJobs, staged),
    configurationSets: each(names.configurationSets, staged),
    // Athena takes letters, digits and underscores only.
    catalogDatabases: each(names.catalogDatabases, name => `${name}${suffix.replaceAll('-', '_')}`),
  }
}

export interface DeployedPlacesOptions {
  readonly stage?: string
  readonly databaseUrl?: string
  readonly apiUrl?: string
  /** The alias by which workflows are started. @default none */
  readonly workflowAlias?: string
}

/** Where things are once they are deployed, with CloudFormation's pseudo parameters for account and region. */
export function deployedPlaces(
  app: App,
  { stage, databaseUrl = '', apiUrl = '', workflowAlias }: DeployedPlacesOptions = {},
): Places {
  const names = deployedNames(app, stage)
  const of = (kind: keyof PhysicalNames) => (name: string) => {
    const found = names[kind][name]
    if (found === undefined) throw new TypeError(`there is no ${name} among the ${kind}`)
    return found
  }
  const functionName = of('functions')
  const workflowName = of('workflows')
  const queueName = of('queues')
  const deadLetterName = of('deadLetterQueues')
  const urlOf = (name: string): string =>
    `https://sqs.\${AWS::Region}.\${AWS::URLSuffix}/\${AWS::AccountId}/${name}`
  return {
    functionArn: name => arnOf('lambda', `function:${functionName(name)}`),
    workflowArn: name =>
      arnOf(
        'states',
        [`stateMachine:${workflowName(name)}`, ...(workflowAlias ? [workflowAlias] : [])].join(':'),
      ),
    bucketName: of('buckets'),
    tableName: of('tables'),
    queueUrl: name => urlOf(queueName(name)),
    deadLetterUrl: name => urlOf(deadLetterName(name)),
    glueJobName: of('glueJobs'),
    catalogDatabaseName: of('catalogDatabases'),
    configurationSetName: of('configurationSets'),
    secretValue: name => `{{resolve:secretsmanager:${secretNameOf(app, name, stage)}:SecretString}}`,
    databaseUrl: () => databaseUrl,
    apiUrl: () => apiUrl,
  }
}

/** What a secret of the app is called in Secrets Manager. */
export function secretNameOf({ name }: App, secret: string, stage?: string): string {
  return [name, ...(stage === undefined ? [] : [stage]), secret].join('/')
}
