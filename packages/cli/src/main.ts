import { runCheck } from './check-command.ts'
import { type Io, UsageError } from './io.ts'

const usage = `Usage: stepwright COMMAND

Commands:
  check   check state machines against the tasks that they call

"stepwright COMMAND --help" says more.
`

/** Runs the command line; the result is the exit code. */
export const main = async (args: readonly string[], io: Io): Promise<0 | 1 | 2> => {
  const [command, ...rest] = args
  try {
    if (command === 'check') return await runCheck(rest, io)
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
