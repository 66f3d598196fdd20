import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { parseDefinition } from '@stepwright/asl'
import { closest } from '@stepwright/errors/spelling'
import {
  type AppRole,
  appPolicies,
  arnOf,
  comparePolicies,
  deployedPlaces,
  formatSamPolicies,
  formatTerraformPolicies,
  type PolicyDocument,
  parsePolicy,
  workflowPolicy,
} from '@stepwright/policy'
import { requireApp } from './config.ts'
import { type Io, UsageError } from './io.ts'
import { oneOf } from './one-of.ts'
import { readOptions } from './read-options.ts'

const policyUsage = `Usage: stepwright policy [DEFINITION] [options]

Prints the IAM policy of every role of the app of stepwright.config.ts: of its state
machines from their definitions, of its functions from their grants and what their
tasks need. With a DEFINITION (*.asl.json, .yaml), that of its state machine.

Options:
  --for NAME         only that function, workflow or trigger
  --format FORMAT    json, terraform or sam [default: json]
  --check FILE       compare a policy that exists with what is needed, by --for
  --stage NAME       the stage, which is part of names: dev, prod
  --config FILE      the config [default: the nearest stepwright.config.ts]
  --help             this text

Exit: 0 done, 1 the policy that exists differs, 2 could not run.
`

const options = {
  for: { type: 'string' },
  format: { type: 'string', default: 'json' },
  check: { type: 'string' },
  stage: { type: 'string' },
  config: { type: 'string' },
} as const

type Named = Pick<AppRole, 'name' | 'document' | 'notes'>

type Format = (policies: Readonly<Record<string, PolicyDocument>>) => object

const formats: Readonly<Record<'json' | 'terraform' | 'sam', Format>> = {
  json: policies => policies,
  terraform: formatTerraformPolicies,
  sam: formatSamPolicies,
}

/** Runs `stepwright policy`; the result is its exit code. */
export async function runPolicy(args: readonly string[], io: Io): Promise<0 | 1> {
  const { values, positionals } = readOptions(args, policyUsage, options, { positionals: true })
  if (values.help) {
    io.out(policyUsage)
    return 0
  }
  const format = formats[oneOf('--format', values.format, ['json', 'terraform', 'sam'])]
  const [definition] = positionals
  const roles =
    definition === undefined
      ? await rolesOfApp(io, values)
      : [await roleOfDefinition(resolve(io.cwd, definition))]
  const chosen = values.for === undefined ? roles : [find(roles, values.for)]
  for (const { name, notes } of chosen) for (const note of notes) io.error(`stepwright: ${name}: ${note}\n`)
  if (values.check !== undefined) return checkPolicy(chosen, resolve(io.cwd, values.check), io)
  const policies = Object.fromEntries(chosen.map(({ name, document }) => [name, document]))
  const [only] = chosen
  const single = chosen.length === 1 && values.format === 'json' && only !== undefined
  io.out(`${JSON.stringify(single ? only.document : format(policies), null, 2)}\n`)
  return 0
}

async function rolesOfApp(
  io: Io,
  { config, stage }: { readonly config?: string; readonly stage?: string },
): Promise<readonly Named[]> {
  const app = await requireApp(io, config)
  return appPolicies(app, {
    places: deployedPlaces(app, stage === undefined ? {} : { stage }),
    tracing: true,
    databaseUserArn: arnOf('rds-db', `dbuser:\${DatabaseProxyId}/app`),
  })
}

async function roleOfDefinition(file: string): Promise<Named> {
  const source = parseDefinition(await readText(file), { file })
  if (source.broken) throw new UsageError(`${file} cannot be read: ${source.problems[0]?.message ?? ''}`)
  return { name: basename(file).replace(/\..*/, ''), ...workflowPolicy(source.value) }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`There is no file ${file}.`, { cause: error })
  }
}

function find(roles: readonly Named[], name: string): Named {
  const found = roles.find(role => role.name === name)
  if (found !== undefined) return found
  const names = roles.map(role => role.name)
  const meant = closest(name, names)
  throw new UsageError(
    `There is no role for ${name}. ${meant === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${meant}?`}`,
  )
}

async function checkPolicy(roles: readonly Named[], file: string, io: Io): Promise<0 | 1> {
  const [role] = roles
  if (roles.length !== 1 || role === undefined) throw new UsageError('--check needs --for, or a definition.')
  const { missing, excess } = comparePolicies(role.document.Statement, await readPolicy(file))
  for (const { action, resource } of missing) io.out(`missing   ${action} on ${resource}\n`)
  for (const { action, resource } of excess) io.out(`too much  ${action} on ${resource}\n`)
  if (missing.length + excess.length > 0) return 1
  io.out(`${role.name} has what it needs, and no more.\n`)
  return 0
}

async function readPolicy(file: string) {
  const text = await readText(file)
  try {
    return parsePolicy(text)
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`, { cause: error })
  }
}
