import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { parseCause } from '@stepwright/errors'
import { closest } from '@stepwright/errors/spelling'
import type { RunningApp } from '@stepwright/local-cloud'
import { requireApp } from './config.ts'
import { createProgressDisplay } from './execution/draw.ts'
import { type WatchedExecution, watchExecution } from './execution/watch.ts'
import { type Io, UsageError } from './io.ts'
import { startLocalApp } from './local-app.ts'

const runUsage = `Usage: stepwright run WORKFLOW [options]

Runs one execution of a state machine of stepwright.config.ts on this machine, shows
each state as it goes, and prints the output, or the failure and its cause.

Options:
  --input FILE    the input, as JSON; "-" reads standard input [default: {}]
  --name NAME     the execution's name
  --config FILE   the config [default: the nearest stepwright.config.ts]
  --data DIR      keep the state there between runs [default: nothing is kept]
  --help          this text

Exit: 0 succeeded, 1 failed, 2 could not run.
`

/** Runs `stepwright run`; the result is its exit code. */
export async function runRun(args: readonly string[], io: Io): Promise<0 | 1> {
  const { values, positionals } = readArgs(args)
  if (values.help) {
    io.out(runUsage)
    return 0
  }
  const [workflow] = positionals
  if (workflow === undefined || positionals.length > 1)
    throw new UsageError(`Name one workflow.\n\n${runUsage}`)
  const input = await readInput(values.input, io.cwd)
  const declared = await requireApp(io.cwd, values.config)
  refuseUnknown(workflow, Object.keys(declared.workflows ?? {}))
  await using app = await startLocalApp(declared, io.cwd, { data: values.data, expressHistory: true })
  const end = await execute(app, app.stateMachineArn(workflow), { input, name: values.name }, io)
  io.out(describeEnd(end))
  return end.status === 'SUCCEEDED' ? 0 : 1
}

function readArgs(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        input: { type: 'string' },
        name: { type: 'string' },
        config: { type: 'string' },
        data: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${runUsage}`, { cause: error })
  }
}

async function readInput(file: string | undefined, cwd: string): Promise<string> {
  if (file === undefined) return '{}'
  const input = file === '-' ? await text(process.stdin) : await readText(resolve(cwd, file))
  try {
    JSON.parse(input)
  } catch (error) {
    throw new UsageError(`The input must be JSON: ${(error as Error).message}`, { cause: error })
  }
  return input
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`The input cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/** Before anything is started. */
function refuseUnknown(workflow: string, known: readonly string[]): void {
  if (known.includes(workflow)) return
  const meant = closest(workflow, known)
  const hint = meant === undefined ? `There are ${known.join(', ')}.` : `Did you mean ${meant}?`
  throw new UsageError(`There is no workflow ${workflow}. ${hint}`)
}

async function execute(
  { services: { stepFunctions } }: RunningApp,
  stateMachineArn: string,
  { input, name }: { readonly input: string; readonly name: string | undefined },
  io: Io,
): Promise<WatchedExecution> {
  const client = new SFNClient(stepFunctions.clientConfig)
  try {
    const { executionArn = '' } = await client.send(
      new StartExecutionCommand({ stateMachineArn, input, ...(name !== undefined && { name }) }),
    )
    const display = createProgressDisplay(io.out, io.colour)
    return await watchExecution(client, executionArn, { onProgress: display.show })
  } finally {
    client.destroy()
  }
}

function describeEnd({ status, output, error, cause }: WatchedExecution): string {
  if (status === 'SUCCEEDED') return `${JSON.stringify(JSON.parse(output ?? 'null'), null, 2)}\n`
  const { name, message, code, details } = parseCause({
    ...(error !== undefined && { Error: error }),
    ...(cause !== undefined && { Cause: cause }),
  })
  return [
    `${status}: ${name ?? 'no error name'}${code === undefined ? '' : ` (${code})`}`,
    ...(message === '' ? [] : [message]),
    ...(details === undefined ? [] : [JSON.stringify(details, null, 2)]),
    '',
  ].join('\n')
}
