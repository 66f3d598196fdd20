import { type Io, UsageError } from './io.ts'

const usage = `Usage: stepwright COMMAND

Commands:
  check   check state machines against the tasks that they call
  run     run one execution on this machine and show how it goes
  dev     run the app's services on this machine until Ctrl-C
  policy  print the exact IAM policies of the app, or of a definition
  graph   draw a state machine, and an execution of it

"stepwright COMMAND --help" says more.
`

/** Runs the command line; the result is the exit code. */
export async function main(args: readonly string[], io: Io): Promise<0 | 1 | 2> {
  const [command, ...rest] = args
  try {
    // Each command loads only what it needs.
    if (command === 'check') return await (await import('./check-command.ts')).runCheck(rest, io)
    if (command === 'run') return await (await import('./run-command.ts')).runRun(rest, io)
    if (command === 'dev') return await (await import('./dev-command.ts')).runDev(rest, io)
    if (command === 'policy') return await (await import('./policy-command.ts')).runPolicy(rest, io)
    if (command === 'graph') return await (await import('./graph-command.ts')).runGraph(rest, io)
    if (command === undefined || command === '--help' || command === '-h') {
      io.out(usage)
      return command === undefined ? 2 : 0
    }
    throw new UsageError(`There is no command "${command}".\n\n${usage}`)
  } catch (error) {
    if (error instanceof UsageError) io.error(`stepwright: ${error.message}\n`)
    else io.error(`stepwright: ${error instanceof Error ? error.stack : String(error)}\n`)
    return 2
  }
}
