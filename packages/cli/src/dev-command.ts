import type { RunningApp } from '@stepwright/local-cloud'
import { appOf, requireConfig } from './config.ts'
import { createWorkflowCheck, importConsole } from './dev-console.ts'
import { type Io, UsageError } from './io.ts'
import { startLocalApp } from './local-app.ts'
import { isMetrics } from './printed-line.ts'
import { readOptions } from './read-options.ts'
import { watchApp } from './watch-app.ts'

const devUsage = `Usage: stepwright dev [options]

Runs the app of stepwright.config.ts on this machine until Ctrl-C: PostgreSQL, S3,
DynamoDB, Step Functions with the app's functions, a gateway and a mailbox, and opens a
console that shows it all.

Options:
  --config FILE      the config [default: the nearest stepwright.config.ts]
  --data DIR         keep the state there between runs [default: nothing is kept]
  --port N           the gateway's port; services have those after it [default: free ones]
  --console-port N   the console's port [default: a free one]
  --no-console       without the console
  --watch            load workflows and functions anew when their files change
  --user NAME        print a token for the gateway with this subject [default: dev]
  --help             this text
`

const options = {
  config: { type: 'string' },
  data: { type: 'string' },
  port: { type: 'string' },
  user: { type: 'string', default: 'dev' },
  'console-port': { type: 'string', default: '0' },
  'no-console': { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
} as const

/** Runs `stepwright dev` until it is interrupted. */
export async function runDev(args: readonly string[], io: Io): Promise<0> {
  const { values } = readOptions(args, devUsage, options)
  if (values.help) {
    io.out(devUsage)
    return 0
  }
  const consolePort = readPort(values['console-port'])
  const config = await requireConfig(io.cwd, values.config)
  const declared = appOf(config)
  const consoleModule = values['no-console'] ? undefined : await importConsole()
  const feed = consoleModule?.createConsoleFeed()
  await using app = await startLocalApp(declared, io.cwd, {
    data: values.data,
    ...(values.port !== undefined && { firstPort: Number(values.port) }),
    expressHistory: feed !== undefined,
    ...(feed && { onCall: feed.onCall, onStatusChange: feed.onStatusChange }),
    onLog: line => isMetrics(line) || io.out(`${line}\n`),
  })
  await using console = await consoleModule?.startConsole({
    app: declared,
    running: app,
    port: consolePort,
    check: createWorkflowCheck(config, declared),
    ...(feed && { feed }),
  })
  using _ = values.watch
    ? watchApp(declared, app, {
        onReload(file) {
          io.out(`loaded anew: ${file} has changed\n`)
          console?.reloaded()
        },
        onProblem: message => io.error(`${message}\n`),
      })
    : undefined
  io.out(describeApp(app, values.user, declared.site !== undefined))
  io.out(describeConsole(console?.url, values['no-console']))
  await io.interrupted()
  io.out('stopping …\n')
  return 0
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new UsageError('The port must be a whole number from 0 to 65535.')
}

function describeConsole(url: string | undefined, isUnwanted: boolean): string {
  if (url !== undefined) return `  console  ${url}\n\n`
  return isUnwanted ? '' : '  console  npm install --save-dev @stepwright/console\n\n'
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
