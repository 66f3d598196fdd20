import type { App, PhysicalNames, Places } from '@stepwright/app'

export const region = 'us-east-1'
const account = '000000000000'

/** Where things are on this machine. */
export function placesOf(
  app: App,
  names: PhysicalNames,
  {
    databaseUrl,
    queueUrl,
    apiUrl,
  }: Pick<Places, 'databaseUrl' | 'apiUrl'> & { readonly queueUrl: (name: string) => string },
): Places {
  const known = (kind: keyof PhysicalNames) => (name: string) => {
    const found = names[kind][name]
    if (found !== undefined) return found
    throw new TypeError(`there is no ${name} among the ${kind}: ${Object.keys(names[kind]).join(', ')}`)
  }
  const functionName = known('functions')
  const workflowName = known('workflows')
  const queueName = known('queues')
  const deadLetterName = known('deadLetterQueues')
  return {
    functionArn: name => `arn:aws:lambda:${region}:${account}:function:${functionName(name)}`,
    workflowArn: name => `arn:aws:states:${region}:${account}:stateMachine:${workflowName(name)}`,
    bucketName: known('buckets'),
    tableName: known('tables'),
    queueUrl: name => queueUrl(queueName(name)),
    deadLetterUrl: name => queueUrl(deadLetterName(name)),
    glueJobName: known('glueJobs'),
    catalogDatabaseName: known('catalogDatabases'),
    configurationSetName: known('configurationSets'),
    secretValue: name => app.resources?.secrets?.[name]?.localValue ?? '',
    databaseUrl,
    apiUrl,
  }
}
