import { basename, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { closest } from '@stepwright/errors/spelling'
import { type Ask, type Choices, choose, listChoices } from './ask.ts'
import { CreateProjectError, createProject, refuseFolder } from './create-project.ts'
import { type DeploymentName, deployments } from './deployments.ts'
import type { PackageManager } from './package-manager.ts'
import { refuseName } from './project-name.ts'
import { type TemplateName, templates } from './templates.ts'

/** What the command needs of its surroundings. */
export interface Terminal {
  readonly cwd: string
  readonly write: (text: string) => void
  /** Asks the user; undefined where nobody can answer. */
  readonly ask: Ask | undefined
  /** @default 'npm' */
  readonly packageManager?: PackageManager
}

const usage = `Usage: npm create stepwright [NAME] [-- options]

Makes a new app in the folder NAME: tasks, a state machine, their tests.

Options:
  --template NAME   ${Object.keys(templates).join(', ')} [default: minimal]
  --deploy NAME     ${Object.keys(deployments).join(', ')} [default: none]
  --yes             ask nothing, take the defaults
  --help            this text

Templates:
${describeChoices(templates)}
How it is deployed:
${describeChoices(deployments)}`

function describeChoices(choices: Choices<string>): string {
  return Object.entries(choices)
    .map(([name, { title }]) => `  ${name.padEnd(11)} ${title}\n`)
    .join('')
}

const options = {
  template: { type: 'string' },
  deploy: { type: 'string' },
  yes: { type: 'boolean', short: 'y', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** Runs the command; the result is the exit code. */
export async function main(args: readonly string[], terminal: Terminal): Promise<0 | 2> {
  try {
    const { values, positionals } = readArguments(args)
    if (values.help) {
      terminal.write(usage)
      return 0
    }
    if (positionals.length > 1)
      throw new CreateProjectError(`Name one folder, not ${positionals.join(', ')}.`)
    const { write } = terminal
    const ask = values.yes ? undefined : terminal.ask
    // What was said is looked at before anything is asked.
    const given = {
      template: values.template === undefined ? undefined : insist('template', values.template, templates),
      deployment:
        values.deploy === undefined ? undefined : insist('way to deploy', values.deploy, deployments),
    }
    const folder = await folderOf(positionals[0], terminal.cwd, { ask, write })
    const template: TemplateName =
      given.template ?? (await prompt('template', templates, 'minimal', { ask, write }))
    const deployment: DeploymentName =
      given.deployment ?? (await prompt('way to deploy', deployments, 'none', { ask, write }))
    const directory = resolve(terminal.cwd, folder)
    const { packageManager = 'npm' } = terminal
    await createProject({ directory, name: basename(directory), template, deployment, packageManager })
    write(nextSteps(relative(terminal.cwd, directory), { template, deployment, packageManager }))
    return 0
  } catch (error) {
    if (!(error instanceof CreateProjectError)) throw error
    terminal.write(`${error.message}\n\n${usage}`)
    return 2
  }
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (cause) {
    const { message } = cause as Error
    const unknown = /^Unknown option '--([^']*)'/.exec(message)?.[1]
    if (unknown === undefined) throw new CreateProjectError(message, { cause })
    const meant = closest(unknown, Object.keys(options))
    const hint = meant === undefined ? '' : ` Did you mean --${meant}?`
    throw new CreateProjectError(`There is no option --${unknown}.${hint}`, { cause })
  }
}

interface Dialogue {
  readonly ask: Ask | undefined
  readonly write: (text: string) => void
}

/** Asked for until it will do; what was said is taken as it is. */
async function folderOf(given: string | undefined, cwd: string, { ask, write }: Dialogue): Promise<string> {
  const problemOf = async (folder: string) => {
    const directory = resolve(cwd, folder)
    return refuseName(basename(directory)) ?? (await refuseFolder(directory))
  }
  if (given !== undefined || ask === undefined) {
    const folder = given ?? 'my-app'
    const problem = await problemOf(folder)
    if (problem !== undefined) throw new CreateProjectError(problem)
    return folder
  }
  for (;;) {
    const folder = await ask('Name of the app', 'my-app')
    const problem = await problemOf(folder)
    if (problem === undefined) return folder
    write(`${problem}\n`)
  }
}

function insist<Name extends string>(what: string, given: string, choices: Choices<Name>): Name {
  const chosen = choose(what, given, choices)
  if ('problem' in chosen) throw new CreateProjectError(chosen.problem)
  return chosen.name
}

async function prompt<Name extends string>(
  what: string,
  choices: Choices<Name>,
  otherwise: Name,
  { ask, write }: Dialogue,
): Promise<Name> {
  if (ask === undefined) return otherwise
  write(`\n${listChoices(choices)}`)
  for (;;) {
    const chosen = choose(what, await ask(`The ${what}, by name or number`, otherwise), choices)
    if ('name' in chosen) return chosen.name
    write(`${chosen.problem}\n`)
  }
}

interface Made {
  readonly template: TemplateName
  readonly deployment: DeploymentName
  readonly packageManager: PackageManager
}

function nextSteps(folder: string, { template, deployment, packageManager }: Made): string {
  const steps = [
    ...(folder === '' ? [] : [[`cd ${folder}`, '']]),
    ['npm install', ''],
    ['npm test', 'its tasks and its state machine, without AWS'],
    ['npm run check', 'its state machine against the errors of its tasks'],
    [templates[template].firstRun, ''],
    ...(deployment === 'none' ? [] : [['npm run synth', 'what is deployed']]),
  ]
  const said = steps.map(([command = '', about = '']) => [
    command.replace(/^npm /, `${packageManager} `),
    about,
  ])
  const lines = said.map(([command = '', about]) => `  ${command.padEnd(20)}${about}`.trimEnd())
  return `
The app is in ${folder || 'this folder'}. It needs Node 24 or later.

${lines.join('\n')}

README.md goes on from there.
`
}
