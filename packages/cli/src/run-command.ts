import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { addUsage, noUsage, priceOf } from '@stepwright/asl-engine'
import { parseCause } from '@stepwright/errors'
import type { RunningApp, TaskTrouble } from '@stepwright/local-cloud'
import { appOf, requireConfig } from './config.ts'
import { isFailureLine, troubleEvent } from './dev/dev-event.ts'
import { createProgressDisplay } from './execution/draw.ts'
import { type WatchedExecution, watchExecution } from './execution/watch.ts'
import { type Io, UsageError } from './io.ts'
import { startLocalApp } from './local-app.ts'
import { refuseUnknown } from './one-of.ts'
import { isMetrics } from './printed-line.ts'
import { readOptions } from './read-options.ts'
import { printExample, readInput, refuseInput } from './run-input.ts'
import type { TemplateRun } from './run-template.ts'

const runUsage = `Usage: stepwright run WORKFLOW [options]
       stepwright run --template FILE [LOGICAL_ID] [options]

Runs one execution of a state machine of stepwright.config.ts on this machine. Its output
goes to standard output, and nothing else does; how each state goes, and a failure with its
cause, to standard error. With --template, the state machine of a template (CloudFormation, CDK,
SAM, Serverless) or of a plan of Terraform as JSON is run, with the functions that are given.

Options:
  --template FILE the template
  --functions FILE
                  a module that exports the functions of a template, by their names
  --input FILE    the input, as JSON; "-" reads standard input, '{"id":1}' is taken as it is
                  [default: {}]
  --example       print an input that the workflow's schema takes, and run nothing
  --name NAME     the execution's name
  --config FILE   the config [default: the nearest stepwright.config.ts]
  --data DIR      keep the state there between runs [default: nothing is kept]
  --help          this text

Exit: 0 succeeded, 1 failed, 2 could not run.
`

const options = {
  input: { type: 'string' },
  example: { type: 'boolean', default: false },
  name: { type: 'string' },
  config: { type: 'string' },
  data: { type: 'string' },
  template: { type: 'string' },
  functions: { type: 'string' },
} as const

/** Runs `stepwright run`; the result is its exit code. */
export async function runRun(args: readonly string[], io: Io): Promise<0 | 1> {
  const { values, positionals } = readOptions(args, runUsage, options, { positionals: true })
  if (values.help) {
    io.out(runUsage)
    return 0
  }
  const [workflow] = positionals
  if (values.template !== undefined) {
    const { template, functions } = values
    const input = await readInput(values.input, io.cwd)
    const { runTemplate } = await import('./run-template.ts')
    return report(await runTemplate({ template, functions, machine: workflow, input }, io), io)
  }
  if (workflow === undefined || positionals.length > 1)
    throw new UsageError(`Name one workflow.\n\n${runUsage}`)
  const config = await requireConfig(io, values.config)
  const declared = appOf(config)
  refuseUnknown('workflow', workflow, Object.keys(declared.workflows ?? {}))
  if (values.example) {
    await printExample(declared, workflow, io)
    return 0
  }
  const input = await readInput(values.input, io.cwd)
  await refuseInput(declared, workflow, input)
  await using app = await startLocalApp(config, io.cwd, {
    data: values.data,
    expressHistory: true,
    onTrouble: trouble => io.error(`${troubleLine(trouble)}\n`),
    onLog: line => isMetrics(line) || isFailureLine(line) || io.error(`${line}\n`),
  })
  const end = await execute(app, app.stateMachineArn(workflow), { input, name: values.name }, io)
  if (declared.workflows?.[workflow]?.type !== 'EXPRESS') io.error(describeCost(end, app))
  return report({ ...end, output: JSON.parse(end.output ?? 'null') }, io)
}

function troubleLine(trouble: TaskTrouble): string {
  const { name, text } = troubleEvent(trouble)
  return `${name} failed: ${text}`
}

function report(end: TemplateRun, io: Io): 0 | 1 {
  const succeeded = end.status === 'SUCCEEDED'
  if (succeeded) io.out(`${JSON.stringify(end.output ?? null, null, 2)}\n`)
  else io.error(describeFailure(end))
  return succeeded ? 0 : 1
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
    const display = createProgressDisplay(io.draw ?? io.error, io.terminal)
    return await watchExecution(client, executionArn, { onProgress: display.show })
  } finally {
    client.destroy()
  }
}

/** With the children of Distributed Maps. */
function describeCost(
  { transitions, mapRunArns }: WatchedExecution,
  { services: { stepFunctions } }: RunningApp,
): string {
  const usage = mapRunArns.map(stepFunctions.mapRunUsage).reduce(addUsage, { ...noUsage, transitions })
  const requests = usage.expressRequests > 0 ? `, ${usage.expressRequests} Express requests` : ''
  return `  ${usage.transitions} state transitions${requests}, $${priceOf(usage).toFixed(6)} on AWS\n`
}

function describeFailure({ status, error, cause }: TemplateRun): string {
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
