import { type CommandLine, completeWords } from './completions/complete-words.ts'
import { completionScripts } from './completions/scripts.ts'
import { type Io, UsageError } from './io.ts'
import { oneOf } from './one-of.ts'
import { readOptions } from './read-options.ts'

const completionsUsage = `Usage: stepwright completions SHELL [options]

Prints what bash, zsh or fish needs to complete commands, options, files, and what the project
has: its workflows, its states. For the shell in hand:

  source <(stepwright completions bash)
  source <(stepwright completions zsh)
  stepwright completions fish | source

Options:
  --words   what the last of the words after "--" can become, for those scripts
  --help    this text
`

/** Runs `stepwright completions` for the commands that there are. */
export async function runCompletions(args: readonly string[], io: Io, commandLine: CommandLine): Promise<0> {
  const { values, positionals } = readOptions(
    args,
    completionsUsage,
    { words: { type: 'boolean', default: false } },
    { positionals: true },
  )
  if (values.help) {
    io.out(completionsUsage)
    return 0
  }
  if (values.words) {
    io.out(await describeCompletion(positionals, io, commandLine))
    return 0
  }
  const [shell] = positionals
  if (shell === undefined) throw new UsageError(`Name a shell.\n\n${completionsUsage}`)
  io.out(completionScripts[oneOf('The shell', shell, ['bash', 'zsh', 'fish'])])
  return 0
}

/** One word a line, with what it is behind a tab; `:files` where files fit as well. */
async function describeCompletion(
  words: readonly string[],
  io: Io,
  commandLine: CommandLine,
): Promise<string> {
  try {
    const { candidates, files } = await completeWords(words, commandLine, io)
    const lines = candidates.map(({ word, about }) => `${word}\t${about}\n`)
    return lines.join('') + (files ? ':files\n' : '')
  } catch {
    return '' // a project that cannot be loaded is the business of other commands
  }
}
