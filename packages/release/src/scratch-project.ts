import { cp, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runCommand } from './command.ts'
import { importsOf, type Manifest } from './manifest.ts'

const require = createRequire(import.meta.url)

/** Compiler options of a careful user. */
const strict = {
  target: 'es2024',
  lib: ['es2024'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  noEmit: true,
}

/**
 * A user's project: `consumer` copied into it, a module that imports everything the packages export, and
 * all of it installed by npm, with the packages' scope routed to `registryUrl` and the rest from where npm
 * gets it on this machine.
 */
export async function createScratchProject(
  directory: string,
  {
    manifests,
    registryUrl,
    consumer,
  }: { readonly manifests: readonly Manifest[]; readonly registryUrl: string; readonly consumer: string },
): Promise<void> {
  const write = (file: string, content: unknown) =>
    writeFile(
      join(directory, file),
      typeof content === 'string' ? content : JSON.stringify(content, undefined, 2),
    )
  await cp(consumer, directory, { recursive: true })
  await write('package.json', {
    name: 'scratch',
    private: true,
    type: 'module',
    dependencies: {
      ...versionsHere('zod', '@types/node', 'esbuild'),
      ...optionalPeers(manifests),
      ...Object.fromEntries(manifests.map(({ name, version }) => [name, version])),
    },
  })
  const scopes = new Set(manifests.map(({ name }) => name.split('/')[0]))
  await write('.npmrc', [...scopes].map(scope => `${scope}:registry=${registryUrl}\n`).join(''))
  await write('every-import.ts', importEverything(manifests))
  await write('tsconfig.nodenext.json', { compilerOptions: { ...strict, module: 'nodenext' } })
  await write('tsconfig.bundler.json', {
    compilerOptions: { ...strict, module: 'esnext', moduleResolution: 'bundler' },
  })
  // As flags: npx hands the user's own settings down in the environment, which is above .npmrc.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-omit-lockfile-registry-resolved']
  await runCommand('npm', ['install', ...flags], {
    cwd: directory,
    env: { ...process.env, NO_PROXY: [process.env['NO_PROXY'], '127.0.0.1'].filter(Boolean).join() },
  })
}

/**
 * npm leaves them out, and their types if those are a package of their own. Ours are also devDependencies,
 * and so have a version that they were tested with.
 */
function optionalPeers(manifests: readonly Manifest[]): Record<string, string> {
  const versions: Record<string, string> = {}
  for (const { peerDependencies = {}, devDependencies = {} } of manifests) {
    for (const [peer, range] of Object.entries(peerDependencies)) {
      versions[peer] = devDependencies[peer] ?? range
      const types = `@types/${peer.replace('@', '').replace('/', '__')}`
      if (devDependencies[types]) versions[types] = devDependencies[types]
    }
  }
  return versions
}

function versionsHere(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map(name => [name, require(`${name}/package.json`).version as string]))
}

function importEverything(manifests: readonly Manifest[]): string {
  const specifiers = manifests.flatMap(importsOf)
  return [
    ...specifiers.map((specifier, index) => `import * as module${index} from '${specifier}'`),
    'export const modules: Readonly<Record<string, object>> = {',
    ...specifiers.map((specifier, index) => `  '${specifier}': module${index},`),
    '}',
    '',
  ].join('\n')
}
