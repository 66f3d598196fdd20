import { access, appendFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DeploymentName, deployments } from './deployments.ts'
import { allowedScripts, type PackageManager, pnpmWorkspace } from './package-manager.ts'
import { refuseName } from './project-name.ts'
import { commonDependencies, commonDevDependencies, type TemplateName, templates } from './templates.ts'

export interface ProjectOptions {
  /** Where it goes; made if it does not exist. */
  readonly directory: string
  /** The app's name: lower-case letters, digits and `-`. */
  readonly name: string
  readonly template: TemplateName
  /** @default 'none' */
  readonly deployment?: DeploymentName
  /** @default 'npm' */
  readonly packageManager?: PackageManager
}

/** A project cannot be made there, or not of that name: its message says why. */
export class CreateProjectError extends Error {
  override readonly name = 'CreateProjectError'
}

const templatesFolder = new URL('../templates/', import.meta.url)
/** npm would leave these out of a package, and a check of this repository would take them for its own. */
const renamed = { _gitignore: '.gitignore', '_stepwright.config.ts': 'stepwright.config.ts' } as const

/**
 * Writes a new project. Nothing that exists is touched.
 * @throws CreateProjectError
 */
export async function createProject(options: ProjectOptions): Promise<void> {
  const { directory, name, template, deployment = 'none', packageManager = 'npm' } = options
  const problem = refuseName(name) ?? (await refuseFolder(directory))
  if (problem !== undefined) throw new CreateProjectError(problem)
  const { folder, own } = deployments[deployment]
  const unwanted = Object.values(deployments).flatMap(other => other.own ?? [])
  await mkdir(directory, { recursive: true })
  for (const part of ['common', template, ...(folder === undefined ? [] : [folder])]) {
    const from = fileURLToPath(new URL(part, templatesFolder))
    await cp(from, directory, {
      recursive: true,
      filter: path => !unwanted.some(name => name !== own && path === join(from, name)),
    })
  }
  for (const [from, to] of Object.entries(renamed)) await rename(join(directory, from), join(directory, to))
  await appendDeploying(directory)
  await fillIn(directory, name)
  await writeFile(
    join(directory, 'package.json'),
    `${JSON.stringify(await manifestOf(name, template, deployment), null, 2)}\n`,
  )
  if (packageManager === 'pnpm') await writeFile(join(directory, 'pnpm-workspace.yaml'), pnpmWorkspace())
}

/** Why a project cannot be made there; undefined if it can. */
export async function refuseFolder(directory: string): Promise<string | undefined> {
  let entries: readonly string[]
  try {
    entries = await readdir(directory)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'ENOTDIR') return `${directory} is a file.`
    throw error
  }
  const present = entries.filter(entry => entry !== '.git')
  return present.length === 0
    ? undefined
    : `${directory} is not empty: it has ${present.slice(0, 3).join(', ')}. "npx stepwright init" adds to a project that exists.`
}

/** How it is deployed is a part of its README. */
async function appendDeploying(directory: string): Promise<void> {
  const file = join(directory, '_DEPLOY.md')
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  await appendFile(join(directory, 'README.md'), `\n${(await readFile(file, 'utf8')).trim()}\n`)
  await rm(file)
}

async function fillIn(directory: string, name: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter(found => found.isFile())) {
    const file = join(entry.parentPath, entry.name)
    const text = await readFile(file, 'utf8')
    if (text.includes('{{name}}')) await writeFile(file, text.replaceAll('{{name}}', name))
  }
}

async function manifestOf(name: string, template: TemplateName, deployment: DeploymentName): Promise<object> {
  const { dependencies, devDependencies } = templates[template]
  const { devDependencies: deploying, scripts } = deployments[deployment]
  const versions = await testedVersions()
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.toSorted().map(dependency => [dependency, versions[dependency]]))
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=24' },
    scripts: {
      dev: 'stepwright dev --data .stepwright',
      check: 'stepwright check',
      test: 'vitest run',
      typecheck: 'tsc',
      ...scripts,
    },
    allowScripts: allowedScripts,
    dependencies: pick([...commonDependencies, ...dependencies]),
    devDependencies: pick([...commonDevDependencies, ...devDependencies, ...deploying]),
  }
}

/** The versions that the templates were tested with: those of this package's own manifest. */
async function testedVersions(): Promise<Readonly<Record<string, string>>> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  const { dependencies, devDependencies } = JSON.parse(manifest) as Record<string, Record<string, string>>
  return { ...dependencies, ...devDependencies }
}
