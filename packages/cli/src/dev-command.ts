import type { RunningApp } from '@stepwright/local-cloud'
import { requireApp } from './config.ts'
import type { Io } from './io.ts'
import { startLocalApp } from './local-app.ts'
import { isMetrics } from './printed-line.ts'
import { readOptions } from './read-options.ts'

const devUsage = `Usage: stepwright dev [options]

Runs the app of stepwright.config.ts on this machine until Ctrl-C: PostgreSQL, S3,
DynamoDB, Step Functions with the app's functions, a gateway and a mailbox.

Options:
  --config FILE   the config [default: the nearest stepwright.config.ts]
  --data DIR      keep the state there between runs [default: nothing is kept]
  --port N        the gateway's port; services have those after it [default: free ones]
  --user NAME     print a token for the gateway with this subject [default: dev]
  --help          this text
`

const options = {
  config: { type: 'string' },
  data: { type: 'string' },
  port: { type: 'string' },
  user: { type: 'string', default: 'dev' },
} as const

/** Runs `stepwright dev` until it is interrupted. */
export async function runDev(args: readonly string[], io: Io): Promise<0> {
  const { values } = readOptions(args, devUsage, options)
  if (values.help) {
    io.out(devUsage)
    return 0
  }
  const declared = await requireApp(io.cwd, values.config)
  await using app = await startLocalApp(declared, io.cwd, {
    data: values.data,
    ...(values.port !== undefined && { firstPort: Number(values.port) }),
    onLog: line => isMetrics(line) || io.out(`${line}\n`),
  })
  io.out(describeApp(app, values.user, declared.site !== undefined))
  await io.interrupted()
  io.out('stopping …\n')
  return 0
}

function describeApp({ environment, gateway, names }: RunningApp, user: string, hasSite: boolean): string {
  const variables = Object.entries(environment).map(([name, value]) => `  export ${name}='${value}'`)
  const token = gateway?.issueToken({ sub: user }, { expiresInSeconds: 86_400 })
  const http = gateway
    ? [
        `  gateway  ${gateway.endpoint}`,
        `  token    ${token}`,
        ...(hasSite ? [`  page     ${gateway.endpoint}/#token=${token}`] : []),
        '',
      ]
    : []
  return [
    'The app runs. For another shell, or for the AWS CLI:',
    '',
    ...variables,
    '',
    ...http,
    ...Object.entries(names.buckets).map(([name, bucket]) => `  bucket   ${name}: s3://${bucket}`),
    ...Object.entries(names.workflows).map(([name, machine]) => `  workflow ${name}: ${machine}`),
    '',
    'Ctrl-C ends it.',
    '',
  ].join('\n')
}
