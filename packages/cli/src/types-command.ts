import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { type Json, type StateTypes, stateTypesOf } from '@stepwright/asl'
import { checkOptionsOf } from './check-file.ts'
import { findTargets, type Target } from './discover.ts'
import { type Io, UsageError } from './io.ts'
import { readDefinition } from './read-definition.ts'
import { readOptions } from './read-options.ts'

const typesUsage = `Usage: stepwright types [FILE...] [options]

Writes the types of a workflow's data beside its definition: order.asl.d.ts for order.asl.json.
StateInputs says what each state is given, TaskInputs what each Task calls with, by the schemas
of the input and of the tasks in stepwright.config.ts. Without a FILE, for all definitions of
the config.

Options:
  --check         write nothing; exit 1 if a file is missing or not up to date, for CI
  --config FILE   the config [default: the nearest stepwright.config.ts]
  --help          this text

Exit: 0 written, or up to date; 1 not up to date; 2 could not run.
`

const options = { check: { type: 'boolean', default: false }, config: { type: 'string' } } as const

/** Runs `stepwright types`; the result is its exit code. */
export async function runTypes(args: readonly string[], io: Io): Promise<0 | 1> {
  const { values, positionals } = readOptions(args, typesUsage, options, { positionals: true })
  if (values.help) {
    io.out(typesUsage)
    return 0
  }
  let code: 0 | 1 = 0
  for (const target of await findTargets(io, positionals, values.config)) {
    const file = declarationsOf(target.file)
    const name = relative(io.cwd, file)
    const text = await declare(target, io.cwd)
    const before = existsSync(file) ? readFileSync(file, 'utf8') : head
    if (before === text) continue
    if (!before.startsWith(head))
      throw new UsageError(`${name} was not written by stepwright types: move it out of the way.`)
    if (values.check) {
      io.out(`${name} is not up to date: run stepwright types\n`)
      code = 1
      continue
    }
    writeFileSync(file, text)
    io.out(`wrote ${name}\n`)
  }
  return code
}

function declarationsOf(file: string): string {
  return file.replace(/\.(?:jsonc?|ya?ml)$/i, '.d.ts')
}

async function declare({ file, workflows }: Target, cwd: string): Promise<string> {
  const definition = (await readDefinition(file, cwd)) as unknown as Json
  return printDeclarations(stateTypesOf(definition, checkOptionsOf(workflows[0])))
}

const head = '// Written by "stepwright types". Write it again when the workflow changes.\n'

function printDeclarations(states: readonly StateTypes[]): string {
  return `${head}
/** What each state is given. */
export interface StateInputs {
${printFields(states, ({ input }) => input)}}

/** What each Task calls with: the payload of a function, the parameters of a service. */
export interface TaskInputs {
${printFields(states, ({ argument }) => argument)}}

/** The tasks of a test, by state: \`{ … } satisfies Partial<Tasks>\`. */
export type Tasks = { readonly [State in keyof TaskInputs]: (input: TaskInputs[State]) => unknown }
`
}

function printFields(
  states: readonly StateTypes[],
  typeOf: (state: StateTypes) => string | undefined,
): string {
  return states
    .flatMap(state => {
      const type = typeOf(state)
      const key = /^[A-Za-z_$][\w$]*$/.test(state.name) ? state.name : JSON.stringify(state.name)
      return type === undefined ? [] : [`  readonly ${key}: ${type.replaceAll('\n', '\n  ')}\n`]
    })
    .join('')
}
