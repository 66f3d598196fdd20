import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, root, withBlock } from './generated.ts'
import { type PackageNode, readPackages } from './package-graph.ts'

const packages = readPackages(root)
const published = packages.filter(({ layer }) => layer !== 'app' && layer !== 'bench')
const layers = ['foundation', 'capability', 'tooling'] as const

function draw(nodes: readonly PackageNode[]): string {
  const names = new Set(nodes.map(({ name }) => name))
  const groups = layers.map(layer => {
    const members = nodes.filter(node => node.layer === layer).map(({ name }) => `    ${name}`)
    return [`  subgraph ${layer}`, ...members, '  end'].join('\n')
  })
  const edges = nodes.flatMap(({ name, imports }) =>
    imports.filter(each => names.has(each)).map(each => `  ${name} --> ${each}`),
  )
  return ['```mermaid', 'graph BT', ...groups, ...edges, '```'].join('\n')
}

describe('docs/architecture.md', () => {
  it('draws the packages as their sources import each other', async () => {
    const drawn = withBlock(read('docs/architecture.md'), 'graph', draw(published))
    await expect(drawn).toMatchFileSnapshot(join(root, 'docs/architecture.md'))
  })

  it('names only files that exist', () => {
    const named = [...read('docs/architecture.md').matchAll(/`((?:apps|packages)\/[\w./-]+\.(?:ts|json))`/g)]
    expect(named.length).toBeGreaterThan(5)
    for (const [, file = ''] of named) expect(() => read(file), file).not.toThrow()
  })
})

describe('the layers', () => {
  const layerOf = new Map(packages.map(({ name, layer }) => [name, layer]))

  it.each(published)('$name imports only what its layer may', ({ name, layer, imports }) => {
    const allowed: Readonly<Record<string, readonly string[]>> = {
      foundation: ['foundation'],
      capability: ['foundation'],
      tooling: ['foundation', 'tooling'],
    }
    for (const each of imports)
      expect([name, each, layerOf.get(each)]).toEqual([
        name,
        each,
        expect.toBeOneOf([...(allowed[layer] ?? [])]),
      ])
  })

  it('have no cycles', () => {
    const importsOf = new Map(packages.map(({ name, imports }) => [name, imports]))
    const done = new Set<string>()
    const visit = (name: string, path: readonly string[]): void => {
      expect(path).not.toContain(name)
      if (done.has(name)) return
      for (const each of importsOf.get(name) ?? []) visit(each, [...path, name])
      done.add(name)
    }
    for (const { name } of packages) visit(name, [])
  })
})
