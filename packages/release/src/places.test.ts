import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Manifest } from './manifest.ts'
import { linksOf, moveLinks, pathInRepository, placesOf, repositoryUrl } from './places.ts'

const workspace = join(import.meta.dirname, '../../..')

function read(path: string): string {
  return readFileSync(join(workspace, path), 'utf8')
}

const url = repositoryUrl(JSON.parse(read('package.json')) as Manifest)
const published = globSync('{packages,apps}/*/package.json', { cwd: workspace })
  .toSorted()
  .map(path => ({
    directory: path.replace('/package.json', ''),
    manifest: JSON.parse(read(path)) as Manifest,
  }))
  .filter(({ manifest }) => !manifest.private)

describe.each(published)('$directory', ({ directory, manifest }) => {
  it('names the repository of the workspace, and its own place in it', () => {
    const { repository, homepage, bugs } = manifest
    expect({ repository, homepage, bugs }).toEqual(placesOf(url, directory))
  })

  it('can be found by keywords, and says in a sentence what it is', () => {
    expect(manifest.keywords?.length).toBeGreaterThanOrEqual(4)
    expect(new Set(manifest.keywords).size).toBe(manifest.keywords?.length)
    expect(manifest.description).toMatch(/^\S.+\.$/)
  })

  it('is published with its changelog', () => {
    expect(manifest.files).toContain('CHANGELOG.md')
  })

  it('has a README whose links lead somewhere, also where a registry shows it', () => {
    const wrong = linksOf(read(`${directory}/README.md`)).filter(target => {
      const path = pathInRepository(url, target)
      if (path !== undefined) return !existsSync(join(workspace, path))
      return !/^(https:\/\/|#)/.test(target)
    })
    expect(wrong).toEqual([])
  })
})

describe('repositoryUrl', () => {
  it('refuses a package.json that names no repository, or in another form', () => {
    expect(() => repositoryUrl({})).toThrow(TypeError)
    expect(() => repositoryUrl({ repository: { type: 'git', url: 'github:a/b' } })).toThrow(/git\+https/)
  })
})

describe('linksOf', () => {
  it('finds links and images, and leaves code alone', () => {
    const text = '[a](./a.md) ![b](https://b.invalid/b.png "B")\n```ts\nlist[0](c)\n```\n[d](#d)\n'
    expect(linksOf(text)).toEqual(['./a.md', 'https://b.invalid/b.png', '#d'])
  })
})

describe('pathInRepository', () => {
  it('takes the path of a page, a folder or an image', () => {
    const base = 'https://github.com/a/b'
    expect(pathInRepository(base, `${base}/blob/main/docs/x.md#part`)).toBe('docs/x.md')
    expect(pathInRepository(base, `${base}/tree/main/packages/x`)).toBe('packages/x')
    expect(pathInRepository(base, `${base}/raw/main/x.png`)).toBe('x.png')
    expect(pathInRepository(base, `${base}/issues`)).toBeUndefined()
  })
})

describe('moveLinks', () => {
  it('changes links and uses, and nothing that only begins alike', () => {
    const text = [
      'https://github.com/a/b/issues git+https://github.com/a/b.git https://github.com/a/b-c',
      '      - uses: a/b/.github/actions/check@v1',
      'the package a/b',
    ]
    expect(
      moveLinks(text.join('\n'), 'https://github.com/a/b', 'https://git.example.com/x/y').split('\n'),
    ).toEqual([
      'https://git.example.com/x/y/issues git+https://git.example.com/x/y.git https://github.com/a/b-c',
      '      - uses: x/y/.github/actions/check@v1',
      'the package a/b',
    ])
  })
})
