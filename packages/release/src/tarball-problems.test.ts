import { describe, expect, it } from 'vitest'
import type { Manifest } from './manifest.ts'
import { tarballProblems, tarballShortcomings } from './tarball-problems.ts'

const manifest: Manifest = {
  name: '@stepwright/x',
  version: '1.0.0',
  bin: { x: './dist/bin.js' },
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  dependencies: { pg: '8.23.1', '@stepwright/errors': '^1.0.0' },
  peerDependencies: { vitest: '^5.1.0' },
}
const files = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'dist/index.js',
  'dist/index.js.map',
  'dist/index.d.ts',
  'dist/bin.js',
]

describe('tarballProblems', () => {
  it('has nothing against a complete package', () => {
    expect(tarballProblems(manifest, files)).toEqual([])
  })

  it.each([
    'LICENSE',
    'CHANGELOG.md',
    'dist/bin.js',
    'dist/index.js',
    'dist/index.js.map',
    'dist/index.d.ts',
  ])('misses %s', missing => {
    expect(
      tarballProblems(
        manifest,
        files.filter(file => file !== missing),
      ),
    ).toEqual([`${missing} is missing`])
  })

  it.each(['src/index.ts', 'dist/index.test.js', 'bench/x.bench.ts', 'dist/tsconfig.tsbuildinfo'])(
    'does not want %s',
    stray => {
      expect(tarballProblems(manifest, [...files, stray])).toEqual([
        `${stray} does not belong into a published package`,
      ])
    },
  )

  it('asks for no changelog before the first release', () => {
    const unreleased = { ...manifest, version: '0.0.0' }
    const problems = tarballProblems(
      unreleased,
      files.filter(file => file !== 'CHANGELOG.md'),
    )
    expect(problems).toEqual([])
  })

  it('wants types for every subpath', () => {
    const problems = tarballProblems({ ...manifest, exports: { '.': './src/index.ts' } }, files)
    expect(problems).toEqual([expect.stringContaining('exports["."] has no "types"')])
    expect(tarballProblems({ ...manifest, exports: {} }, files)).toEqual(['the package exports nothing'])
  })

  it.each([
    [{ dependencies: { pg: 'catalog:' } }, 'dependencies.pg is "catalog:"'],
    [{ devDependencies: { '@stepwright/task': 'workspace:^' } }, 'devDependencies.@stepwright/task'],
    [{ scripts: { postinstall: 'node x.js' } }, 'scripts.postinstall'],
    [{ publishConfig: { registry: 'https://registry.invalid/' } }, 'publishConfig.registry'],
  ])('refuses %j', (fields: Partial<Manifest>, problem) => {
    expect(tarballProblems({ ...manifest, ...fields }, files)).toEqual([expect.stringContaining(problem)])
  })
})

describe('tarballShortcomings', () => {
  it('is content with a README and peers in a range', () => {
    expect(tarballShortcomings(manifest, files)).toEqual([])
  })

  it('names a missing README and pinned peers', () => {
    expect(tarballShortcomings({ ...manifest, peerDependencies: { vitest: '5.1.0' } }, [])).toEqual([
      'README.md is missing',
      'peerDependencies.vitest is pinned: say "^5.1.0", or users need just that',
    ])
  })
})
