import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commonDependencies, commonDevDependencies, type TemplateName, templates } from './templates.ts'

export interface ProjectOptions {
  /** Where it goes; made if it does not exist. */
  readonly directory: string
  /** The app's name: lower-case letters, digits and `-`. */
  readonly name: string
  readonly template: TemplateName
}

/** A project cannot be made there, or not of that name: its message says why. */
export class CreateProjectError extends Error {
  override readonly name = 'CreateProjectError'
}

const appName = /^[a-z][a-z0-9-]{0,39}$/
const templatesFolder = new URL('../templates/', import.meta.url)
/** npm would leave these out of a package, and a check of this repository would take them for its own. */
const renamed = { _gitignore: '.gitignore', '_stepwright.config.ts': 'stepwright.config.ts' } as const

/**
 * Writes a new project. Nothing that exists is touched.
 * @throws CreateProjectError
 */
export async function createProject({ directory, name, template }: ProjectOptions): Promise<void> {
  if (!appName.test(name)) {
    throw new CreateProjectError(
      `The name must be 1 to 40 lower-case letters, digits and "-", the first a letter, not "${name}".`,
    )
  }
  await mkdir(directory, { recursive: true })
  const present = (await readdir(directory)).filter(entry => entry !== '.git')
  if (present.length > 0) {
    throw new CreateProjectError(`${directory} is not empty: it has ${present.slice(0, 3).join(', ')}.`)
  }
  for (const folder of ['common', template]) {
    await cp(new URL(`${folder}/`, templatesFolder), directory, { recursive: true })
  }
  for (const [from, to] of Object.entries(renamed)) await rename(join(directory, from), join(directory, to))
  await fillIn(directory, name)
  await writeFile(
    join(directory, 'package.json'),
    `${JSON.stringify(await manifestOf(name, template), null, 2)}\n`,
  )
}

async function fillIn(directory: string, name: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter(found => found.isFile())) {
    const file = join(entry.parentPath, entry.name)
    const text = await readFile(file, 'utf8')
    if (text.includes('{{name}}')) await writeFile(file, text.replaceAll('{{name}}', name))
  }
}

async function manifestOf(name: string, template: TemplateName): Promise<object> {
  const { dependencies, devDependencies } = templates[template]
  const versions = await testedVersions()
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.toSorted().map(dependency => [dependency, versions[dependency]]))
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: '>=24' },
    scripts: {
      dev: 'stepwright dev --data .stepwright',
      check: 'stepwright check',
      test: 'vitest run',
      typecheck: 'tsc',
    },
    dependencies: pick([...commonDependencies, ...dependencies]),
    devDependencies: pick([...commonDevDependencies, ...devDependencies]),
  }
}

/** The versions that the templates were tested with: those of this package's own manifest. */
async function testedVersions(): Promise<Readonly<Record<string, string>>> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { devDependencies: Record<string, string> }).devDependencies
}
