import { globSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseCause } from '@stepwright/errors'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandError, runCommand } from './command.ts'
import { importsOf, scopeOf } from './manifest.ts'
import { type PackedPackage, packPackages } from './pack.ts'
import { fencedEnvironment, PublishTargetError, publishToLoopback } from './publish.ts'
import { type Registry, startRegistry } from './registry.ts'
import { createScratchProject } from './scratch-project.ts'
import { tarballProblems } from './tarball-problems.ts'
import { bundleSettings } from './test/bundle-settings.ts'
import { describeNewProjects } from './test/new-projects.ts'
import { installTools, runtimeCommand } from './test/tools.ts'

const tsc = join(import.meta.dirname, '../node_modules/.bin/tsc')

let directory: string
let packages: PackedPackage[]
let registry: Registry
let scratch: string
/** Where programs are that only these tests need, and no installation of the workspace pays for. */
let tools: string

/** What a project depends on; a package without a scope is a command to make one. */
function libraries(): PackedPackage[] {
  return packages.filter(({ manifest }) => scopeOf(manifest) !== undefined)
}

async function makeDirectory(name: string) {
  const path = join(directory, name)
  await mkdir(path)
  return path
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright release '))
  await chmod(directory, 0o755) // for a PostgreSQL that is another user
  registry = await startRegistry(await makeDirectory('registry'))
  packages = await packPackages(await makeDirectory('tarballs'))
  const publisher = await makeDirectory('publisher')
  await writeFile(
    join(publisher, '.npmrc'),
    `registry=${registry.url}\n@stepwright:registry=${registry.url}\n`,
  )
  await publishToLoopback(packages, { directory: publisher, registryUrl: registry.url })
  scratch = await makeDirectory('scratch')
  await createScratchProject(scratch, {
    manifests: libraries().map(({ manifest }) => manifest),
    registryUrl: registry.url,
    consumer: join(import.meta.dirname, '../test/fixtures'),
  })
  tools = await makeDirectory('tools')
  await installTools(tools)
})

afterAll(async () => {
  await registry?.close()
  await rm(directory, { recursive: true })
})

describe('the packed packages', () => {
  it('are all that are not private', () => {
    const names = packages.map(({ manifest }) => manifest.name)
    expect(names).toEqual(expect.arrayContaining(['@stepwright/errors', '@stepwright/task']))
    expect(names).not.toContain('@stepwright/release')
  })

  it('hold what users need and nothing else', () => {
    const problems = packages.flatMap(({ manifest, files }) =>
      tarballProblems(manifest, files).map(problem => `${manifest.name}: ${problem}`),
    )
    expect(problems).toEqual([])
  })
})

describe('publishing', () => {
  it('stops before the first upload where the scope is not routed to the registry', async () => {
    const unrouted = await makeDirectory('unrouted')
    await expect(
      publishToLoopback(packages, { directory: unrouted, registryUrl: registry.url }),
    ).rejects.toMatchObject({
      name: 'PublishTargetError',
      message: expect.stringContaining('the registry of @stepwright'),
    })
  })

  it('stops where a manifest names another registry, which would override the route', async () => {
    const { manifest } = packages[0] as PackedPackage
    const name = '@stepwright/strays'
    const source = await makeDirectory('strays')
    await writeFile(join(source, '.npmrc'), `@stepwright:registry=${registry.url}\n`)
    await writeFile(
      join(source, 'package.json'),
      JSON.stringify({ name, version: '1.0.0', publishConfig: { registry: 'https://registry.invalid/' } }),
    )
    await runCommand('pnpm', ['pack', '--out', 'strays.tgz'], { cwd: source })
    const strays = { manifest: { ...manifest, name }, tarball: join(source, 'strays.tgz') }
    await expect(
      publishToLoopback([strays], { directory: source, registryUrl: registry.url }),
    ).rejects.toMatchObject({
      name: 'PublishTargetError',
      message: expect.stringContaining('https://registry.invalid/'),
    })
  })

  it('signs where the packages come from, or refuses, if PNPM_CONFIG_PROVENANCE says so', async () => {
    const source = await makeDirectory('signed')
    await writeFile(join(source, '.npmrc'), `registry=${registry.url}\n`)
    await writeFile(join(source, 'package.json'), JSON.stringify({ name: 'signed', version: '1.0.0' }))
    const env = { ...(await fencedEnvironment(directory, registry.url)), PNPM_CONFIG_PROVENANCE: 'true' }
    const unsigned = runCommand('pnpm', ['publish', '--no-git-checks'], { cwd: source, env })
    await expect(unsigned).rejects.toThrow('ERR_PNPM_PROVENANCE_UNSUPPORTED_PROVIDER')
  })

  it('refuses a registry elsewhere', async () => {
    const elsewhere = publishToLoopback([], { directory, registryUrl: 'https://registry.invalid/' })
    await expect(elsewhere).rejects.toThrow(PublishTargetError)
  })

  it('has no way to the public registry', async () => {
    const asked: (string | undefined)[] = []
    const proxy = createServer().on('connect', (request, socket) => {
      asked.push(request.url)
      socket.destroy()
    })
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
    const env = await fencedEnvironment(
      directory,
      `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`,
    )
    const view = runCommand('pnpm', ['view', 'is-number', 'version'], {
      cwd: directory,
      env: { ...env, PNPM_CONFIG_FETCH_RETRIES: '0' },
    })
    await expect(view).rejects.toThrow(CommandError)
    expect(asked).toHaveLength(1)
    expect(asked[0]).not.toContain('127.0.0.1')
    await new Promise(resolve => proxy.close(resolve))
  })
})

