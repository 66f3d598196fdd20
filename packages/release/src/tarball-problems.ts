import { normalize } from 'node:path'
import type { Manifest } from './manifest.ts'

const dependencyFields = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
] as const

/** What would not work for users, or not be allowed to them, and that neither publint nor attw looks for. */
export function tarballProblems(manifest: Manifest, files: readonly string[]): string[] {
  return [...missingFiles(manifest, files), ...strayFiles(files), ...manifestProblems(manifest)]
}

/** What works, but that users would rightly complain about. */
export function tarballShortcomings(manifest: Manifest, files: readonly string[]): string[] {
  return [
    ...(files.includes('README.md') ? [] : ['README.md is missing']),
    ...Object.entries(manifest.peerDependencies ?? {})
      .filter(([, version]) => /^\d+\.\d+\.\d+/.test(version))
      .map(
        ([name, version]) => `peerDependencies.${name} is pinned: say "^${version}", or users need just that`,
      ),
  ]
}

function missingFiles({ version, exports = {}, bin = {} }: Manifest, files: readonly string[]): string[] {
  const expected = ['LICENSE', ...Object.values(bin).map(file => normalize(file))]
  if (version !== '0.0.0') expected.push('CHANGELOG.md') // a package that was never released has none
  const problems: string[] = []
  if (Object.keys(exports).length === 0) problems.push('the package exports nothing')
  for (const [subpath, target] of Object.entries(exports)) {
    if (subpath.endsWith('.json')) continue
    if (typeof target === 'string' || !target['types'] || !target['default']) {
      problems.push(`exports["${subpath}"] has no "types" and "default": add both to publishConfig.exports`)
    } else {
      const code = normalize(target['default'])
      expected.push(normalize(target['types']), code, `${code}.map`)
    }
  }
  return [...problems, ...expected.filter(file => !files.includes(file)).map(file => `${file} is missing`)]
}

function strayFiles(files: readonly string[]): string[] {
  return files
    .filter(file => !file.startsWith('templates/')) // a new project has tests
    .filter(file => /^(src|test|bench)\/|\.test\.|\.bench\.|\.tsbuildinfo$/.test(file))
    .map(file => `${file} does not belong into a published package`)
}

function manifestProblems(manifest: Manifest): string[] {
  const problems: string[] = []
  for (const field of dependencyFields) {
    for (const [name, version] of Object.entries(manifest[field] ?? {})) {
      if (/^(workspace|catalog|link|file):/.test(version)) {
        problems.push(`${field}.${name} is "${version}", which only this workspace understands`)
      }
    }
  }
  for (const script of ['preinstall', 'install', 'postinstall']) {
    if (manifest.scripts?.[script]) problems.push(`scripts.${script} would run on every user's machine`)
  }
  if (manifest.publishConfig?.['registry']) {
    problems.push('publishConfig.registry overrides the registry that a publisher routes the scope to')
  }
  return problems
}
