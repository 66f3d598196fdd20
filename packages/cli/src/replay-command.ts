import { writeFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { App } from '@stepwright/app'
import type { StateMachine } from '@stepwright/asl'
import {
  printReplayTest,
  type Replay,
  type ReplayTestOptions,
  type RunRecordedOptions,
  replayHistory,
} from '@stepwright/asl-engine/testing'
import { appOf, type LoadedConfig, requireConfig } from './config.ts'
import { type Io, UsageError } from './io.ts'
import { startLocalApp } from './local-app.ts'
import { oneOf, refuseUnknown } from './one-of.ts'
import { readDefinition, readJson } from './read-definition.ts'
import { readOptions } from './read-options.ts'
import { handlersOfToday } from './replay/handlers-of-today.ts'

const replayUsage = `Usage: stepwright replay HISTORY [DEFINITION] [options]

Runs a recorded execution against a definition of today, in virtual time: its tasks answer as
they did, or as the handlers of today do. HISTORY is what "aws stepfunctions
get-execution-history --execution-arn ARN" prints, or the console's export. Without a DEFINITION,
that of the app in stepwright.config.ts.

Options:
  --workflow NAME   which one of the app [default: the only one]
  --handlers        call the functions of the app, on this machine, instead of what was recorded
  --test FILE       write a Vitest test there that runs what was recorded
  --expect WHAT     what that test expects: "recorded", what happened, or "succeeded", which fails
                    until the workflow is fixed [default: recorded]
  --redact          hide texts in that test which the definition does not speak of
  --config FILE     the config [default: the nearest stepwright.config.ts]
  --help            this text

Exit: 0 it goes the same way, 1 it does not, 2 could not run.
`

const options = {
  workflow: { type: 'string' },
  handlers: { type: 'boolean', default: false },
  test: { type: 'string' },
  expect: { type: 'string', default: 'recorded' },
  redact: { type: 'boolean', default: false },
  config: { type: 'string' },
} as const

/** Runs `stepwright replay`; the result is its exit code. */
export async function runReplay(args: readonly string[], io: Io): Promise<0 | 1> {
  const { values, positionals } = readOptions(args, replayUsage, options, { positionals: true })
  if (values.help) {
    io.out(replayUsage)
    return 0
  }
  const expect = oneOf('--expect', values.expect, ['recorded', 'succeeded'])
  const [historyFile, definitionFile] = positionals
  if (historyFile === undefined || positionals.length > 2)
    throw new UsageError(`Name a history, and a definition if it is not that of the app.\n\n${replayUsage}`)
  const isOfApp = definitionFile === undefined || values.handlers || values.workflow !== undefined
  const config = isOfApp ? await requireConfig(io, values.config) : undefined
  const app = config && appOf(config)
  const workflow = app && chooseWorkflow(app, values.workflow)
  const file = definitionFile === undefined ? fileOf(app, workflow) : resolve(io.cwd, definitionFile)
  const definition = await readDefinition(file, io.cwd)
  const history = await readJson(resolve(io.cwd, historyFile), 'history')
  const replay =
    values.handlers && config && workflow !== undefined
      ? await withHandlers(config, workflow, definition, history, io)
      : await replayed(definition, history)
  io.out(describe(replay))
  if (values.test !== undefined) {
    await writeTest(resolve(io.cwd, values.test), file, replay, { definition, expect, redact: values.redact })
    io.out(`wrote ${values.test}\n`)
  }
  return replay.differences.length === 0 ? 0 : 1
}

function chooseWorkflow({ workflows = {} }: App, named: string | undefined): string {
  const names = Object.keys(workflows)
  if (named !== undefined) refuseUnknown('workflow', named, names)
  const [only, other] = names
  if (named === undefined && other !== undefined)
    throw new UsageError(`Say which workflow it was: --workflow ${names.join(', or ')}.`)
  const chosen = named ?? only
  if (chosen === undefined) throw new UsageError('The app has no workflow: name a definition.')
  return chosen
}

function fileOf(app: App | undefined, workflow: string | undefined): string {
  const declared = app?.workflows?.[workflow ?? ''] as { readonly definition: string } | undefined
  return fileURLToPath(new URL(declared?.definition ?? '', app?.root))
}

async function withHandlers(
  config: LoadedConfig,
  workflow: string,
  definition: StateMachine,
  history: unknown,
  io: Io,
): Promise<Replay> {
  await using running = await startLocalApp(config, io.cwd, { data: undefined, onLog: () => {} })
  return await replayed(definition, history, {
    tasks: handlersOfToday(appOf(config), workflow, definition, running),
  })
}

async function replayed(
  definition: StateMachine,
  history: unknown,
  how: RunRecordedOptions = {},
): Promise<Replay> {
  try {
    return await replayHistory(definition, history, how)
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${error.message}.`, { cause: error })
    throw error
  }
}

const endings = {
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  TIMED_OUT: 'timed out',
  ABORTED: 'was stopped',
  RUNNING: 'was still running',
}

/** Nothing that exists is overwritten. */
async function writeTest(
  file: string,
  definitionFile: string,
  { recorded }: Replay,
  options: Pick<ReplayTestOptions, 'definition' | 'expect' | 'redact'>,
): Promise<void> {
  const path = relative(dirname(file), definitionFile)
  const definitionPath = path.startsWith('.') ? path : `./${path}`
  if (options.expect === 'succeeded' && recorded.status === 'SUCCEEDED')
    throw new UsageError('The execution succeeded: there is nothing to fix. Leave out --expect succeeded.')
  const ended = endings[recorded.status]
  const title =
    options.expect === 'succeeded' ? `succeeds where it ${ended}` : `goes as it went when it ${ended}`
  const text = printReplayTest(recorded, { ...options, definitionPath, title })
  try {
    await writeFile(file, text, { flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    throw new UsageError(`${file} exists: name another file for the test.`, { cause })
  }
}

function describe({ recorded, run, differences }: Replay): string {
  const waits = run.status === 'RUNNING' ? ` (waits for an answer of ${run.waitsFor.join(', ')})` : ''
  const ended = `${run.status}${run.error === undefined ? '' : `: ${run.error}`}${waits}`
  return [
    `${recorded.path.length} states recorded, ${recorded.calls.length} calls of tasks${mapRunsOf(recorded)}`,
    `  recorded  ${recorded.path.join(' → ')}`,
    `  now       ${run.path.join(' → ')}`,
    ...(differences.length === 0 ? [`It goes the same way, and ends ${ended}.`] : differences),
    '',
  ].join('\n')
}

/** What runs in a Distributed Map is not in the history of the execution that started it. */
function mapRunsOf({ mapRuns }: Replay['recorded']): string {
  if (mapRuns.length === 0) return ''
  const names = [...new Set(mapRuns.map(({ state }) => state))].join(', ')
  return `; the Distributed Map ${names} leaves with its recorded output`
}