describe('a project that installs the packages', () => {
  it('got ours from the registry that they were published to', async () => {
    const lockfile = JSON.parse(await readFile(join(scratch, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { resolved?: string }>
    }
    const ours = Object.entries(lockfile.packages).filter(([path]) => path.includes('@stepwright/'))
    expect(ours.map(([path]) => path)).toEqual(
      libraries()
        .map(({ manifest }) => `node_modules/${manifest.name}`)
        .toSorted(),
    )
    for (const [, { resolved }] of ours) expect(resolved).toMatch(registry.url)
  })

  it.each(['nodenext', 'bundler'])('compiles in strict mode, resolving as %s', async resolution => {
    await runCommand(tsc, ['-p', `tsconfig.${resolution}.json`, '--skipLibCheck'], { cwd: scratch })
  })

  it.each(['nodenext', 'bundler'])(
    'finds no mistake in our declarations, resolving as %s',
    async resolution => {
      const output = await runCommand(tsc, ['-p', `tsconfig.${resolution}.json`], { cwd: scratch }).then(
        ({ stdout }) => stdout,
        (error: CommandError) => error.stdout,
      )
      expect(output.split('\n').filter(line => !/^ |^node_modules\/(?!@stepwright\/)/.test(line))).toEqual([
        '',
      ])
    },
  )

  it('imports every subpath of every package', async () => {
    const script = `
      const { modules } = await import('./every-import.ts')
      console.log(JSON.stringify(Object.keys(modules)))`
    const { stdout } = await runNode('--input-type=module', '--eval', script)
    expect(JSON.parse(stdout)).toEqual(libraries().flatMap(({ manifest }) => importsOf(manifest)))
  })

  it('runs every command', async () => {
    for (const command of libraries().flatMap(({ manifest }) => Object.keys(manifest.bin ?? {}))) {
      const { stdout } = await runCommand(join(scratch, 'node_modules/.bin', command), ['--help'], {
        cwd: scratch,
      })
      expect(stdout).toContain(command)
    }
  })

  it('names our sources in stack traces', async () => {
    const script = `
      const { defineTask } = await import('@stepwright/task')
      try { defineTask({ name: '' }) } catch (error) { console.log(error.stack) }`
    const { stdout } = await runNode('--enable-source-maps', '--input-type=module', '--eval', script)
    expect(stdout).toMatch(/@stepwright\/task\/src\/\S+\.ts:\d+/)
  })

  it('unit-tests a task without AWS', async () => {
    const { stdout } = await runNode('--test', '--test-reporter=tap', 'reserve-stock.test.ts')
    expect(stdout).toContain('# pass 4')
  })

  it('runs the suites of ports under node:test', async () => {
    const { stdout } = await runNode('--test', '--test-reporter=tap', 'contracts.test.js', 'honours.test.js')
    expect(stdout).toMatch(/^# pass [1-9]\d+$/m)
    expect(stdout).toContain('# fail 0')
  })

  it('runs the suites of ports and the matcher under Jest', async () => {
    const jest = join(tools, 'node_modules/jest/bin/jest.js')
    const files = ['--testMatch', '**/contracts.test.js', '**/*.jest.js']
    const options = [
      '--experimental-vm-modules',
      '--no-warnings',
      jest,
      '--rootDir',
      scratch,
      '--transform',
      '{}',
    ]
    const { stderr } = await runNode(...options, ...files)
    expect(stderr).toMatch(/Tests: +[1-9]\d+ passed, [1-9]\d+ total/)
  })

  it('is required by a function that is CommonJS', async () => {
    expect(lastLine(await runNode('common.cjs'))).toEqual({ count: 3 })
  })

  describe.each(['node', 'bun', 'deno'] as const)('run by %s', runtime => {
    it('names, classifies and hands over its errors', async context => {
      const command = runtimeCommand(tools, runtime)
      if (command === undefined) return context.skip(`npm has no ${runtime} for ${process.platform}`)
      const [program = '', ...args] = command
      expect(lastLine(await runCommand(program, [...args, 'runtimes.js'], { cwd: scratch }))).toEqual({
        kind: 'retryable',
        left: { left: 2 },
        invalid: 'DataValidationError',
        cause: { count: 4 },
      })
    })
  })

  it('is bundled by CDK itself', async () => {
    await writeFile(join(scratch, 'stack.ts'), cdkStack)
    await runNode('stack.ts')
    const [asset = ''] = globSync('cdk.out/asset.*/index.js', { cwd: scratch })
    await writeFile(join(scratch, asset, '../package.json'), '{}') // on AWS, no folder above says "module"
    expect(await invoke(asset, { sku: 'A1', count: 3 })).toEqual({ result: { left: 0 } })
  })
})

describe('a function that is bundled by the settings of', () => {
  const names = Object.keys(bundleSettings)
  const outputs = new Map<string, string>()

  beforeAll(async () => {
    for (const [index, name] of names.entries()) {
      const extension = bundleSettings[name]?.format === 'cjs' ? '.cjs' : '.mjs'
      await build({
        ...bundleSettings[name],
        entryPoints: [join(scratch, 'handler.ts')],
        absWorkingDir: scratch,
        outdir: join(scratch, `bundle-${index}`),
        outExtension: { '.js': extension },
      })
      outputs.set(name, `bundle-${index}/handler${extension}`)
    }
    await rm(join(scratch, 'node_modules'), { recursive: true }) // the bundles need none of it
  })

  it.each(names)('%s: runs, and its errors keep their names', async name => {
    const bundle = outputs.get(name) as string
    expect(await invoke(bundle, { sku: 'A1', count: 3 })).toEqual({ result: { left: 0 } })
    const { errorType, errorMessage } = await invoke(bundle, { sku: 'A1', count: 4 })
    expect(errorType).toBe('OutOfStock')
    expect(
      parseCause({ Error: 'OutOfStock', Cause: JSON.stringify({ errorType, errorMessage }) }),
    ).toMatchObject({ details: { sku: 'A1', count: 4 } })
  })
})

const cdkStack = `
  import { App, Stack } from 'aws-cdk-lib'
  import { Runtime } from 'aws-cdk-lib/aws-lambda'
  import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs'
  const app = new App({ outdir: 'cdk.out' })
  new NodejsFunction(new Stack(app, 'Shop'), 'Reserve', {
    entry: 'handler.ts',
    depsLockFilePath: 'package-lock.json',
    runtime: Runtime.NODEJS_24_X,
  })
  app.synth()
`

describeNewProjects(() => ({ directory, registryUrl: registry.url }))

/** One invocation in a process of its own, reported as Lambda would. */
async function invoke(bundle: string, event: unknown): Promise<Record<string, unknown>> {
  const script = `
    const { handler } = await import('./${bundle}')
    const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 60_000 }
    const outcome = await handler(${JSON.stringify(event)}, context).then(
      result => ({ result }),
      error => ({ errorType: error.name, errorMessage: error.message }),
    )
    console.log('\\n' + JSON.stringify(outcome))`
  return lastLine(await runNode('--input-type=module', '--eval', script))
}

/** What a script printed last, as JSON; functions log before. */
function lastLine({ stdout }: { readonly stdout: string }): Record<string, unknown> {
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>
}

function runNode(...args: string[]): ReturnType<typeof runCommand> {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env
  return runCommand(process.execPath, args, { cwd: scratch, env })
}
