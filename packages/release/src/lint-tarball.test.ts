import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lintTarball } from './lint-tarball.ts'
import { packPackage } from './pack.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright lint '))
})
afterAll(() => rm(directory, { recursive: true }))

const index = { types: './dist/index.d.ts', default: './dist/index.js' }
const complete: Readonly<Record<string, string>> = {
  LICENSE: 'Apache-2.0',
  'CHANGELOG.md': '# x',
  'README.md': '# x',
  'dist/index.js': 'export const x = 1\n',
  'dist/index.js.map': '{"version":3,"sources":[],"names":[],"mappings":""}',
  'dist/index.d.ts': 'export declare const x: number\n',
}

async function lint(name: string, fields: object, files = complete): Promise<string[]> {
  const source = join(directory, name)
  await mkdir(join(source, 'dist'), { recursive: true })
  const manifest = {
    name,
    version: '1.0.0',
    type: 'module',
    license: 'Apache-2.0',
    files: ['dist', 'CHANGELOG.md'],
    ...fields,
  }
  await writeFile(join(source, 'package.json'), JSON.stringify(manifest))
  for (const [file, content] of Object.entries(files)) await writeFile(join(source, file), content)
  return lintTarball(await packPackage(source, directory))
}

describe('lintTarball', () => {
  it('has nothing against a good package', async () => {
    expect(await lint('good', { exports: { '.': index } })).toEqual([])
  })

  it('passes on what publint finds', async () => {
    const problems = await lint('types-last', {
      exports: { '.': { default: index.default, types: index.types } },
    })
    expect(problems).toContainEqual(expect.stringMatching(/^publint: .*types/))
  })

  it('passes on what attw finds', async () => {
    const files = { ...complete, 'dist/index.d.ts': "export { x } from './missing.js'\n" }
    expect(await lint('unresolved', { exports: { '.': index } }, files)).toContainEqual(
      expect.stringMatching(/^attw: .*InternalResolutionError/s),
    )
  })

  it('adds what neither of them looks for', async () => {
    const { LICENSE: _, 'README.md': __, ...files } = complete
    expect(await lint('bare', { exports: { '.': index } }, files)).toEqual([
      'LICENSE is missing',
      'README.md is missing',
    ])
  })
})
