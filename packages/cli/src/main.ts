import { closest } from '@stepwright/errors/spelling'
import { type Io, UsageError } from './io.ts'
import { guardTerminal } from './terminal-text.ts'
import { versionOf } from './version.ts'

const usage = `Usage: stepwright COMMAND

Commands:
  init        add stepwright to a project that exists
  check       check state machines against the tasks that they call
  run         run one execution on this machine and show how it goes
  dev         run the app's services on this machine until Ctrl-C
  policy      print the exact IAM policies of the app, or of a definition
  synth       write templates and code for CloudFormation, SAM or Terraform
  graph       draw a state machine, and an execution of it
  replay      run a recorded execution against a definition of today
  test-state  run one state, with mocks
  types       write the types of a workflow's data
  lsp         a language server, for editors
  completions print completions for a shell: bash, zsh or fish

"stepwright COMMAND --help" says more, "stepwright --version" which one this is.
A config that another user owns is not loaded: --trust-config loads it, with any command.
`

const trustOption = '--trust-config'

type Run = (args: readonly string[], io: Io) => Promise<0 | 1>

/** Each loads only what it needs. */
const commands: Readonly<Record<string, () => Promise<Run>>> = {
  init: async () => (await import('./init-command.ts')).runInit,
  check: async () => (await import('./check-command.ts')).runCheck,
  run: async () => (await import('./run-command.ts')).runRun,
  dev: async () => (await import('./dev-command.ts')).runDev,
  policy: async () => (await import('./policy-command.ts')).runPolicy,
  synth: async () => (await import('./synth-command.ts')).runSynth,
  graph: async () => (await import('./graph-command.ts')).runGraph,
  lsp: async () => (await import('./lsp-command.ts')).runLsp,
  replay: async () => (await import('./replay-command.ts')).runReplay,
  'test-state': async () => (await import('./test-state-command.ts')).runTestState,
  types: async () => (await import('./types-command.ts')).runTypes,
  completions: async () => {
    const { runCompletions } = await import('./completions-command.ts')
    return (args, io) => runCompletions(args, io, { commands: listCommands(), usageOf })
  },
}

/** Runs the command line; the result is the exit code. */
export async function main(args: readonly string[], io: Io): Promise<0 | 1 | 2> {
  const [command, ...given] = args
  const rest = given.filter(each => each !== trustOption)
  try {
    if (command === undefined || command === '--help' || command === '-h') {
      io.out(usage)
      return command === undefined ? 2 : 0
    }
    if (command === '--version') {
      io.out(`${await versionOf()}\n`)
      return 0
    }
    const load = Object.hasOwn(commands, command) ? commands[command] : undefined
    if (load === undefined) throw new UsageError(unknown(command))
    const guarded = guardTerminal(io, rest)
    return await (await load())(
      rest,
      rest.length < given.length ? { ...guarded, trustConfig: true } : guarded,
    )
  } catch (error) {
    if (error instanceof UsageError) io.error(`stepwright: ${error.message}\n`)
    else io.error(`stepwright: ${error instanceof Error ? error.stack : String(error)}\n`)
    return 2
  }
}

/** The commands, and what each does, as the usage has it. */
function listCommands(): readonly { readonly word: string; readonly about: string }[] {
  return [...usage.matchAll(/^ {2}([a-z-]+) +(.*)$/gm)].map(([, word = '', about = '']) => ({ word, about }))
}

async function usageOf(command: string): Promise<string> {
  let printed = ''
  const print = (text: string): void => {
    printed += text
  }
  const run = await commands[command]?.()
  await run?.(['--help'], { cwd: '.', colour: false, out: print, error: print, interrupted: async () => {} })
  return printed
}

function unknown(command: string): string {
  const meant = closest(command, Object.keys(commands))
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`
  return `There is no command "${command}".${hint}\n\n${usage}`
}
