import { writeFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import type { StateMachine } from '@stepwright/asl'
import { printReplayTest, type Replay, replayHistory } from '@stepwright/asl-engine/testing'
import { type Io, UsageError } from './io.ts'
import { readDefinition, readJson } from './read-definition.ts'
import { readOptions } from './read-options.ts'

const replayUsage = `Usage: stepwright replay HISTORY DEFINITION [options]

Runs a recorded execution against a definition of today, offline and in virtual time: its
tasks answer as they did. HISTORY is what "aws stepfunctions get-execution-history
--execution-arn ARN" prints, or the console's export.

Options:
  --test FILE   write a Vitest test there that runs what was recorded
  --redact      hide texts in that test which the definition does not speak of
  --help        this text

Exit: 0 it goes the same way, 1 it does not, 2 could not run.
`

const options = { test: { type: 'string' }, redact: { type: 'boolean', default: false } } as const

/** Runs `stepwright replay`; the result is its exit code. */
export async function runReplay(args: readonly string[], io: Io): Promise<0 | 1> {
  const { values, positionals } = readOptions(args, replayUsage, options, { positionals: true })
  if (values.help) {
    io.out(replayUsage)
    return 0
  }
  const [history, definitionFile] = positionals
  if (history === undefined || definitionFile === undefined)
    throw new UsageError(`Name a history and a definition.\n\n${replayUsage}`)
  const definition = await readDefinition(resolve(io.cwd, definitionFile), io.cwd)
  const replay = await replayed(definition, await readJson(resolve(io.cwd, history), 'history'))
  io.out(describe(replay))
  if (values.test !== undefined) {
    const file = resolve(io.cwd, values.test)
    const path = relative(dirname(file), resolve(io.cwd, definitionFile))
    const definitionPath = path.startsWith('.') ? path : `./${path}`
    const title = `goes as it went when it ${replay.recorded.status === 'SUCCEEDED' ? 'succeeded' : 'failed'}`
    await writeFile(
      file,
      printReplayTest(replay.recorded, { definition, definitionPath, title, redact: values.redact }),
    )
    io.out(`wrote ${values.test}\n`)
  }
  return replay.differences.length === 0 ? 0 : 1
}

async function replayed(definition: StateMachine, history: unknown): Promise<Replay> {
  try {
    return await replayHistory(definition, history)
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${error.message}.`, { cause: error })
    throw error
  }
}

function describe({ recorded, run, differences }: Replay): string {
  const ended = `${run.status}${run.error === undefined ? '' : `: ${run.error}`}`
  return [
    `${recorded.path.length} states recorded, ${recorded.calls.length} calls of tasks`,
    `  recorded  ${recorded.path.join(' → ')}`,
    `  now       ${run.path.join(' → ')}`,
    ...(differences.length === 0 ? [`It goes the same way, and ends ${ended}.`] : differences),
    '',
  ].join('\n')
}
