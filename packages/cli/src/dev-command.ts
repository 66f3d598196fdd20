import { fileURLToPath } from 'node:url'
import type { App } from '@stepwright/app'
import type { Finding } from '@stepwright/asl'
import type { RunningApp } from '@stepwright/local-cloud'
import { appOf, requireConfig } from './config.ts'
import { lookAtDeclaration } from './dev/declaration.ts'
import { addressesOf, describeAddresses } from './dev/describe-app.ts'
import { createWorkflowCheck, importConsole } from './dev/dev-console.ts'
import {
  callEvent,
  type DevEvent,
  executionEvent,
  isFailureLine,
  logEvent,
  mailEvent,
  problemEvent,
  reloadEvent,
  requestEvent,
  troubleEvent,
} from './dev/dev-event.ts'
import { createDevLog } from './dev/dev-log.ts'
import { watchApp } from './dev/watch-app.ts'
import { type Io, UsageError } from './io.ts'
import { refuseTakenPort, startLocalApp } from './local-app.ts'
import { isMetrics } from './printed-line.ts'
import { readOptions } from './read-options.ts'

const devUsage = `Usage: stepwright dev [options]

Runs the app of stepwright.config.ts on this machine until Ctrl-C: PostgreSQL, S3,
DynamoDB, Step Functions with the app's functions, a gateway and a mailbox, and opens a
console that shows it all. Executions, requests, mails and what functions log are told one
line each. When their files change, workflows and functions are loaded anew.

Options:
  --config FILE      the config [default: the nearest stepwright.config.ts]
  --data DIR         keep the state there between runs [default: nothing is kept]
  --port N           the gateway's port; services have those after it, the console the one
                     after those [default: free ones]
  --console-port N   the console's port
  --no-console       without the console
  --no-watch         load nothing anew
  --env              print variables for another shell, with a token for the gateway, and
                     commands for the AWS CLI
  --user NAME        the subject of that token [default: dev]
  --quiet            tell only what stands in the way
  --json             tell everything as lines of JSON, for machines; the first has the addresses
  --help             this text
`

const options = {
  config: { type: 'string' },
  data: { type: 'string' },
  port: { type: 'string' },
  user: { type: 'string', default: 'dev' },
  'console-port': { type: 'string' },
  'no-console': { type: 'boolean', default: false },
  watch: { type: 'boolean', default: true },
  'no-watch': { type: 'boolean', default: false },
  env: { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

/** How many ports the gateway and the services have. */
const serviceCount = 10
const maxPort = 65_535

/** Runs `stepwright dev` until it is interrupted. */
export async function runDev(args: readonly string[], io: Io): Promise<0> {
  const { values } = readOptions(args, devUsage, options)
  if (values.help) {
    io.out(devUsage)
    return 0
  }
  const { firstPort, consolePort } = readPorts(values.port, values['console-port'])
  const config = await requireConfig(io, values.config)
  const declared = appOf(config)
  const tell = createDevLog({
    write: io.out,
    colour: io.colour,
    terminal: io.screen ?? (() => undefined),
    mode: values.json ? 'json' : values.quiet ? 'quiet' : 'text',
  })
  const consoleModule = values['no-console'] ? undefined : await importConsole()
  const feed = consoleModule?.createConsoleFeed()
  const workflowNames = new Map<string, string>()
  // From here on, so that nothing that was started is left behind.
  const interrupted = io.interrupted()
  await using app = await startLocalApp(config, io.cwd, {
    data: values.data,
    ...(firstPort !== undefined && { firstPort }),
    expressHistory: feed !== undefined,
    onCall(call) {
      feed?.onCall(call)
      tellIf(tell, callEvent(call))
    },
    onStatusChange(change) {
      feed?.onStatusChange(change)
      tell(executionEvent(change, arn => workflowNames.get(arn) ?? arn.slice(arn.lastIndexOf(':') + 1)))
    },
    onRequest: request => tell(requestEvent(request)),
    mailbox: { onMail: mail => tell(mailEvent(mail)) },
    onTrouble: trouble => tell(troubleEvent(trouble)),
    onLog: line => isMetrics(line) || isFailureLine(line) || tell(logEvent(line)),
  })
  for (const name of Object.keys(app.names.workflows)) workflowNames.set(app.stateMachineArn(name), name)
  const check = createWorkflowCheck(config, declared)
  await using console = await consoleModule
    ?.startConsole({ app: declared, running: app, port: consolePort, check, ...(feed && { feed }) })
    .catch(error => {
      refuseTakenPort(error, 'choose another with --console-port')
      throw error
    })
  using _ = values['no-watch']
    ? undefined
    : watch(declared, app, config.file, {
        tell,
        check,
        onReload: () => console?.reloaded(),
      })
  const addresses = addressesOf(app, declared, { user: values.user, console: console?.url })
  if (values.json)
    io.out(`${JSON.stringify({ time: new Date().toISOString(), kind: 'ready', ...addresses })}\n`)
  else
    io.out(
      describeAddresses(addresses, {
        isConsoleUnwanted: values['no-console'],
        withVariables: values.env,
      }),
    )
  await interrupted
  if (!values.json) io.out('stopping …\n')
  return 0
}

interface Watching {
  readonly tell: (event: DevEvent) => void
  readonly check: (workflow: string) => readonly Finding[]
  readonly onReload: () => void
}

/** Loads anew what changes, and says what the checker has against a definition that did. */
function watch(
  declared: App,
  app: RunningApp,
  configFile: string,
  { tell, check, onReload }: Watching,
): Disposable {
  const root = fileURLToPath(declared.root)
  const workflows = Object.entries<{ definition: string }>(declared.workflows ?? {})
  const tellErrors = (name: string, file: string, prefix = ''): boolean => {
    const errors = check(name).filter(({ severity }) => severity === 'error')
    for (const { line, column, rule, message, suggestion = '' } of errors)
      tell(problemEvent(`${file}:${line}:${column}`, `${prefix}${rule}: ${message} ${suggestion}`.trimEnd()))
    return errors.length > 0
  }
  return watchApp(declared, app, {
    look: changed => lookAtDeclaration(configFile, changed),
    onReload(file) {
      tell(reloadEvent(file))
      onReload()
      for (const [name, { definition }] of workflows)
        if (fileURLToPath(new URL(definition, declared.root)) === `${root}${file}`) tellErrors(name, file)
    },
    onFailure(files, error) {
      const found = workflows.filter(([name, { definition }]) =>
        tellErrors(name, definition, 'was not loaded: '),
      )
      if (found.length === 0) tell(problemEvent(files.join(', '), `was not loaded: ${error.message}`))
    },
    onProblem: (file, message) => tell(problemEvent(file, message)),
  })
}

function tellIf(tell: (event: DevEvent) => void, event: DevEvent | undefined): void {
  if (event !== undefined) tell(event)
}

interface Ports {
  readonly firstPort: number | undefined
  /** 0 for any that is free. */
  readonly consolePort: number
}

function readPorts(first: string | undefined, own: string | undefined): Ports {
  const firstPort =
    first === undefined ? undefined : readPort('--port', first, 1024, maxPort - serviceCount + 1)
  const besides = firstPort === undefined ? 0 : Math.min(firstPort + serviceCount, maxPort)
  return { firstPort, consolePort: own === undefined ? besides : readPort('--console-port', own, 0, maxPort) }
}

function readPort(option: string, text: string, least: number, most: number): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= least && port <= most) return port
  throw new UsageError(`${option} must be a whole number from ${least} to ${most}.`)
}
