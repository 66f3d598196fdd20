import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from './command.ts'
import type { Manifest } from './manifest.ts'
import { fencedEnvironment } from './publish.ts'
import { readRecipe } from './recipe.ts'
import { type Registry, startRegistry } from './registry.ts'

const workspace = join(import.meta.dirname, '../../..')
const identity = {
  GIT_AUTHOR_NAME: 'A Publisher',
  GIT_AUTHOR_EMAIL: 'publisher@example.com',
  GIT_COMMITTER_NAME: 'A Publisher',
  GIT_COMMITTER_EMAIL: 'publisher@example.com',
}

let directory: string
let registry: Registry
/** What each line of the recipe printed. */
const printed = new Map<string, string>()

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright recipe '))
  registry = await startRegistry(directory)
  await cloneWorkspace()
  const fenced = { ...(await fencedEnvironment(directory, registry.url)), ...identity }
  for (const line of await readRecipe(workspace)) {
    if (line === 'pnpm check') continue // it runs this test
    const env = line.includes('publish') ? fenced : { ...process.env, ...identity }
    if (line === 'pnpm changeset publish') refuseOtherRegistries()
    printed.set(line, await clone('bash', '-c', line)(env))
  }
})

afterAll(async () => {
  await registry?.close()
  await rm(directory, { recursive: true })
})

function clone(command: string, ...args: string[]): (env?: NodeJS.ProcessEnv) => Promise<string> {
  return async env => {
    const options = { cwd: join(directory, 'clone'), ...(env && { env }) }
    return (await runCommand(command, args, options)).stdout
  }
}

/** The files that are, or would be, under version control, as the only commit of a repository with an origin. */
async function cloneWorkspace(): Promise<void> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const files = (await runCommand('git', list, { cwd: workspace })).stdout.split('\0')
  for (const file of files.filter(name => name !== '')) {
    const copy = join(directory, 'clone', file)
    await mkdir(dirname(copy), { recursive: true })
    await cp(join(workspace, file), copy).catch(ignoreDeleted)
  }
  await writeFile(
    join(directory, 'clone/.npmrc'),
    `registry=${registry.url}\n@stepwright:registry=${registry.url}\n`,
  )
  await writeFile(
    join(directory, 'clone/.changeset/one-more.md'),
    '---\n"@stepwright/errors": patch\n---\n\nErrors know more.\n',
  )
  await runCommand('git', ['init', '--quiet', '--bare', 'origin.git'], { cwd: directory })
  for (const line of [
    'git init --quiet --initial-branch main',
    'git add --all',
    'git commit --quiet --message "Begin"',
    'git remote add origin ../origin.git',
    'git push --quiet --set-upstream origin main',
    'pnpm install --frozen-lockfile --offline --ignore-scripts',
  ]) {
    await clone('bash', '-c', line)({ ...process.env, ...identity })
  }
}

function ignoreDeleted(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

function refuseOtherRegistries(): void {
  const targets = [...(printed.get('pnpm -r publish --dry-run') ?? '').matchAll(/→ (\S+)/g)]
  if (targets.length > 0 && targets.every(([, target]) => target === registry.url)) return
  throw new Error(`would publish to ${targets.map(([, target]) => target).join() || 'an unknown registry'}`)
}

async function published(name: string): Promise<{ readonly versions: Record<string, Manifest> }> {
  const response = await fetch(new URL(name.replace('/', '%2f'), registry.url))
  return (await response.json()) as { versions: Record<string, Manifest> }
}

async function manifestOf(name: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(directory, 'clone/packages', name, 'package.json'), 'utf8'))
}

describe('the recipe of a release in docs/publishing.md', () => {
  it('says what the release holds', () => {
    expect(printed.get('pnpm changeset status')).toContain('@stepwright/errors')
  })

  it('leaves nothing behind that is not committed, changelogs that are new included', async () => {
    expect(await clone('git', 'status', '--porcelain')()).toBe('')
    expect(await clone('git', 'ls-files')()).toContain('packages/errors/CHANGELOG.md')
    expect(await readFile(join(directory, 'clone/packages/errors/CHANGELOG.md'), 'utf8')).toContain(
      'Errors know more.',
    )
  })

  it('publishes the packages, with versions and exports that users can install', async () => {
    const { version } = await manifestOf('errors')
    const task = await manifestOf('task')
    expect(Object.keys((await published('@stepwright/errors')).versions)).toEqual([version])
    expect((await published('@stepwright/task')).versions[task.version]).toMatchObject({
      dependencies: { '@stepwright/errors': `^${version}` },
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    })
    expect(Object.keys((await published('create-stepwright')).versions)).toHaveLength(1)
    expect(await published('@stepwright/release')).not.toHaveProperty('versions')
  })

  it('pushes the commit and a tag for each package', async () => {
    const { version } = await manifestOf('errors')
    const tags = await runCommand('git', ['tag'], { cwd: join(directory, 'origin.git') })
    expect(tags.stdout.split('\n')).toContain(`@stepwright/errors@${version}`)
    const log = await runCommand('git', ['log', '--format=%s', 'main'], {
      cwd: join(directory, 'origin.git'),
    })
    expect(log.stdout).toBe('Version the packages\nBegin\n')
  })

  it('writes what each package is made of', async () => {
    const { version } = await manifestOf('local-s3')
    const bill = JSON.parse(
      await readFile(join(directory, `clone/.cache/sbom/stepwright-local-s3-${version}.cdx.json`), 'utf8'),
    ) as { bomFormat: string; components: { group?: string; name: string }[] }
    expect(bill.bomFormat).toBe('CycloneDX')
    const names = bill.components.map(({ group, name }) => (group ? `${group}/${name}` : name))
    expect(names).toContain('@stepwright/local-server')
    expect(names).toContain('@smithy/signature-v4')
    expect(names).not.toContain('vitest')
  })

  it('can be repeated, and publishes nothing twice', async () => {
    const env = { ...(await fencedEnvironment(directory, registry.url)), ...identity }
    expect(await clone('bash', '-c', 'pnpm changeset publish')(env)).toContain('No unpublished projects')
  })
})
