import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CreateProjectError, createProject } from './create-project.ts'
import { isTemplateName, type TemplateName, templates } from './templates.ts'

/** What the command needs of its surroundings. */
export interface Terminal {
  readonly cwd: string
  readonly write: (text: string) => void
  /** Asks the user; undefined where nobody can answer. */
  readonly ask: ((question: string, otherwise: string) => Promise<string>) | undefined
}

const usage = `Usage: npm create stepwright [NAME] [-- options]

Makes a new app in the folder NAME: tasks, a state machine, their tests.

Options:
  --template NAME   ${Object.keys(templates).join(' or ')} [default: minimal]
  --yes             ask nothing, take the defaults
  --help            this text

Templates:
${Object.entries(templates)
  .map(([name, { title }]) => `  ${name.padEnd(12)} ${title}`)
  .join('\n')}
`

/** Runs the command; the result is the exit code. */
export async function main(args: readonly string[], terminal: Terminal): Promise<0 | 2> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        template: { type: 'string' },
        yes: { type: 'boolean', short: 'y', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.help) {
      terminal.write(usage)
      return 0
    }
    const ask = values.yes ? undefined : terminal.ask
    const folder = positionals[0] ?? (await ask?.('Name of the app', 'my-app')) ?? 'my-app'
    const template = chooseTemplate(
      values.template ??
        (await ask?.(`Template (${Object.keys(templates).join(', ')})`, 'minimal')) ??
        'minimal',
    )
    const directory = resolve(terminal.cwd, folder)
    await createProject({ directory, name: basename(directory), template })
    terminal.write(nextSteps(folder, template))
    return 0
  } catch (error) {
    if (!(error instanceof CreateProjectError) && !isUsageError(error)) throw error
    terminal.write(`${error.message}\n\n${usage}`)
    return 2
  }
}

function chooseTemplate(name: string): TemplateName {
  if (isTemplateName(name)) return name
  throw new CreateProjectError(
    `There is no template "${name}". There are ${Object.keys(templates).join(', ')}.`,
  )
}

function isUsageError(error: unknown): error is Error {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}

function nextSteps(folder: string, template: TemplateName): string {
  return `
The app is in ${folder}. It needs Node 24 or later.

  cd ${folder}
  npm install
  npm test            its tasks and its state machine, without AWS
  npm run check       its state machine against the errors of its tasks
  ${templates[template].firstRun}

README.md goes on from there.
`
}
