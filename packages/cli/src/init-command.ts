import { existsSync, globSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { configNames } from './config.ts'
import { exampleApp, existingConfig } from './init/example-app.ts'
import { addScripts, missingFrom, type PackageJson, toAppName } from './init/package-json.ts'
import { type Io, UsageError } from './io.ts'
import { readOptions } from './read-options.ts'

const initUsage = `Usage: stepwright init [options]

Adds to the project of this folder what stepwright needs: a config, scripts, and an example of
a task and its state machine; or, where there are state machines (*.asl.json, .jsonc, .yaml)
already, a config that names them. Nothing that exists is overwritten; running it again does
what is left to do.

Options:
  --example   the example also where there are state machines already
  --help      this text

A new project: npm create stepwright
`

const scripts = {
  'check:workflows': 'stepwright check',
  'dev:workflows': 'stepwright dev --data .stepwright',
} as const

const needed = {
  example: [
    '@stepwright/app',
    '@stepwright/errors',
    '@stepwright/task',
    '@aws-lambda-powertools/logger',
    '@aws-lambda-powertools/metrics',
    '@middy/core',
    'zod',
  ],
  exampleDev: ['@stepwright/cli', '@stepwright/console', '@stepwright/local-cloud'],
  checkDev: ['@stepwright/cli'],
} as const

/** Runs `stepwright init`. */
export async function runInit(args: readonly string[], io: Io): Promise<0> {
  const { values } = readOptions(args, initUsage, { example: { type: 'boolean', default: false } })
  if (values.help) {
    io.out(initUsage)
    return 0
  }
  const manifestFile = join(io.cwd, 'package.json')
  const manifestText = await readManifest(manifestFile)
  const manifest = JSON.parse(manifestText) as PackageJson
  const extension = manifest.type === 'module' ? 'ts' : 'mts'
  const definitions = findDefinitions(io.cwd)
  const isExample = values.example || definitions.length === 0
  const files = isExample
    ? await exampleApp(toAppName(manifest.name ?? basename(io.cwd)), extension)
    : { [`stepwright.config.${extension}`]: existingConfig(definitions) }

  const wrote = await writeMissing(io, files)
  const { text, added } = addScripts(
    manifestText,
    isExample ? scripts : { 'check:workflows': scripts['check:workflows'] },
  )
  if (added.length > 0) {
    await writeFile(manifestFile, text)
    io.out(`added  ${added.join(' and ')} to the scripts of package.json\n`)
  }
  if (wrote === 0 && added.length === 0) io.out('Everything is there already.\n')
  io.out(nextSteps(manifest, isExample, packageManagerOf(io.cwd)))
  return 0
}

async function readManifest(file: string): Promise<string> {
  try {
    const text = await readFile(file, 'utf8')
    JSON.parse(text)
    return text
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    throw new UsageError(
      isMissing
        ? 'There is no package.json here. A new project: npm create stepwright'
        : `package.json cannot be read: ${(cause as Error).message}`,
      { cause },
    )
  }
}

function findDefinitions(folder: string): readonly string[] {
  const ignored = new Set(['node_modules', 'dist', 'cdk.out', 'stepwright.out', '.git', 'stepwright'])
  return globSync('**/*.asl.{json,jsonc,yaml,yml}', {
    cwd: folder,
    exclude: name => ignored.has(basename(String(name))),
  }).toSorted()
}

/** Writes the files that do not exist, says of each what was done, and how many were written. */
async function writeMissing(io: Io, files: Readonly<Record<string, string>>): Promise<number> {
  let written = 0
  for (const [path, content] of Object.entries(files)) {
    const file = join(io.cwd, path)
    const isConfig = basename(path).startsWith('stepwright.config.')
    const present = isConfig ? configNames.find(name => existsSync(join(io.cwd, name))) : undefined
    if (present !== undefined || existsSync(file)) {
      io.out(`kept   ${present ?? path}\n`)
      continue
    }
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content, { flag: 'wx' })
    written += 1
    io.out(`wrote  ${path}\n`)
  }
  return written
}

type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

const lockfiles: Readonly<Record<string, PackageManager>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
}

function packageManagerOf(folder: string): PackageManager {
  const found = Object.entries(lockfiles).find(([file]) => existsSync(join(folder, file)))
  return found?.[1] ?? 'npm'
}

function nextSteps(manifest: PackageJson, isExample: boolean, manager: PackageManager): string {
  const add = (packages: readonly string[], flag: string): readonly string[] => {
    const missing = missingFrom(manifest, packages)
    const verb = manager === 'npm' ? 'install' : 'add'
    return missing.length === 0 ? [] : [[manager, verb, ...(flag ? [flag] : []), ...missing].join(' ')]
  }
  const commands = [
    ...(isExample ? add(needed.example, '') : []),
    ...add(isExample ? needed.exampleDev : needed.checkDev, manager === 'npm' ? '--save-dev' : '-D'),
    `${manager} run check:workflows`,
    ...(isExample ? [`${manager} run dev:workflows`] : []),
  ]
  return `\nNext:\n\n${commands.map(command => `  ${command}\n`).join('')}`
}
