import type { App } from '@stepwright/app'
import type { RunningApp } from '@stepwright/local-cloud'

/** Where everything is, once it runs. */
export interface DevAddresses {
  /** For the SDKs, and for other shells. */
  readonly environment: Readonly<Record<string, string>>
  readonly gateway: string | undefined
  /** For the gateway. */
  readonly token: string | undefined
  readonly page: string | undefined
  readonly console: string | undefined
  readonly buckets: Readonly<Record<string, string>>
  readonly workflows: Readonly<Record<string, string>>
  /** Commands to begin with. */
  readonly awsCli: readonly string[]
}

const dayInSeconds = 86_400

export function addressesOf(
  running: RunningApp,
  app: App,
  { user, console }: { readonly user: string; readonly console: string | undefined },
): DevAddresses {
  const { environment, gateway, names } = running
  const token = gateway?.issueToken({ sub: user }, { expiresInSeconds: dayInSeconds })
  return {
    environment,
    gateway: gateway?.endpoint,
    token,
    page: gateway && app.site ? `${gateway.endpoint}/#token=${token}` : undefined,
    console,
    buckets: names.buckets,
    workflows: Object.fromEntries(
      Object.keys(names.workflows).map(name => [name, running.stateMachineArn(name)]),
    ),
    awsCli: awsCommands(running),
  }
}

/** With the endpoint in each, since older ones do not read `AWS_ENDPOINT_URL_*`. */
function awsCommands({ services, names, stateMachineArn }: RunningApp): readonly string[] {
  const { s3, stepFunctions, dynamoDb, sqs } = services
  const [bucket] = Object.values(names.buckets)
  const [workflow] = Object.keys(names.workflows)
  const [table] = Object.values(names.tables)
  const [queue] = Object.values(names.queues)
  const call = (endpoint: string, command: string) => `aws --endpoint-url ${endpoint} ${command}`
  return [
    ...(workflow === undefined
      ? []
      : [
          call(
            stepFunctions.endpoint,
            `stepfunctions list-executions --state-machine-arn ${stateMachineArn(workflow)}`,
          ),
        ]),
    ...(bucket === undefined ? [] : [call(s3.endpoint, `s3 ls s3://${bucket}`)]),
    ...(table === undefined ? [] : [call(dynamoDb.endpoint, `dynamodb scan --table-name ${table}`)]),
    ...(queue === undefined ? [] : [call(sqs.endpoint, `sqs get-queue-url --queue-name ${queue}`)]),
  ]
}

export interface DescribeAddressesOptions {
  readonly isConsoleUnwanted: boolean
  /** Whether another shell shall call the services: adds variables, and commands of the AWS CLI. */
  readonly withVariables: boolean
}

/** The addresses as lines to read: first those to open in a browser. */
export function describeAddresses(
  addresses: DevAddresses,
  { isConsoleUnwanted, withVariables }: DescribeAddressesOptions,
): string {
  const { gateway, page, console, buckets, workflows } = addresses
  const missing = isConsoleUnwanted ? [] : ['  console  npm install --save-dev @stepwright/console']
  return [
    'The app runs.',
    '',
    ...(console === undefined ? missing : [`  console  ${console}`]),
    ...(page === undefined ? [] : [`  page     ${page}`]),
    ...(gateway === undefined ? [] : [`  gateway  ${gateway}`]),
    ...Object.entries(buckets).map(([name, bucket]) => `  bucket   ${name}: s3://${bucket}`),
    ...Object.entries(workflows).map(([name, arn]) => `  workflow ${name}: ${arn}`),
    '',
    ...(withVariables
      ? describeVariables(addresses)
      : ['With --env, it prints variables and commands for another shell.']),
    'Ctrl-C ends it.',
    '',
    '',
  ].join('\n')
}

function describeVariables({ environment, gateway, token, awsCli }: DevAddresses): readonly string[] {
  const variables = { ...environment, ...(gateway && { GATEWAY: gateway }), ...(token && { TOKEN: token }) }
  return [
    'For another shell:',
    '',
    ...Object.entries(variables).map(([name, value]) => `  export ${name}='${value}'`),
    '',
    ...(awsCli.length === 0
      ? []
      : ['And there, for an AWS CLI of any age:', '', ...awsCli.map(command => `  ${command}`), '']),
  ]
}
